//===- Numbers.h - small float formats by integer operations ----------------------------------===//
//
// Every function takes scalars or vectors. Codes are i32, numbers f32. Nothing here depends on what
// the hardware does with subnormals: they are built and taken apart as integers or scaled exactly.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/ScalarBuilder.h"
#include "dialects/tile/Tile.h"

namespace cedilla {

/// Sign, exponent of `bits - 1 - mantissa` bits, mantissa; no infinity.
struct Minifloat {
  int64_t bits, mantissa, bias;
  double largest;
  bool hasNaN; ///< the code with all bits but the sign set
};
constexpr Minifloat e4m3{8, 3, 7, 448, true};
constexpr Minifloat e2m1{4, 1, 1, 6, false};

/// How an op makes a group's scale and codes.
struct GroupEncoding {
  Minifloat element;
  float smallest; ///< the largest magnitude counts as at least this
  bool e8m0;      ///< scale 2^ceil(log2(magnitude * (1 / largest))); else E4M3(magnitude / largest)
};
GroupEncoding encodingOf(tile::EncodeOp op);

/// Rounds to the nearest bf16, ties to even, NaN stays NaN.
mlir::Value roundToBF16(ScalarBuilder &a, mlir::Value x);
/// The same for numbers and the NaN that this file makes.
mlir::Value roundNumberToBF16(ScalarBuilder &a, mlir::Value x);

/// The number of a code; higher bits are ignored.
mlir::Value decodeMinifloat(ScalarBuilder &a, const Minifloat &format, mlir::Value code);
/// The nearest code of clamp(x, +-largest), ties to the even code, sign of zero kept. NaN gives
/// NaN, or 0 where the format has none.
mlir::Value encodeMinifloat(ScalarBuilder &a, const Minifloat &format, mlir::Value x);

/// 2^(code - 127), NaN for 255.
mlir::Value decodeE8M0(ScalarBuilder &a, mlir::Value code);
/// The code of the smallest power of two >= t, from the bits of a positive t; 255 for infinity and
/// NaN.
mlir::Value encodeCeilE8M0(ScalarBuilder &a, mlir::Value t);

} // namespace cedilla
