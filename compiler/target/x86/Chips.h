//===- Chips.h - CPU levels, one row each -----------------------------------------------------===//

#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace cedilla::x86 {

struct Chip {
  llvm::StringRef name;
  llvm::StringRef cpu; ///< LLVM's name; its features are the level's
};

const Chip *findChip(llvm::StringRef name);
std::vector<std::string> chipNames();

} // namespace cedilla::x86
