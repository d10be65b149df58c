//===- Numbers.cpp - small float formats by integer operations --------------------------------===//

#include "compiler/target/Numbers.h"

#include <cmath>

using namespace mlir;
using namespace cedilla;

GroupEncoding cedilla::encodingOf(tile::EncodeOp op) {
  switch (*tile::getEncodeRule(op.getElement(), op.getScale(), op.getGroup())) {
  case tile::EncodeRule::Q8:
    return {e4m3, 1e-4f, true};
  case tile::EncodeRule::Q4Index:
    return {e2m1, 6 * 0x1p-126f, true};
  case tile::EncodeRule::Q4Main:
    return {e2m1, 6 * 0x1p-9f, false};
  }
  llvm_unreachable("all rules are listed");
}

//===------------------------------------------------------------------------------------------===//
// bf16
//===------------------------------------------------------------------------------------------===//

Value cedilla::roundNumberToBF16(ScalarBuilder &a, Value x) {
  Value bits = a.asI32(x);
  Value odd = a.bitAnd(a.shru(bits, 16), a.i32(1, x));
  Value rounded = a.add(a.add(bits, a.i32(0x7FFF, x)), odd);
  return a.asF32(a.bitAnd(rounded, a.i32(0xFFFF0000, x)));
}

Value cedilla::roundToBF16(ScalarBuilder &a, Value x) {
  // A NaN keeps its sign and upper payload and is quiet; rounding could carry it into an infinity.
  Value quiet = a.bitOr(a.bitAnd(a.asI32(x), a.i32(0xFFFF0000, x)), a.i32(0x00400000, x));
  Value isNaN = a.cmp(arith::CmpFPredicate::UNO, x, x);
  return a.select(isNaN, a.asF32(quiet), roundNumberToBF16(a, x));
}

//===------------------------------------------------------------------------------------------===//
// Codes with a mantissa
//===------------------------------------------------------------------------------------------===//

// A normal code becomes an f32 by moving its fields and the bias. A subnormal one, whose exponent
// field is 0, would get an implicit 1: it is read one exponent higher, and that 1 is subtracted as
// a float.
Value cedilla::decodeMinifloat(ScalarBuilder &a, const Minifloat &format, Value code) {
  int64_t signBit = format.bits - 1;
  Value magnitude = a.bitAnd(code, a.i32((1 << signBit) - 1, code));
  Value bits =
      a.add(a.shl(magnitude, 23 - format.mantissa), a.i32((127 - format.bias) << 23, code));
  Value subnormal = a.lt(magnitude, a.i32(1 << format.mantissa, code));
  double one = std::ldexp(1.0, 1 - format.bias);
  Value raised = a.select(subnormal, a.i32(1 << 23, code), a.i32(0, code));
  Value implicit = a.select(subnormal, a.f32(one, code), a.f32(0, code));
  Value x = a.sub(a.asF32(a.add(bits, raised)), implicit);
  Value sign = a.shl(a.bitAnd(code, a.i32(1 << signBit, code)), 31 - signBit);
  x = a.asF32(a.bitOr(a.asI32(x), sign));
  if (!format.hasNaN)
    return x;
  Value isNaN = a.eq(magnitude, a.i32((1 << signBit) - 1, code));
  return a.select(isNaN, a.f32Bits(0x7FC00000, code), x);
}

// Normal results: round the f32 at the last mantissa bit that stays, then move the bias. Subnormal
// ones are multiples of the smallest: adding a power of two whose last bit is that smallest rounds
// to them.
Value cedilla::encodeMinifloat(ScalarBuilder &a, const Minifloat &format, Value x) {
  int64_t dropped = 23 - format.mantissa;
  Value bits = a.asI32(x);
  Value sign = a.bitAnd(a.shru(bits, 32 - format.bits), a.i32(1 << (format.bits - 1), x));
  Value magnitude = a.asF32(a.bitAnd(bits, a.i32(0x7FFFFFFF, x)));
  Value isNaN = a.cmp(arith::CmpFPredicate::UNO, x, x);
  magnitude = a.min(magnitude, a.f32(format.largest, x)); // NaN becomes the largest

  Value number = a.asI32(magnitude);
  Value odd = a.bitAnd(a.shru(number, dropped), a.i32(1, x));
  Value rounded = a.add(a.add(number, a.i32((1 << (dropped - 1)) - 1, x)), odd);
  Value normal = a.sub(a.shru(rounded, dropped), a.i32((127 - format.bias) << format.mantissa, x));

  double magic = std::ldexp(1.0, 23 + 1 - format.bias - format.mantissa);
  Value subnormal = a.sub(a.asI32(a.add(magnitude, a.f32(magic, x))), a.asI32(a.f32(magic, x)));
  Value isSmall = a.lt(magnitude, a.f32(std::ldexp(1.0, 1 - format.bias), x));
  Value code = a.select(isSmall, subnormal, normal);
  int64_t nan = format.hasNaN ? (1 << (format.bits - 1)) - 1 : 0;
  return a.select(isNaN, a.i32(nan, x), a.bitOr(code, sign));
}

//===------------------------------------------------------------------------------------------===//
// Powers of two
//===------------------------------------------------------------------------------------------===//

Value cedilla::decodeE8M0(ScalarBuilder &a, Value code) {
  Value x = a.asF32(a.shl(code, 23));
  x = a.select(a.eq(code, a.i32(0, code)), a.f32(0x1p-127, code), x);
  return a.select(a.eq(code, a.i32(255, code)), a.f32Bits(0x7FC00000, code), x);
}

Value cedilla::encodeCeilE8M0(ScalarBuilder &a, Value t) {
  Value bits = a.asI32(t);
  Value fraction = a.bitAnd(bits, a.i32(0x007FFFFF, t));
  Value up = a.select(a.eq(fraction, a.i32(0, t)), a.i32(0, t), a.i32(1, t));
  return a.min(a.add(a.shru(bits, 23), up), a.i32(255, t));
}
