//===- Compressor.cpp - ced.compress ---------------------------------------------------------------===//

#include "dialects/ced/reference/Compressor.h"
#include "dialects/ced/reference/Cache.h"

#include <algorithm>
#include <cmath>

namespace cedilla::reference {

namespace {
/// Latent and gate of one token of a group.
struct Token {
  const float *latent, *gate;
};
} // namespace

static void poolGroup(const std::vector<Token> &tokens, int64_t channels, BF16 *out) {
  std::vector<float> weight(tokens.size());
  for (int64_t k = 0; k < channels; ++k) {
    float largest = tokens[0].gate[k];
    for (const Token &token : tokens)
      largest = std::max(largest, token.gate[k]);
    float sum = 0.0f, mean = 0.0f;
    for (size_t i = 0; i < tokens.size(); ++i)
      sum += weight[i] = std::exp(tokens[i].gate[k] - largest);
    for (size_t i = 0; i < tokens.size(); ++i)
      mean += weight[i] / sum * tokens[i].latent[k];
    out[k] = toBF16(mean);
  }
}

Compressed compress(const Array<float> &latent, const Array<float> &gate, const Array<float> &open,
                    const Array<int32_t> &positions, const Array<int32_t> &slots,
                    const Array<int32_t> &starts, int64_t ratio) {
  int64_t rows = latent.dim(0), channels = latent.cols();
  Compressed result{Array<BF16>({rows, channels}), open};
  BF16 *out = result.result.mutableData();
  float *newOpen = result.open.mutableData(); // detached: `open` keeps the state before this step

  // Where a token's (latent, gate) lie in a state array.
  auto openOffset = [&](int64_t slot, int64_t position) {
    return (slot * (ratio - 1) + position % ratio) * 2 * channels;
  };
  // The token `back` positions before row t: of this step, or kept from an earlier one.
  auto tokenAt = [&](int64_t t, int64_t back) -> Token {
    int64_t position = positions[t] - back;
    if (position >= starts[t])
      return {latent(t - back), gate(t - back)};
    const float *kept = open.data() + openOffset(slots[t], position);
    return {kept, kept + channels};
  };

  for (int64_t t = 0; t < rows; ++t) {
    if (positions[t] < 0)
      continue;
    checkSlot(slots[t], open.dim(0));
    if ((positions[t] + 1) % ratio == 0) {
      std::vector<Token> group;
      for (int64_t back = ratio - 1; back >= 0; --back)
        group.push_back(tokenAt(t, back));
      poolGroup(group, channels, out + t * channels);
      continue;
    }
    // Only the group that this step leaves unfinished is kept: its closing row is not among the rows.
    int64_t closing = t + ratio - 1 - positions[t] % ratio;
    if (closing < rows && positions[closing] >= 0 && slots[closing] == slots[t])
      continue;
    float *kept = newOpen + openOffset(slots[t], positions[t]);
    std::copy_n(latent(t), channels, kept);
    std::copy_n(gate(t), channels, kept + channels);
  }
  return result;
}

} // namespace cedilla::reference
