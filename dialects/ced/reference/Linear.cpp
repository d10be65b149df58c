//===- Linear.cpp - ced.linear, ced.matmul, ced.grouped_linear, ced.scale ------------------------===//

#include "dialects/ced/reference/Linear.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Quantize.h"

namespace cedilla::reference {

DecodedMatrix decodeMatrix(const ScaledArray &value, int64_t index) {
  const ScaledFormat &format = value.format;
  DecodedMatrix m;
  m.rows = value.shape[value.shape.size() - 2];
  m.cols = value.cols();
  m.blocks = value.scales.cols();
  m.codes.resize(m.rows * m.cols);
  m.scales.resize(m.rows * m.blocks);

  int64_t scaleRows = (m.rows + format.blockRows - 1) / format.blockRows;
  const uint8_t *codes = value.codes.data() + index * m.rows * value.codes.cols();
  const uint8_t *scales = value.scales.data() + index * scaleRows * m.blocks;
  for (int64_t row = 0; row < m.rows; ++row) {
    decodeCodes(format, codes + row * value.codes.cols(), m.cols, &m.codes[row * m.cols]);
    for (int64_t block = 0; block < m.blocks; ++block)
      m.scales[row * m.blocks + block] =
          decodeScale(format, scales[row / format.blockRows * m.blocks + block]);
  }
  return m;
}

float scaledDot(const DecodedMatrix &x, int64_t t, const DecodedMatrix &w, int64_t o) {
  const float *a = &x.codes[t * x.cols], *b = &w.codes[o * w.cols];
  const float *scaleA = &x.scales[t * x.blocks], *scaleB = &w.scales[o * w.blocks];
  float sum = 0.0f;
  for (int64_t block = 0, k = 0; block < x.blocks; ++block, k += 32)
    sum += dot(a + k, b + k, std::min<int64_t>(32, x.cols - k)) * (scaleA[block] * scaleB[block]);
  return sum;
}

Array<BF16> linear(const ScaledArray &x, const ScaledArray &w) {
  DecodedMatrix a = decodeMatrix(x), b = decodeMatrix(w);
  Array<BF16> result({a.rows, b.rows});
  BF16 *out = result.mutableData();
  parallelFor(a.rows * b.rows, a.cols, [&](int64_t cell) {
    out[cell] = toBF16(scaledDot(a, cell / b.rows, b, cell % b.rows));
  });
  return result;
}

Array<float> matmul(const Array<BF16> &x, const Array<BF16> &w) {
  int64_t inner = x.cols(), outputs = w.dim(0);
  std::vector<float> a = widen(x), b = widen(w);
  Array<float> result({x.dim(0), outputs});
  float *out = result.mutableData();
  parallelFor(x.dim(0) * outputs, inner, [&](int64_t cell) {
    out[cell] = dot(&a[cell / outputs * inner], &b[cell % outputs * inner], inner);
  });
  return result;
}

Array<BF16> groupedLinear(const Array<BF16> &x, const ScaledArray &w, int64_t groups) {
  int64_t inner = w.cols(), outputs = w.shape[0], outputsPerGroup = outputs / groups;
  std::vector<float> a = widen(x), b = widen(dequantize(w));
  Array<BF16> result({x.dim(0), outputs});
  BF16 *out = result.mutableData();
  parallelFor(x.dim(0) * outputs, inner, [&](int64_t cell) {
    int64_t t = cell / outputs, o = cell % outputs, group = o / outputsPerGroup;
    out[cell] = toBF16(dot(&a[(t * groups + group) * inner], &b[o * inner], inner));
  });
  return result;
}

Array<BF16> scale(const Array<BF16> &x, float factor) {
  Array<BF16> result(x.shape());
  BF16 *out = result.mutableData();
  for (int64_t i = 0; i < x.size(); ++i)
    out[i] = toBF16(toFloat(x[i]) * factor);
  return result;
}

} // namespace cedilla::reference
