//===- Sampling.cpp - ced.sample ----------------------------------------------------------------------===//

#include "dialects/ced/reference/Sampling.h"
#include "dialects/ced/reference/Cache.h"
#include "runtime/engine/Gumbel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cedilla::reference {

/// The id of the largest score, the lowest of equal ones; -1 when one is NaN.
template <typename Score>
static int32_t choose(int64_t count, const Score &score) {
  int64_t best = 0;
  float largest = score(0);
  for (int64_t i = 0; i < count; ++i) {
    float value = score(i);
    if (std::isnan(value))
      return -1;
    if (value > largest)
      best = i, largest = value;
  }
  return static_cast<int32_t>(best);
}

static int32_t choose(const float *logits, int64_t count, const int32_t *settings, int32_t position) {
  float temperature = std::bit_cast<float>(settings[0]);
  if (temperature == 0)
    return choose(count, [&](int64_t id) { return logits[id]; });
  HostNumbers host;
  uint32_t row = gumbelRow(host, static_cast<uint32_t>(settings[1]), static_cast<uint32_t>(position));
  return choose(count, [&](int64_t id) { return gumbelScore(logits[id], temperature, row, static_cast<uint32_t>(id)); });
}

Sampled sample(const Array<float> &logits, const Array<int32_t> &sampling, const Array<int32_t> &chosen,
               const Array<int32_t> &positions, const Array<int32_t> &slots) {
  int64_t rows = logits.dim(0), size = chosen.dim(1);
  Sampled result{Array<int32_t>({rows}), Array<int32_t>({rows}), chosen};
  int32_t *tokens = result.tokens.mutableData(), *next = result.next.mutableData();
  int32_t *list = result.chosen.mutableData();
  for (int64_t t = 0; t < rows; ++t) {
    tokens[t] = 0, next[t] = -1;
    if (positions[t] < 0)
      continue;
    checkSlot(slots[t], chosen.dim(0));
    next[t] = positions[t] + 1;
    int32_t choice = choose(logits(t), logits.cols(), sampling(slots[t]), next[t]);
    tokens[t] = std::max(choice, 0);
    list[slots[t] * size + next[t] % size] = choice;
  }
  return result;
}

} // namespace cedilla::reference
