//===- OptionValues.cpp - what stands behind an option, as numbers and lists ------------------------===//

#include "runtime/driver/OptionValues.h"

#include "runtime/io/MappedFile.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace cedilla {

std::string shown(std::string_view text) {
  constexpr size_t limit = 80;
  return std::string(text.substr(0, limit)) + (text.size() > limit ? "…" : "");
}

std::vector<int32_t> parseList(const std::string &what, std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<int32_t> list;
  bool needsNumber = true; // at the start and behind a comma
  for (size_t at = 0; (at = text.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    if (text[at] == ',') {
      if (needsNumber)
        fail(Err::Option, what, ": expected a number before ',' in '", shown(text), "'");
      needsNumber = true, ++at;
      continue;
    }
    size_t end = std::min(text.find_first_of(", \t\r\n", at), text.size());
    list.push_back(parseNumber<int32_t>(what, text.substr(at, end - at),
                                        std::numeric_limits<int32_t>::min(),
                                        std::numeric_limits<int32_t>::max()));
    needsNumber = false, at = end;
  }
  if (needsNumber)
    fail(Err::Option, what, ": expected ", list.empty() ? "at least one number" : "a number behind the last ','");
  return list;
}

std::string parseEngram(const std::string &text) {
  for (std::string_view place : {"auto", "device", "zero-copy", "host-gather"})
    if (place == text)
      return text;
  fail(Err::Option, "--engram: expected auto, device, zero-copy or host-gather, got '", text, "'");
}

void parseAb(Options &options, const std::string &text) {
  options.ab = text;
  if (text.starts_with("chunk:")) {
    options.abChunk = parseNumber<int64_t>("--ab chunk", text.substr(6), 1, std::numeric_limits<int32_t>::max());
    return;
  }
  for (std::string_view way : {"again", "alone", "decode", "graph"})
    if (way == text)
      return;
  if (!text.ends_with(".ced"))
    fail(Err::Option, "--ab: expected again, alone, chunk:<n>, decode, graph or <file.ced>, got '", text, "'");
}

bool parseWoA(const std::string &text) {
  if (text != "bf16" && text != "fp8")
    fail(Err::Option, "--wo-a-activations: expected bf16 or fp8, got '", text, "'");
  return text == "fp8";
}

void readTokensFile(Options &options, const std::string &path) {
  MappedFile file(path);
  std::istringstream text(
      std::string(reinterpret_cast<const char *>(file.data()), file.size()));
  text.exceptions(std::ios::badbit); // a line too long for the memory is no end of the file
  std::string line;
  for (size_t number = 1; std::getline(text, line); ++number)
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      options.sequences.push_back(parseList(path + ":" + std::to_string(number), line));
  if (options.sequences.empty())
    fail(Err::Option, path, ": expected at least one line of token ids");
  options.manySequences = true;
}

} // namespace cedilla
