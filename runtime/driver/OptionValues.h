//===- OptionValues.h - what stands behind an option, as numbers and lists --------------------------===//
//
// Each fails with one line that names the option, or the file and its line.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/base/Error.h"
#include "runtime/driver/Options.h"

#include <charconv>

namespace cedilla {

/// Text for a message: a file of a million wrong numbers is not shown as a whole.
std::string shown(std::string_view text);

template <typename T>
T parseNumber(const std::string &what, std::string_view text, T low, T high) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    fail(Err::Option, what, ": expected ", low, " to ", high, ", got '", shown(text), "'");
  if (error != std::errc() || end != text.data() + text.size())
    fail(Err::Option, what, ": expected a number, got '", shown(text), "'");
  if (!(value >= low && value <= high))
    fail(Err::Option, what, ": expected ", low, " to ", high, ", got ", shown(text));
  return value;
}

/// Numbers with commas or blanks between them. Whether an id exists is the engine's to say.
std::vector<int32_t> parseList(const std::string &what, std::string_view text);

/// Of --engram: the place, as it is written.
std::string parseEngram(const std::string &text);

/// Of --ab: the second way to run.
void parseAb(Options &options, const std::string &text);

/// Of --wo-a-activations: true for fp8.
bool parseWoA(const std::string &text);

/// A sequence a line.
void readTokensFile(Options &options, const std::string &path);

} // namespace cedilla
