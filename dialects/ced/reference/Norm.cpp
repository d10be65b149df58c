//===- Norm.cpp - ced.rms_norm ---------------------------------------------------------------------===//

#include "dialects/ced/reference/Norm.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Quantize.h"

#include <cmath>

namespace cedilla::reference {

float inverseRms(const float *x, int64_t count, float eps) {
  return 1.0f / std::sqrt(dot(x, x, count) / float(count) + eps);
}

Array<BF16> rmsNorm(const Array<BF16> &x, const Array<BF16> &w, float eps) {
  int64_t cols = x.cols();
  std::vector<float> values = widen(x), weight = widen(w);
  Array<BF16> result(x.shape());
  BF16 *out = result.mutableData();
  for (int64_t row = 0; row < x.rows(); ++row) {
    float inverse = inverseRms(&values[row * cols], cols, eps);
    for (int64_t col = 0; col < cols; ++col)
      out[row * cols + col] = toBF16(weight[col] * (values[row * cols + col] * inverse));
  }
  return result;
}

} // namespace cedilla::reference
