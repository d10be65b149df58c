//===- Commands.h - what ced-inspect can show ------------------------------------------------------===//
//
// A command is a function in a file of its own and one row of the table in main.cpp.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Facts.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cedilla::inspect {

/// The command line behind the command's name; `options` holds those the command knows, without dashes.
struct Arguments {
  std::string path;
  std::map<std::string, std::string> options;

  bool has(const std::string &name) const { return options.contains(name); }
  std::string text(const std::string &name, const std::string &otherwise) const;
  /// "1,8,32": each at least `low` and at most 2^31. Fails with the option's name.
  std::vector<int64_t> numbers(const std::string &name, std::vector<int64_t> otherwise, int64_t low = 1) const;
  int64_t number(const std::string &name, int64_t otherwise, int64_t low = 1) const;
};

/// Each takes the path the user gave and writes to standard output. Throws cedilla::Error.
void showTable(const std::string &path);
void showKv(const Arguments &arguments);
void showFlops(const Arguments &arguments);
void showWeights(const std::string &path);
void showSchedule(const Arguments &arguments);
void showMemory(const Arguments &arguments);
/// Returns the exit code: whether it runs.
int showSupport(const Arguments &arguments);
void showPackage(const std::string &path);
void verifyPackage(const Arguments &arguments);
void showErrors(const Arguments &arguments);
void showGraph(const std::string &path);

/// A file named .ced, or one that begins as a package does. The others take it for a model.
bool isPackage(const std::string &path);

/// What the layer owns, and what it reads of other layers and from whom ("nothing").
struct LayerWords {
  std::string owned, borrowed;
};
LayerWords wordsOf(const LayerFacts &layer, int64_t number);

} // namespace cedilla::inspect
