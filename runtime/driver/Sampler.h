//===- Sampler.h - from logits to a token -------------------------------------------------------------===//
//
// Greedy, or by temperature and top-p. Random numbers come from a counter (seed, sequence, position of the
// token), so a run can be repeated and does not depend on what else is in the batch. Sampling is a maximum
// over logits and random numbers (engine/Gumbel.h), which a device computes to the same bits.
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

/// The token at `position` of a sequence.
int32_t sample(std::span<const float> logits, const SamplerSettings &settings, uint64_t sequence,
               uint64_t position);

/// The key of a sequence's random numbers.
uint32_t keyOf(const SamplerSettings &settings, uint64_t sequence);

/// Whether a token is the maximum over one pass of its logits: top-p needs them sorted.
bool isOnePass(const SamplerSettings &settings);

} // namespace cedilla
