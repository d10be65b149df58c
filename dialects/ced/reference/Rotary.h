//===- Rotary.h - ced.rope ---------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

#include <span>

namespace cedilla::reference {

/// ced.rope: rotates the last 2 * frequencies.size() columns of every vector of row t by the position of the
/// first token of the row's group of `group` tokens; adjacent columns are a pair. x is [T,D] or [T,H,D].
Array<BF16> rope(const Array<BF16> &x, const Array<int32_t> &positions,
                 std::span<const float> frequencies, int64_t group, bool inverse);

struct Rotation {
  float cos, sin;
};

/// cos and sin of the f32 angle position * frequency, rounded to f32.
Rotation rotationAt(int64_t position, float frequency);

} // namespace cedilla::reference
