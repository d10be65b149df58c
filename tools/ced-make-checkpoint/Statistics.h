//===- Statistics.h - how the values of each weight are spread
//---------------------------------------------===//
//
// Unit-norm random weights say little about a real model. These means and gains follow measurements
// of the released one; the two projections that write into the stream are damped, and all
// embeddings share a common part, which keeps the amplification of a single rounding bearable in a
// model of random weights.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/TensorNames.h"

namespace cedilla::synthetic {

/// value = mean + deviation * normal (+ common * normal of the column, the same in every row).
struct Spread {
  float mean = 0, deviation = 0, common = 0;
};

/// The spread of a weight; its fan-in is its last dim.
Spread spreadOf(const Weight &weight);

} // namespace cedilla::synthetic
