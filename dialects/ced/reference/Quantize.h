//===- Quantize.h - ced.quantize, ced.dequantize, and decoding of stored values ------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

/// ced.quantize: rounds bf16 rows to a block-scaled format; the format chooses the rule (Q8, Q4i, Q4m).
ScaledArray quantize(const Array<BF16> &x, const ScaledFormat &format);

/// ced.dequantize: bf16(code x scale).
Array<BF16> dequantize(const ScaledArray &x);

/// Values of `count` codes without their scales; FP4 codes lie two to a byte, low nibble first.
void decodeCodes(const ScaledFormat &format, const uint8_t *codes, int64_t count, float *out);

float decodeScale(const ScaledFormat &format, uint8_t scale);

/// One stored row (codes, then scales, as in caches) as bf16(code x scale), widened to f32.
void decodeRow(const ScaledFormat &format, const uint8_t *row, int64_t cols, float *out);

/// f32 copy of bf16 elements.
std::vector<float> widen(const Array<BF16> &x);

/// Each element rounded to bf16.
Array<BF16> roundToBF16(const Array<float> &x);

} // namespace cedilla::reference
