//===- Json.cpp - parse, and refuse duplicate keys
//--------------------------------------------------===//

#include "runtime/io/Json.h"

#include "runtime/base/Error.h"
#include "runtime/io/MappedFile.h"

#include <unordered_set>
#include <vector>

namespace cedilla {

nlohmann::json parseJson(const std::string &where, std::string_view text) {
  // The parser takes a NUL for the end of the text and would not look behind it.
  if (size_t nul = text.find('\0'); nul != std::string_view::npos)
    fail(where, ": not valid JSON: NUL at byte ", nul);
  std::vector<std::unordered_set<std::string>> seen; // keys of the objects that are open
  auto check = [&](int, nlohmann::json::parse_event_t event, nlohmann::json &parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start)
      seen.emplace_back();
    else if (event == Event::object_end)
      seen.pop_back();
    else if (event == Event::key && !seen.back().insert(parsed.get<std::string>()).second)
      fail(where, ": duplicate name '", parsed.get<std::string>(), "'");
    return true;
  };
  try {
    return nlohmann::json::parse(text.begin(), text.end(), check);
  } catch (const nlohmann::json::exception &error) {
    // "[json.exception.parse_error.101] parse error at line 1, …": the bracket says nothing to a
    // user.
    std::string reason = error.what();
    size_t bracket = reason.find("] ");
    fail(where,
         ": not valid JSON: ", bracket == std::string::npos ? reason : reason.substr(bracket + 2));
  }
}

nlohmann::json parseJsonFile(const std::string &path) {
  MappedFile file(path);
  return parseJson(path, {reinterpret_cast<const char *>(file.data()), file.size()});
}

} // namespace cedilla
