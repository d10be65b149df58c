//===- Sampler.h - from logits to a token -------------------------------------------------------------===//
//
// Greedy, or by temperature and top-p. Random numbers come from a counter (seed, sequence, index of the
// token), so a run can be repeated and does not depend on what else is in the batch.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstdint>
#include <span>

namespace cedilla {

struct SamplerSettings {
  double temperature = 0; ///< 0: greedy
  double topP = 1;
  uint64_t seed = 0;
};

/// The largest, the lowest id among equals. Fails on NaN: that is never a legal result of a model.
int32_t greedy(std::span<const float> logits);

/// The `index`-th new token of a sequence.
int32_t sample(std::span<const float> logits, const SamplerSettings &settings, uint64_t sequence,
               uint64_t index);

} // namespace cedilla
