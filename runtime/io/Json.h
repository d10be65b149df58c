//===- Json.h - JSON in which nothing is lost silently
//----------------------------------------------===//
//
// The one way JSON that users give is read: a syntax error names the file and the byte, and a key
// that appears twice in one object is an error (the library alone would keep the last one).
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace cedilla {

/// `where` opens the message of every failure.
nlohmann::json parseJson(const std::string &where, std::string_view text);

/// Reads and parses a file; fails when it cannot be opened.
nlohmann::json parseJsonFile(const std::string &path);

} // namespace cedilla
