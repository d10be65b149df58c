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

#include <cstdint>
#include <string_view>

namespace cedilla::synthetic {

/// value = mean + deviation * normal (+ common * normal of the column, the same in every row).
struct Spread {
  float mean = 0, deviation = 0, common = 0;
};

/// The spread of a weight; `fanIn` is its last dim. A name may be that of a weight or of a tensor that
/// stores a part of it ("….weight", "….scale"). Null where there is no row for it.
bool findSpread(std::string_view name, int64_t fanIn, Spread &spread);

} // namespace cedilla::synthetic
