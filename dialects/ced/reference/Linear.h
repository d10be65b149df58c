//===- Linear.h - ced.linear, ced.matmul, ced.grouped_linear, ced.scale --------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

/// ced.linear: block-scaled x [T,K] times block-scaled w [N,K]; bf16 [T,N].
Array<BF16> linear(const ScaledArray &x, const ScaledArray &w);

/// ced.matmul: bf16 x [T,K] times bf16 w [N,K], f32 sums [T,N]; a bf16 result is roundToBF16 of it.
Array<float> matmul(const Array<BF16> &x, const Array<BF16> &w);

/// ced.grouped_linear: bf16 x [T, groups*K] times w [groups*N, K] decoded to bf16; bf16 [T, groups*N].
Array<BF16> groupedLinear(const Array<BF16> &x, const ScaledArray &w, int64_t groups);

/// ced.scale: bf16(x * factor).
Array<BF16> scale(const Array<BF16> &x, float factor);

/// An operand of a block-scaled product, decoded: codes as f32 and a scale per row and 32 columns.
struct DecodedMatrix {
  int64_t rows = 0, cols = 0, blocks = 0;
  std::vector<float> codes, scales;
};

/// Decodes matrix `index` of a rank-3 value, or the whole of a rank-2 one (index 0).
DecodedMatrix decodeMatrix(const ScaledArray &value, int64_t index = 0);

/// Row t of x times row o of w: per 32 columns the sum of code products times both scales, blocks added
/// in increasing column.
float scaledDot(const DecodedMatrix &x, int64_t t, const DecodedMatrix &w, int64_t o);

} // namespace cedilla::reference
