//===- TopK.h - the selection rule that indexer, candidate pool and router share -----------------===//

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace cedilla::reference {

/// Positions of the best min(k, count) scores, best first; equal scores: the lower position first.
inline std::vector<int32_t> bestPositions(std::span<const float> scores, int64_t k) {
  // NaN compares with nothing; ranking it as -inf keeps the order total.
  auto rank = [&](int32_t i) {
    return std::isnan(scores[i]) ? -std::numeric_limits<float>::infinity() : scores[i];
  };
  std::vector<int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  auto middle = order.begin() + std::min<int64_t>(k, order.size());
  std::partial_sort(order.begin(), middle, order.end(), [&](int32_t a, int32_t b) {
    return rank(a) != rank(b) ? rank(a) > rank(b) : a < b;
  });
  order.erase(middle, order.end());
  return order;
}

} // namespace cedilla::reference
