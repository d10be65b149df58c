//===- RandomConfig.h - configurations by chance, from a seed -----------------------------------------===//

#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <random>

namespace cedilla::property {

/// The same numbers everywhere: std's distributions are not.
class Chance {
public:
  explicit Chance(uint64_t seed) : engine(seed) {}
  int64_t below(int64_t count) { return int64_t(engine() % uint64_t(count)); }
  int64_t from(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool oneIn(int64_t count) { return below(count) == 0; }
  template <typename T>
  T of(std::initializer_list<T> list) {
    return list.begin()[below(int64_t(list.size()))];
  }

private:
  std::mt19937_64 engine;
};

/// What a random configuration may be.
struct Shape {
  bool small = false; ///< runs in a moment: few layers, small dims, 512 tokens, 64 positions or more
  bool legal = false; ///< nothing is broken on purpose
};

/// `base` is a configuration of the same architecture with all fields; sizes, the layer table and Engram are drawn anew.
nlohmann::json randomConfig(const nlohmann::json &base, Chance &chance, const Shape &shape);

} // namespace cedilla::property
