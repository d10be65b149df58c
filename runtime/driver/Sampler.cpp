//===- Sampler.cpp - from logits to a token -----------------------------------------------------------===//

#include "runtime/driver/Sampler.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace cedilla {

/// A bijective mixing of 64 bits: xor-shifts and odd multipliers, well spread for counters.
static uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  return x;
}

/// In [0, 1), 53 bits.
static double uniform(uint64_t seed, uint64_t sequence, uint64_t index) {
  uint64_t bits = mix(mix(mix(seed + 1) ^ (sequence + 1)) ^ (index + 1));
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

int32_t greedy(std::span<const float> logits) {
  size_t best = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i]))
      failInternal("logits: token ", i, " is NaN");
    if (logits[i] > logits[best])
      best = i;
  }
  return static_cast<int32_t>(best);
}

int32_t sample(std::span<const float> logits, const SamplerSettings &settings, uint64_t sequence,
               uint64_t index) {
  int32_t best = greedy(logits);
  if (settings.temperature == 0)
    return best;

  // Relative to the best, so that the largest weight is exactly 1.
  std::vector<double> weights(logits.size());
  for (size_t i = 0; i < logits.size(); ++i)
    weights[i] = std::exp((double(logits[i]) - logits[best]) / settings.temperature);
  double total = std::accumulate(weights.begin(), weights.end(), 0.0);

  // Most likely first, the lower id among equals, until the share is reached.
  std::vector<int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  });
  double kept = 0;
  size_t count = 0;
  while (count < order.size() && (count == 0 || kept < settings.topP * total))
    kept += weights[order[count++]];

  double target = uniform(settings.seed, sequence, index) * kept;
  for (size_t i = 0; i + 1 < count; ++i) {
    target -= weights[order[i]];
    if (target < 0)
      return order[i];
  }
  return order[count - 1];
}

} // namespace cedilla
