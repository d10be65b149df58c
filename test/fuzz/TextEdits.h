//===- TextEdits.h - a long text, changed by a short list of edits --------------------------------===//
//
//   drop L           line L goes                copy L M         line L again behind line M
//   swap L M         they change places         cut L            nothing from line L on
//   word L i M j     word i of L becomes word j of M
//   number L i n     number i of L becomes n
//
// Lines, words and numbers are counted from 0, modulo how many there are; edits are made one after the other. Other
// lines of a list do nothing.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cedilla::fuzz {

class TextEdits {
public:
  explicit TextEdits(std::string_view text);
  std::string apply(std::string_view edits) const;
  /// The list with an edit more, less, or other.
  std::string mutate(std::string_view edits, unsigned seed) const;

private:
  std::vector<std::string> lines;
};

} // namespace cedilla::fuzz
