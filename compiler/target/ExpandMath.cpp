//===- ExpandMath.cpp - our own transcendental functions --------------------------------------===//
//
// Expects math ops on f32, scalar or vector; leaves arith ops, math.fma and math.sqrt, so every
// target computes the same bits. Ops of other types and other math ops stay as they are.
//
//   function   error            special values
//   exp        1 ulp            overflow inf, underflow through the subnormals to 0
//   log        1 ulp            0 -> -inf, negative -> NaN, subnormal inputs
//   log1p      2 ulp            -1 -> -inf, below -> NaN, +-0 kept
//   sin, cos   1.2e-7 absolute  NaN beyond |x| > 2^21: the reduction runs out of bits
//   rsqrt      1.5 ulp          1 / sqrt
//
// NaN gives NaN and infinities their limits. Coefficients are minimax, found by Remez exchange and
// rounded to f32; the errors are measured by test/compiler/target/x86.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/ExpandMath.h"

#include "compiler/target/Passes.h"
#include "compiler/target/ScalarBuilder.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>

namespace cedilla {
#define GEN_PASS_DEF_EXPANDMATH
#include "compiler/target/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

namespace {
/// The integer nearest to a small number, as a float and as an i32. Adding 1.5 * 2^23 leaves it in
/// the low bits of the sum; works for |x| < 2^22.
struct Nearest {
  Value asFloat, asInt;
};
} // namespace

/// Nearest integer to x * factor.
static Nearest nearest(ScalarBuilder &a, Value x, double factor) {
  Value magic = a.f32(0x1.8p23, x);
  Value sum = a.fma(x, a.f32(factor, x), magic);
  return {a.sub(sum, magic), a.sub(a.asI32(sum), a.i32(0x4B400000, x))};
}

/// 2^n from the exponent bits, -126 <= n <= 127.
static Value powerOfTwo(ScalarBuilder &a, Value n) {
  return a.asF32(a.shl(a.add(n, a.i32(127, n)), 23));
}

//===------------------------------------------------------------------------------------------===//
// exp: x = n ln2 + r, e^x = 2^n (1 + r + r^2 Q(r))
//===------------------------------------------------------------------------------------------===//

static Value expandExp(ScalarBuilder &a, Value x) {
  Nearest n = nearest(a, x, 0x1.715476p+0);
  Value r = a.fma(n.asFloat, a.f32(-0x1.62e430p-1, x), x);
  r = a.fma(n.asFloat, a.f32(0x1.05c610p-29, x), r);
  Value q =
      a.horner(r, {0x1.fffffcp-2, 0x1.55548ap-3, 0x1.555916p-5, 0x1.123fc6p-7, 0x1.6a1a68p-10});
  Value p = a.add(a.fma(a.mul(r, r), q, r), a.f32(1, x));

  // In two steps, because 2^n alone leaves the normal range before e^x does.
  Value half = a.shrs(n.asInt, 1);
  Value y = a.mul(a.mul(p, powerOfTwo(a, half)), powerOfTwo(a, a.sub(n.asInt, half)));
  y = a.select(a.gt(x, a.f32(89, x)), a.f32(infinity, x), y);
  return a.select(a.lt(x, a.f32(-104, x)), a.f32(0, x), y);
}

//===------------------------------------------------------------------------------------------===//
// log: x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), log(1 + f) = f + f^2 (-1/2 + f P(f))
//===------------------------------------------------------------------------------------------===//

namespace {
struct Split {
  Value exponent; ///< as f32
  Value f;
};
} // namespace

/// `x` is a positive normal number (anything else gives something that the caller selects away).
static Split splitExponent(ScalarBuilder &a, Value x, Value extraExponent) {
  Value bits = a.sub(a.asI32(x), a.i32(0x3F3504F3, x));
  Value exponent = a.shrs(bits, 23);
  if (extraExponent)
    exponent = a.add(exponent, extraExponent);
  Value mantissa = a.add(a.bitAnd(bits, a.i32(0x007FFFFF, x)), a.i32(0x3F3504F3, x));
  return {a.toF32(exponent), a.sub(a.asF32(mantissa), a.f32(1, x))};
}

/// exponent * ln2 + log(1 + f) + correction, the small parts first. ln2 has 15 bits and a rest, so
/// that exponent * ln2 is exact.
static Value logOfSplit(ScalarBuilder &a, Split s, Value correction) {
  Value p = a.horner(s.f, {0x1.555554p-2, -0x1.000226p-2, 0x1.99a008p-3, -0x1.547246p-3,
                           0x1.22da1ep-3, -0x1.0d8532p-3, 0x1.055b60p-3, -0x1.38b5bep-4});
  Value w = a.fma(s.f, p, a.f32(-0.5, s.f));
  Value square = a.mul(s.f, s.f);
  Value y = correction ? a.fma(square, w, correction) : a.mul(square, w);
  y = a.fma(s.exponent, a.f32(0x1.7f7d1cp-20, y), y);
  return a.fma(s.exponent, a.f32(0x1.62e400p-1, y), a.add(s.f, y));
}

/// Special values: `zero` is where log is -inf.
static Value logSpecials(ScalarBuilder &a, Value x, double zero, Value y) {
  y = a.select(a.lt(x, a.f32(infinity, x)), y, x); // inf, NaN
  y = a.select(a.eq(x, a.f32(zero, x)), a.f32(-infinity, x), y);
  return a.select(a.lt(x, a.f32(zero, x)), a.f32(notANumber, x), y);
}

static Value expandLog(ScalarBuilder &a, Value x) {
  Value subnormal = a.lt(x, a.f32(0x1p-126, x));
  Value scaled = a.select(subnormal, a.mul(x, a.f32(0x1p23, x)), x);
  Value extra = a.select(subnormal, a.i32(-23, x), a.i32(0, x));
  return logSpecials(a, x, 0, logOfSplit(a, splitExponent(a, scaled, extra), {}));
}

/// log(u) with u = 1 + x rounded, corrected by what the rounding lost: log(u + c) = log(u) + c / u.
static Value expandLog1p(ScalarBuilder &a, Value x) {
  Value one = a.f32(1, x);
  Value u = a.add(one, x), z = a.sub(u, x);
  Value lost = a.add(a.sub(x, a.sub(u, z)), a.sub(one, z));
  Value y = logOfSplit(a, splitExponent(a, u, {}), a.div(lost, u));
  y = a.select(a.eq(x, a.f32(0, x)), x, y);
  return logSpecials(a, x, -1, y);
}

//===------------------------------------------------------------------------------------------===//
// sin, cos: x = n pi/2 + r; the quadrant n chooses sin r or cos r and the sign
//===------------------------------------------------------------------------------------------===//

static Value expandSinCos(ScalarBuilder &a, Value x, int64_t shift) {
  Nearest n = nearest(a, x, 0x1.45f306p-1);
  // pi/2 in three parts of 24 bits. The first difference is exact, the fused ones round once each.
  Value r = x;
  for (double part : {0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50})
    r = a.fma(n.asFloat, a.f32(-part, x), r);
  Value z = a.mul(r, r);
  Value s = a.horner(z, {-0x1.555546p-3, 0x1.11077ap-7, -0x1.9954a4p-13});
  Value sine = a.fma(a.mul(r, z), s, r);
  Value c = a.horner(z, {0x1.55554ap-5, -0x1.6c0c1ap-10, 0x1.99e0eep-16});
  Value cosine = a.fma(a.mul(z, z), c, a.fma(z, a.f32(-0.5, z), a.f32(1, z)));

  Value quadrant = shift ? a.add(n.asInt, a.i32(shift, x)) : n.asInt;
  Value odd = a.eq(a.bitAnd(quadrant, a.i32(1, x)), a.i32(1, x));
  Value sign = a.shl(a.bitAnd(quadrant, a.i32(2, x)), 30);
  Value y = a.asF32(a.bitXor(a.asI32(a.select(odd, cosine, sine)), sign));
  Value magnitude = a.asF32(a.bitAnd(a.asI32(x), a.i32(0x7FFFFFFF, x)));
  return a.select(a.gt(magnitude, a.f32(0x1p21, x)), a.f32(notANumber, x), y);
}

static Value expandSin(ScalarBuilder &a, Value x) { return expandSinCos(a, x, 0); }
static Value expandCos(ScalarBuilder &a, Value x) { return expandSinCos(a, x, 1); }

static Value expandRsqrt(ScalarBuilder &a, Value x) { return a.div(a.f32(1, x), a.sqrt(x)); }

//===------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------===//

using Expansion = Value (*)(ScalarBuilder &, Value);

static Expansion expansionOf(Operation *op) {
  return llvm::StringSwitch<Expansion>(op->getName().getStringRef())
      .Case("math.exp", expandExp)
      .Case("math.log", expandLog)
      .Case("math.log1p", expandLog1p)
      .Case("math.sin", expandSin)
      .Case("math.cos", expandCos)
      .Case("math.rsqrt", expandRsqrt)
      .Default(nullptr);
}

bool cedilla::canExpandMath(Operation *op) { return expansionOf(op) != nullptr; }

namespace {
struct ExpandMath : cedilla::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (expansionOf(op) && getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        found.push_back(op);
    });
    for (Operation *op : found) {
      OpBuilder builder(op);
      ScalarBuilder a(builder, op->getLoc());
      op->getResult(0).replaceAllUsesWith(expansionOf(op)(a, op->getOperand(0)));
      op->erase();
    }
  }
};
} // namespace
