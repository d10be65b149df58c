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

namespace {
/// What the parser would let pass. A pass of its own: a parser with a callback looks through all members of an object
/// whenever one of them ends, which takes seconds for the names of a large model.
struct Checker : nlohmann::json_sax<nlohmann::json> {
  explicit Checker(const std::string &where) : where(where) {}
  bool start() {
    if (++levels > mostLevels)
      fail(Err::Json, where, ": expected at most ", mostLevels, " levels of lists and objects, got more");
    return true;
  }
  bool end() { return --levels, true; }
  bool start_object(size_t) override { return seen.emplace_back(), start(); }
  bool end_object() override { return seen.pop_back(), end(); }
  bool start_array(size_t) override { return start(); }
  bool end_array() override { return end(); }
  bool key(std::string &name) override {
    if (!seen.back().insert(name).second)
      fail(Err::Json, where, ": duplicate name '", name, "'");
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(int64_t) override { return true; }
  bool number_unsigned(uint64_t) override { return true; }
  bool number_float(double, const std::string &) override { return true; }
  bool string(std::string &) override { return true; }
  bool binary(nlohmann::json::binary_t &) override { return true; }
  bool parse_error(size_t, const std::string &, const nlohmann::json::exception &) override { return false; } // said by the parser

  const std::string &where;
  int levels = 0;
  std::vector<std::unordered_set<std::string>> seen; ///< names in the objects that are open
};
} // namespace

nlohmann::json parseJson(const std::string &where, std::string_view text) {
  // The parser takes a NUL for the end of the text and would not look behind it.
  if (size_t nul = text.find('\0'); nul != std::string_view::npos)
    fail(Err::Json, where, ": not valid JSON: NUL at byte ", nul);
  Checker checker(where);
  nlohmann::json::sax_parse(text.begin(), text.end(), &checker);
  try {
    return nlohmann::json::parse(text.begin(), text.end());
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
