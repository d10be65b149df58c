//===- ConfigReader.h - fields of a JSON object, with errors that point at them
//-------------------===//
//
// Every way a field of config.json can be wrong by itself (absent, null, of another kind, out of
// range) is found here, once. A null counts as absent. What was never asked for can be listed
// afterwards.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/base/Error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cedilla {

/// What an integer field may be. `reason` says why a multiple is asked for.
struct IntegerRule {
  int64_t min = 1;
  int64_t max = int64_t(1) << 24;
  int64_t multipleOf = 1;
  const char *reason = "";
};

/// What a number must exceed, or at least reach.
struct NumberRule {
  double min = 0;
  double max = 1e30;
  bool minExcluded = false;
};

/// JSON pointers, and what stands there in the file where a document was brought to another form before it is read.
using FieldNames = std::map<std::string, std::string>;

class ConfigReader {
public:
  /// `pointer` is the object's JSON pointer in `file` ("" for the whole document). `names` (may be null) outlives the reader.
  ConfigReader(std::string file, std::string pointer, const nlohmann::json &object, const FieldNames *names = nullptr);

  /// The field's value; null pointer when it is absent or null.
  const nlohmann::json *find(const std::string &key) const;
  bool has(const std::string &key) const { return find(key) != nullptr; }

  int64_t integer(const std::string &key, IntegerRule rule = {}) const;
  std::optional<int64_t> optionalInteger(const std::string &key, IntegerRule rule = {}) const;
  double number(const std::string &key, NumberRule rule = {}) const;
  std::optional<double> optionalNumber(const std::string &key, NumberRule rule = {}) const;
  std::optional<std::string> optionalText(const std::string &key) const;
  std::vector<int64_t> integers(const std::string &key, IntegerRule rule = {}) const;
  /// Strictly ascending integers, an empty list when the field is absent.
  std::vector<int64_t> ascending(const std::string &key, IntegerRule rule) const;
  /// The object at `key`; fails when there is none.
  ConfigReader object(const std::string &key) const;

  /// Fails with `file: /pointer/key: ` and the arguments.
  template <typename... Args>
  [[noreturn]] void wrong(const std::string &key, Args &&...args) const {
    fail(Err::ConfigField, file, ": ", inFile(pointer + "/" + key), ": ", std::forward<Args>(args)...);
  }

  bool wasAsked(const std::string &key) const { return asked.contains(key); }
  /// Fields that are there and that nobody asked for.
  std::vector<std::string> unread() const;
  const std::string &fileName() const { return file; }

private:
  int64_t checked(const std::string &key, const nlohmann::json &value, IntegerRule rule) const;
  /// The pointer as the file has it.
  std::string inFile(const std::string &place) const;

  std::string file, pointer;
  const nlohmann::json &json;
  const FieldNames *names;
  mutable std::set<std::string> asked;
};

/// A JSON value for a message, cut when long.
std::string shown(const nlohmann::json &value);

} // namespace cedilla
