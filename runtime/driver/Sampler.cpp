//===- Sampler.cpp - from logits to a token -----------------------------------------------------------===//

#include "runtime/driver/Sampler.h"

#include "runtime/base/Error.h"
#include "runtime/engine/Gumbel.h"

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

uint32_t keyOf(const SamplerSettings &settings, uint64_t sequence) {
  return static_cast<uint32_t>(mix(mix(settings.seed + 1) ^ (sequence + 1)) >> 32);
}

bool isOnePass(const SamplerSettings &settings) {
  return settings.temperature == 0 || settings.topP >= 1;
}

int32_t greedy(std::span<const float> logits) {
  size_t best = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i]))
      failInternal(Err::NotANumber, "logits: token ", i, " is NaN");
    if (logits[i] > logits[best])
      best = i;
  }
  return static_cast<int32_t>(best);
}

/// The most likely ids, the lower of equal ones first, until they have the share `topP`.
static std::vector<int32_t> nucleus(std::span<const float> logits, const SamplerSettings &settings, int32_t best) {
  // Relative to the best, so that the largest weight is exactly 1.
  std::vector<double> weights(logits.size());
  for (size_t i = 0; i < logits.size(); ++i)
    weights[i] = std::exp((double(logits[i]) - logits[best]) / settings.temperature);
  double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  });
  double kept = 0;
  size_t count = 0;
  while (count < order.size() && (count == 0 || kept < settings.topP * total))
    kept += weights[order[count++]];
  order.resize(count);
  std::sort(order.begin(), order.end());
  return order;
}

int32_t sample(std::span<const float> logits, const SamplerSettings &settings, uint64_t sequence,
               uint64_t position) {
  int32_t best = greedy(logits);
  float temperature = static_cast<float>(settings.temperature);
  if (temperature == 0)
    return best;
  HostNumbers host;
  uint32_t row = gumbelRow(host, keyOf(settings, sequence), static_cast<uint32_t>(position));
  std::vector<int32_t> ids(logits.size());
  if (isOnePass(settings))
    std::iota(ids.begin(), ids.end(), 0);
  else
    ids = nucleus(logits, settings, best);
  float largest = 0;
  best = -1;
  for (int32_t id : ids) {
    float score = gumbelScore(logits[id], temperature, row, static_cast<uint32_t>(id));
    if (std::isnan(score))
      failInternal(Err::NotANumber, "logits: token ", id, " is NaN at a temperature of ", temperature);
    if (best < 0 || score > largest)
      best = id, largest = score;
  }
  return best;
}

} // namespace cedilla
