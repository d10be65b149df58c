//===- ConfigReader.cpp - one field at a time
//---------------------------------------------------------===//

#include "compiler/import/ConfigReader.h"

namespace cedilla {

std::string shown(const nlohmann::json &value) {
  std::string text = value.dump();
  constexpr size_t limit = 80;
  return text.size() <= limit ? text : text.substr(0, limit) + "…";
}

ConfigReader::ConfigReader(std::string file, std::string pointer, const nlohmann::json &object, const FieldNames *names)
    : file(std::move(file)), pointer(std::move(pointer)), json(object), names(names) {
  if (!json.is_object())
    fail(Err::ConfigField, this->file, ": ", this->pointer.empty() ? "/" : this->pointer,
         ": expected an object, got ", shown(json));
}

std::string ConfigReader::inFile(const std::string &place) const {
  // Of an entry of a list the list is renamed.
  for (size_t end = place.size(); names && end != 0 && end != std::string::npos; end = place.rfind('/', end - 1))
    if (auto found = names->find(place.substr(0, end)); found != names->end())
      return found->second + place.substr(end);
  return place;
}

const nlohmann::json *ConfigReader::find(const std::string &key) const {
  asked.insert(key);
  auto it = json.find(key);
  return it == json.end() || it->is_null() ? nullptr : &*it;
}

int64_t ConfigReader::checked(const std::string &key, const nlohmann::json &value,
                              IntegerRule rule) const {
  bool fits = value.is_number_integer() &&
              (!value.is_number_unsigned() || value.get<uint64_t>() <= uint64_t(INT64_MAX));
  if (!fits)
    wrong(key, "expected an integer, got ", shown(value));
  int64_t number = value.get<int64_t>();
  if (number < rule.min || number > rule.max)
    wrong(key, "expected an integer from ", rule.min, " to ", rule.max, ", got ", number);
  if (number % rule.multipleOf)
    wrong(key, "expected a multiple of ", rule.multipleOf, rule.reason, ", got ", number);
  return number;
}

int64_t ConfigReader::integer(const std::string &key, IntegerRule rule) const {
  const nlohmann::json *value = find(key);
  if (!value)
    wrong(key, "expected an integer, got nothing");
  return checked(key, *value, rule);
}

std::optional<int64_t> ConfigReader::optionalInteger(const std::string &key,
                                                     IntegerRule rule) const {
  const nlohmann::json *value = find(key);
  return value ? std::optional(checked(key, *value, rule)) : std::nullopt;
}

double ConfigReader::number(const std::string &key, NumberRule rule) const {
  const nlohmann::json *value = find(key);
  if (!value)
    wrong(key, "expected a number, got nothing");
  if (!value->is_number())
    wrong(key, "expected a number, got ", shown(*value));
  double number = value->get<double>();
  bool low = rule.minExcluded ? number <= rule.min : number < rule.min;
  if (low || number > rule.max)
    wrong(key, "expected a number ", rule.minExcluded ? "above " : "of at least ", rule.min,
          number > rule.max ? " and below the limit" : "", ", got ", shown(*value));
  return number;
}

std::optional<double> ConfigReader::optionalNumber(const std::string &key, NumberRule rule) const {
  return has(key) ? std::optional(number(key, rule)) : std::nullopt;
}

std::optional<std::string> ConfigReader::optionalText(const std::string &key) const {
  const nlohmann::json *value = find(key);
  if (!value)
    return std::nullopt;
  if (!value->is_string())
    wrong(key, "expected a string, got ", shown(*value));
  return value->get<std::string>();
}

std::vector<int64_t> ConfigReader::integers(const std::string &key, IntegerRule rule) const {
  const nlohmann::json *value = find(key);
  if (!value)
    wrong(key, "expected a list of integers, got nothing");
  if (!value->is_array())
    wrong(key, "expected a list of integers, got ", shown(*value));
  std::vector<int64_t> list;
  for (const nlohmann::json &item : *value)
    list.push_back(checked(key + "/" + std::to_string(list.size()), item, rule));
  return list;
}

std::vector<int64_t> ConfigReader::ascending(const std::string &key, IntegerRule rule) const {
  if (!has(key))
    return {};
  std::vector<int64_t> list = integers(key, rule);
  for (size_t i = 1; i < list.size(); ++i)
    if (list[i] <= list[i - 1])
      wrong(key, "expected ascending numbers, got ", shown(*find(key)));
  return list;
}

ConfigReader ConfigReader::object(const std::string &key) const {
  const nlohmann::json *value = find(key);
  if (!value)
    wrong(key, "expected an object, got nothing");
  return ConfigReader(file, pointer + "/" + key, *value, names);
}

std::vector<std::string> ConfigReader::unread() const {
  std::vector<std::string> keys;
  for (const auto &[key, value] : json.items())
    if (!value.is_null() && !asked.contains(key))
      keys.push_back(key);
  return keys;
}

} // namespace cedilla
