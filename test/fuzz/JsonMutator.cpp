//===- JsonMutator.cpp - changes that leave JSON what it is ---------------------------------------===//
//
// Changed bytes of a JSON text are seldom JSON. These changes always are: what is behind the parser gets most
// of the inputs.
//
//===------------------------------------------------------------------------------------------===//

#include "test/fuzz/Fuzz.h"

#include <nlohmann/json.hpp>

#include <random>
#include <vector>

namespace cedilla::fuzz {

using nlohmann::json;

namespace {
struct Mutator {
  std::minstd_rand random;

  size_t below(size_t bound) { return random() % bound; }
  void collect(json &value, std::vector<json *> &all);
  json interesting();
  void change(json &value, const std::vector<json *> &all);
  void changeObject(json &object, const std::vector<json *> &all);
  void changeList(json &list, const std::vector<json *> &all);
};
} // namespace

void Mutator::collect(json &value, std::vector<json *> &all) {
  all.push_back(&value);
  if (value.is_structured())
    for (json &child : value)
      collect(child, all);
}

/// Limits of types and of sizes, and values of every other kind.
json Mutator::interesting() {
  static const json values[] = {
      0, 1, -1, 2, 3, 7, 8, 31, 32, 33, 64, 127, 128, 255, 256, 4096, 65536, 1 << 20, 1 << 24, 1 << 30,
      INT32_MAX, INT32_MIN, int64_t(1) << 32, int64_t(1) << 40, int64_t(1) << 56, int64_t(1) << 62, INT64_MAX, INT64_MAX - 1,
      INT64_MIN, UINT64_MAX, 0.5, 1.5, -0.0, 1e-300, 1e18, 1e19, 1e300, -1e300, true, false, nullptr, "", "x", "../x", "yarn", "f32", "U8",
      json::array(), json::object(), json::array({1, 2}), json::array({-1}), std::string("\0", 1), "4096 + 2 rows"};
  return values[below(std::size(values))];
}

void Mutator::changeObject(json &object, const std::vector<json *> &all) {
  if (object.empty() || below(8) == 0) {
    object[below(2) ? "extra" : std::to_string(random())] = interesting();
    return;
  }
  auto at = std::next(object.begin(), below(object.size()));
  if (below(3) == 0) {
    object.erase(at);
  } else if (below(3) == 0) {
    json value = *at;
    std::string key = at.key() + "x";
    object.erase(at.key());
    object[key] = value;
  } else {
    *at = below(2) ? json(*all[below(all.size())]) : interesting();
  }
}

void Mutator::changeList(json &list, const std::vector<json *> &all) {
  size_t action = below(4);
  if (list.empty() || action == 0)
    list.push_back(below(2) && !list.empty() ? json(list[below(list.size())]) : interesting());
  else if (action == 1)
    list.erase(below(list.size()));
  else if (action == 2)
    std::swap(list[below(list.size())], list[below(list.size())]);
  else
    list[below(list.size())] = json(*all[below(all.size())]);
}

void Mutator::change(json &value, const std::vector<json *> &all) {
  if (value.is_object() && below(4))
    return changeObject(value, all);
  if (value.is_array() && below(4))
    return changeList(value, all);
  bool near = value.is_number_integer() && below(2);
  if (near)
    value = json(int64_t(value.get<uint64_t>() + below(5) - 2));
  else if (!value.is_structured() || below(8) == 0)
    value = json(below(4) ? interesting() : *all[below(all.size())]);
}

std::string mutateJson(std::string_view text, unsigned seed) {
  json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded())
    return std::string(text);
  Mutator mutator{std::minstd_rand(seed)};
  for (size_t i = 0, count = 1 + mutator.below(3); i < count; ++i) {
    std::vector<json *> all;
    mutator.collect(document, all);
    mutator.change(*all[mutator.below(all.size())], all);
  }
  return document.dump();
}

} // namespace cedilla::fuzz
