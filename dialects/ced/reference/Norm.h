//===- Norm.h - ced.rms_norm -----------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

/// ced.rms_norm: bf16( w * (x * rsqrt(mean(x^2) + eps)) ) over the last dim, f32 inside.
Array<BF16> rmsNorm(const Array<BF16> &x, const Array<BF16> &w, float eps);

/// rsqrt(mean(x^2) + eps) of one vector: the statistic of every norm, mix and Engram gate.
float inverseRms(const float *x, int64_t count, float eps);

} // namespace cedilla::reference
