//===- Quantize.cpp - ced.quantize, ced.dequantize, and decoding of stored values ----------------===//

#include "dialects/ced/reference/Quantize.h"
#include "runtime/base/Error.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace cedilla::reference {

ScaledArray::ScaledArray(const ScaledFormat &format, Shape shape)
    : format(format), shape(std::move(shape)) {
  Shape codeShape = this->shape, scaleShape = this->shape;
  codeShape.back() = format.codeBytes(cols());
  scaleShape.back() = format.scaleBytes(cols());
  if (scaleShape.size() >= 2) {
    int64_t &rows = scaleShape[scaleShape.size() - 2];
    rows = (rows + format.blockRows - 1) / format.blockRows;
  }
  codes = Array<uint8_t>(codeShape);
  scales = Array<uint8_t>(scaleShape);
}

//===------------------------------------------------------------------------------------------===//
// Quantising one group
//===------------------------------------------------------------------------------------------===//

/// Largest magnitude, at least `floor`; NaN if any element is.
static float largestMagnitude(std::span<const float> group, float floor) {
  float largest = floor;
  for (float x : group) {
    if (std::isnan(x))
      return std::fabs(x);
    largest = std::max(largest, std::fabs(x));
  }
  return largest;
}

namespace {
struct Rule {
  ScaledFormat format;
  uint8_t (*scaleOf)(std::span<const float> group);
};
} // namespace

static uint8_t scaleQ8(std::span<const float> group) {
  return ceilUE8M0(largestMagnitude(group, 1e-4f) * (1.0f / 448.0f));
}

static uint8_t scaleQ4i(std::span<const float> group) {
  return ceilUE8M0(largestMagnitude(group, 6.0f * 0x1p-126f) * (1.0f / 6.0f));
}

/// The scale may be rounded down; the clamp of x / scale then matters.
static uint8_t scaleQ4m(std::span<const float> group) {
  return toE4M3(largestMagnitude(group, 6.0f * 0x1p-9f) / 6.0f);
}

static const Rule rules[] = {
    {{ScaledFormat::Element::E4M3, 1, 32, ScaledFormat::Scale::UE8M0}, scaleQ8},
    {{ScaledFormat::Element::E2M1, 1, 32, ScaledFormat::Scale::UE8M0}, scaleQ4i},
    {{ScaledFormat::Element::E2M1, 1, 16, ScaledFormat::Scale::E4M3}, scaleQ4m},
};

static const Rule &ruleFor(const ScaledFormat &format) {
  for (const Rule &rule : rules)
    if (rule.format == format)
      return rule;
  fail(Err::Interpreter, "quantize: expected one of the three activation formats, got blocks of ", format.blockRows,
       "x", format.blockCols);
}

/// Codes of one group that starts at column `begin` of the row whose codes are at `codes`.
static void encodeGroup(const ScaledFormat &format, std::span<const float> group, float scale,
                        int64_t begin, uint8_t *codes) {
  for (size_t i = 0; i < group.size(); ++i) {
    int64_t col = begin + i;
    float v = group[i] / scale;
    if (!format.isFP4())
      codes[col] = toE4M3(std::clamp(v, -maxE4M3, maxE4M3));
    else
      codes[col / 2] |= toE2M1(std::clamp(v, -maxE2M1, maxE2M1)) << (col % 2 ? 4 : 0);
  }
}

ScaledArray quantize(const Array<BF16> &x, const ScaledFormat &format) {
  const Rule &rule = ruleFor(format);
  ScaledArray result(format, x.shape());
  std::vector<float> values = widen(x);
  uint8_t *codes = result.codes.mutableData(), *scales = result.scales.mutableData();
  for (int64_t row = 0; row < x.rows(); ++row)
    for (int64_t begin = 0, block = 0; begin < x.cols(); begin += format.blockCols, ++block) {
      int64_t count = std::min(format.blockCols, x.cols() - begin);
      std::span<const float> group(&values[row * x.cols() + begin], count);
      uint8_t scale = rule.scaleOf(group);
      scales[row * result.scales.cols() + block] = scale;
      encodeGroup(format, group, decodeScale(format, scale), begin,
                  codes + row * result.codes.cols());
    }
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Decoding
//===------------------------------------------------------------------------------------------===//

/// All 256 values of an 8-bit format, computed once: decoding weights is the bulk of a step.
template <float (*fromCode)(uint8_t)>
static const float *tableOf() {
  static const std::vector<float> table = [] {
    std::vector<float> values(256);
    for (int code = 0; code < 256; ++code)
      values[code] = fromCode(code);
    return values;
  }();
  return table.data();
}

void decodeCodes(const ScaledFormat &format, const uint8_t *codes, int64_t count, float *out) {
  if (format.isFP4()) {
    for (int64_t i = 0; i < count; ++i)
      out[i] = fromE2M1(i % 2 ? codes[i / 2] >> 4 : codes[i / 2] & 15);
    return;
  }
  const float *values = tableOf<fromE4M3>();
  for (int64_t i = 0; i < count; ++i)
    out[i] = values[codes[i]];
}

float decodeScale(const ScaledFormat &format, uint8_t scale) {
  return format.scale == ScaledFormat::Scale::UE8M0 ? tableOf<fromUE8M0>()[scale]
                                                    : tableOf<fromE4M3>()[scale];
}

static void decodeScaled(const ScaledFormat &format, const uint8_t *codes, const uint8_t *scales,
                         int64_t cols, float *out) {
  decodeCodes(format, codes, cols, out);
  for (int64_t col = 0; col < cols; ++col)
    out[col] = roundToBF16(out[col] * decodeScale(format, scales[col / format.blockCols]));
}

void decodeRow(const ScaledFormat &format, const uint8_t *row, int64_t cols, float *out) {
  decodeScaled(format, row, row + format.codeBytes(cols), cols, out);
}

Array<BF16> dequantize(const ScaledArray &x) {
  Array<BF16> result(x.shape);
  int64_t cols = x.cols(), rowsPerMatrix = x.shape.size() < 2 ? 1 : x.shape[x.shape.size() - 2];
  int64_t scaleRows = (rowsPerMatrix + x.format.blockRows - 1) / x.format.blockRows;
  std::vector<float> row(cols);
  BF16 *out = result.mutableData();
  for (int64_t r = 0; r < x.rows(); ++r) {
    int64_t scaleRow =
        r / rowsPerMatrix * scaleRows + r % rowsPerMatrix / x.format.blockRows;
    decodeScaled(x.format, x.codes.data() + r * x.codes.cols(),
                 x.scales.data() + scaleRow * x.scales.cols(), cols, row.data());
    for (int64_t col = 0; col < cols; ++col)
      out[r * cols + col] = toBF16(row[col]);
  }
  return result;
}

std::vector<float> widen(const Array<BF16> &x) {
  std::vector<float> values(x.size());
  for (int64_t i = 0; i < x.size(); ++i)
    values[i] = toFloat(x[i]);
  return values;
}

Array<BF16> roundToBF16(const Array<float> &x) {
  Array<BF16> result(x.shape());
  BF16 *out = result.mutableData();
  for (int64_t i = 0; i < x.size(); ++i)
    out[i] = toBF16(x[i]);
  return result;
}

} // namespace cedilla::reference
