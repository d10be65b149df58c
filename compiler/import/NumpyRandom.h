//===- NumpyRandom.h - the numbers numpy.random.default_rng(seed).integers gives
//----------------------===//
//
// Engram's hash multipliers are not in the checkpoint: the model was trained with what NumPy's
// default generator (SeedSequence, PCG64, Lemire's bounded draw) gives for a seed per layer. Exact
// integers throughout; the values exceed 2^53 and never pass through a double.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <array>
#include <cstdint>

namespace cedilla {

class NumpyRandom {
public:
  explicit NumpyRandom(uint32_t seed);

  /// A draw from [0, bound), as `integers(0, bound)` of dtype int64 makes it. `bound` must exceed
  /// 2^32: NumPy draws smaller ones from half words, which nothing here needs.
  uint64_t below(uint64_t bound);

private:
  uint64_t next();

  unsigned __int128 state = 0, increment = 0;
};

} // namespace cedilla
