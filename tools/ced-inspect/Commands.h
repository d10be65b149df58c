//===- Commands.h - what ced-inspect can show ------------------------------------------------------===//
//
// A command is a function in a file of its own and one row of the table in main.cpp.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <string>

namespace cedilla::inspect {

/// Each takes the path the user gave and writes to standard output. Throws cedilla::Error.
void showTable(const std::string &path);
void showKv(const std::string &path);
void showWeights(const std::string &path);
void showSchedule(const std::string &path);
void showPackage(const std::string &path);
void showGraph(const std::string &path);

/// A file named .ced, or one that begins as a package does. The others take it for a model.
bool isPackage(const std::string &path);

} // namespace cedilla::inspect
