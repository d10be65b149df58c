//===- Json.h - JSON in which nothing is lost silently
//----------------------------------------------===//
//
// The one way JSON that users give is read: a syntax error names the file and the byte, and a key
// that appears twice in one object is an error (the library alone would keep the last one). So is what is nested too
// deep to be worked with.
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

/// For JSON that is turned into structures of integers: every number must be a whole one below 2^63, except under the key
/// `except`. The library would cut off what is behind the point, and make any number of one that is too large.
void checkWholeNumbers(const std::string &where, const nlohmann::json &value, std::string_view except = "");

} // namespace cedilla
