//===- Step.cpp - random steps -------------------------------------------------------------------------===//

#include "test/kernels-gen/conformance/Case.h"

#include <algorithm>
#include <numeric>

namespace cedilla::conformance {

static int64_t pick(std::mt19937_64 &random, int64_t from, int64_t to) { return from + random() % (to - from + 1); }

/// `total` as a sum of `parts` positive numbers.
static std::vector<int64_t> split(int64_t total, int64_t parts, std::mt19937_64 &random) {
  std::vector<int64_t> lengths(parts, 1);
  for (int64_t left = total - parts; left > 0;) {
    int64_t more = pick(random, 1, left);
    lengths[random() % parts] += more;
    left -= more;
  }
  return lengths;
}

static void addSequence(Step &step, int32_t slot, int64_t length, const Limits &limits, std::mt19937_64 &random) {
  // Near the start, where groups, windows and histories are still incomplete; or anywhere.
  int64_t last = std::max<int64_t>(0, limits.maxContext - length);
  int64_t start = pick(random, 0, random() % 2 ? std::min<int64_t>(last, 4) : last);
  for (int64_t i = 0; i < length; ++i) {
    step.positions.push_back(start + i);
    step.slots.push_back(slot);
    step.starts.push_back(start);
  }
}

/// Nothing but the position of a padding row means anything; slots and starts hold what they like.
static void addPadding(Step &step, int64_t count, std::mt19937_64 &random) {
  for (int64_t i = 0; i < count; ++i) {
    step.positions.push_back(-1);
    step.slots.push_back(random() % 2 ? 0 : 1 << 20);
    step.starts.push_back(random() % 2 ? -1 : 0);
  }
}

Step makeStep(int64_t rows, const Limits &limits, std::mt19937_64 &random) {
  int64_t padding = rows > 2 && random() % 3 == 0 ? pick(random, 1, rows / 3) : 0;
  int64_t sequences = std::min({rows - padding, limits.maxBatch, pick(random, 1, limits.maxBatch)});
  std::vector<int32_t> slots(limits.maxBatch);
  std::iota(slots.begin(), slots.end(), 0);
  for (size_t i = slots.size(); i > 1; --i)
    std::swap(slots[i - 1], slots[random() % i]);

  Step step;
  std::vector<int64_t> lengths = split(rows - padding, sequences, random);
  int64_t before = random() % (sequences + 1); // usually behind all sequences, but that is no rule
  for (int64_t i = 0; i < sequences; ++i) {
    if (i == before)
      addPadding(step, padding, random);
    addSequence(step, slots[i], std::min(lengths[i], limits.maxContext), limits, random);
  }
  addPadding(step, rows - step.rows(), random);
  return step;
}

} // namespace cedilla::conformance
