//===- Json.cpp - parse, and refuse duplicate keys
//--------------------------------------------------===//

#include "runtime/io/Json.h"

#include "runtime/base/Error.h"
#include "runtime/io/MappedFile.h"

#include <unordered_set>
#include <vector>

namespace cedilla {

/// Far more than any file of ours has; printing, comparing and copying a value take stack for every level.
static constexpr int mostLevels = 256;

nlohmann::json parseJson(const std::string &where, std::string_view text) {
  // The parser takes a NUL for the end of the text and would not look behind it.
  if (size_t nul = text.find('\0'); nul != std::string_view::npos)
    fail(Err::Json, where, ": not valid JSON: NUL at byte ", nul);
  std::vector<std::unordered_set<std::string>> seen; // keys of the objects that are open
  auto check = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json &parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (depth > mostLevels)
      fail(Err::Json, where, ": expected at most ", mostLevels, " levels of lists and objects, got more");
    if (event == Event::object_start)
      seen.emplace_back();
    else if (event == Event::object_end)
      seen.pop_back();
    else if (event == Event::key && !seen.back().insert(parsed.get<std::string>()).second)
      fail(Err::Json, where, ": duplicate name '", parsed.get<std::string>(), "'");
    return true;
  };
  try {
    return nlohmann::json::parse(text.begin(), text.end(), check);
  } catch (const nlohmann::json::exception &error) {
    // "[json.exception.parse_error.101] parse error at line 1, …": the bracket says nothing to a
    // user.
    std::string reason = error.what();
    size_t bracket = reason.find("] ");
    fail(Err::Json, where,
         ": not valid JSON: ", bracket == std::string::npos ? reason : reason.substr(bracket + 2));
  }
}

static void checkWhole(const std::string &where, const nlohmann::json &value, const std::string &key, std::string_view except) {
  bool tooLarge = value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX);
  if (tooLarge || (value.is_number_float() && (key.empty() || key != except)))
    fail(Err::Json, where, ": '", key, "': expected a whole number below 2^63, got ", value.dump());
  if (value.is_object())
    for (const auto &[name, child] : value.items())
      checkWhole(where, child, name, except);
  if (value.is_array())
    for (const nlohmann::json &child : value)
      checkWhole(where, child, key, except);
}

void checkWholeNumbers(const std::string &where, const nlohmann::json &value, std::string_view except) {
  checkWhole(where, value, "", except);
}

nlohmann::json parseJsonFile(const std::string &path) {
  MappedFile file(path);
  return parseJson(path, {reinterpret_cast<const char *>(file.data()), file.size()});
}

} // namespace cedilla
