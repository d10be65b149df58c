//===- Rotary.cpp - ced.rope -------------------------------------------------------------------------===//

#include "dialects/ced/reference/Rotary.h"

#include <algorithm>
#include <cmath>

namespace cedilla::reference {

/// The angle is an f32 value; its cosine and sine are taken in f64 and rounded once, so that they do not
/// depend on the quality of an f32 math library.
Rotation rotationAt(int64_t position, float frequency) {
  double angle = float(position) * frequency;
  return {float(std::cos(angle)), float(std::sin(angle))};
}

/// Rotates the pairs in place; `vector` points at the first rotary column.
static void rotate(BF16 *vector, std::span<const Rotation> rotations, bool inverse) {
  for (size_t p = 0; p < rotations.size(); ++p) {
    float a = toFloat(vector[2 * p]), b = toFloat(vector[2 * p + 1]);
    auto [c, s] = rotations[p];
    vector[2 * p] = toBF16(inverse ? a * c + b * s : a * c - b * s);
    vector[2 * p + 1] = toBF16(inverse ? b * c - a * s : a * s + b * c);
  }
}

Array<BF16> rope(const Array<BF16> &x, const Array<int32_t> &positions,
                 std::span<const float> frequencies, int64_t group, bool inverse) {
  int64_t rotary = 2 * static_cast<int64_t>(frequencies.size()), cols = x.cols();
  Array<BF16> result = x;
  BF16 *out = result.mutableData();
  if (x.size() == 0)
    return result;
  int64_t vectors = x.rows() / x.dim(0);
  std::vector<Rotation> rotations(frequencies.size());
  for (int64_t t = 0; t < x.dim(0); ++t) {
    int64_t position = std::max(positions[t], 0); // padding rows may hold anything
    std::transform(frequencies.begin(), frequencies.end(), rotations.begin(), [&](float frequency) {
      return rotationAt(position - position % group, frequency);
    });
    for (int64_t h = 0; h < vectors; ++h)
      rotate(out + (t * vectors + h + 1) * cols - rotary, rotations, inverse);
  }
  return result;
}

} // namespace cedilla::reference
