//===- Scalars.cpp - arithmetic on the scalars of a map region --------------------------------------===//

#include "kernels-gen/common/KernelBuilder.h"

using namespace mlir;
using namespace cedilla;

static bool isFloat(Value x) { return isa<FloatType>(x.getType()); }

Value Scalars::f32(double value) {
  return arith::ConstantFloatOp::create(b, loc, b.getF32Type(), APFloat(static_cast<float>(value)));
}
Value Scalars::i32(int64_t value) { return arith::ConstantIntOp::create(b, loc, value, 32); }
Value Scalars::i64(int64_t value) { return arith::ConstantIntOp::create(b, loc, value, 64); }

template <typename FloatOp, typename IntOp>
static Value binary(Scalars &s, Value x, Value y) {
  if (isFloat(x))
    return FloatOp::create(s.b, s.loc, x, y);
  return IntOp::create(s.b, s.loc, x, y);
}

Value Scalars::add(Value x, Value y) { return binary<arith::AddFOp, arith::AddIOp>(*this, x, y); }
Value Scalars::sub(Value x, Value y) { return binary<arith::SubFOp, arith::SubIOp>(*this, x, y); }
Value Scalars::mul(Value x, Value y) { return binary<arith::MulFOp, arith::MulIOp>(*this, x, y); }
Value Scalars::div(Value x, Value y) { return binary<arith::DivFOp, arith::DivUIOp>(*this, x, y); }
Value Scalars::rem(Value x, Value y) { return arith::RemUIOp::create(b, loc, x, y); }
Value Scalars::bitXor(Value x, Value y) { return arith::XOrIOp::create(b, loc, x, y); }
Value Scalars::max(Value x, Value y) { return binary<arith::MaxNumFOp, arith::MaxSIOp>(*this, x, y); }
Value Scalars::min(Value x, Value y) { return binary<arith::MinNumFOp, arith::MinSIOp>(*this, x, y); }
Value Scalars::exp(Value x) { return math::ExpOp::create(b, loc, x); }
Value Scalars::log1p(Value x) { return math::Log1pOp::create(b, loc, x); }
Value Scalars::sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }
Value Scalars::rsqrt(Value x) { return math::RsqrtOp::create(b, loc, x); }
Value Scalars::abs(Value x) { return math::AbsFOp::create(b, loc, x); }

Value Scalars::sin(Value x) { return math::SinOp::create(b, loc, x); }
Value Scalars::cos(Value x) { return math::CosOp::create(b, loc, x); }
Value Scalars::copysign(Value magnitude, Value sign) { return math::CopySignOp::create(b, loc, magnitude, sign); }

Value Scalars::mod(Value x, Value y) {
  Value remainder = arith::RemSIOp::create(b, loc, x, y);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
  return select(lt(remainder, zero), add(remainder, y), remainder);
}

Value Scalars::sigmoid(Value x) {
  Value e = exp(arith::NegFOp::create(b, loc, x));
  return div(f32(1), add(f32(1), e));
}

static Value compare(Scalars &s, arith::CmpFPredicate f, arith::CmpIPredicate i, Value x, Value y) {
  if (isFloat(x))
    return arith::CmpFOp::create(s.b, s.loc, f, x, y);
  return arith::CmpIOp::create(s.b, s.loc, i, x, y);
}
Value Scalars::lt(Value x, Value y) { return compare(*this, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, x, y); }
Value Scalars::le(Value x, Value y) { return compare(*this, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle, x, y); }
Value Scalars::eq(Value x, Value y) { return compare(*this, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq, x, y); }
Value Scalars::both(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
Value Scalars::either(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
Value Scalars::select(Value condition, Value yes, Value no) { return arith::SelectOp::create(b, loc, condition, yes, no); }

Value Scalars::toF32(Value x) {
  if (x.getType().isF32())
    return x;
  if (isFloat(x))
    return arith::ExtFOp::create(b, loc, b.getF32Type(), x);
  return arith::SIToFPOp::create(b, loc, b.getF32Type(), x);
}
Value Scalars::toBF16(Value x) { return arith::TruncFOp::create(b, loc, b.getBF16Type(), x); }
Value Scalars::toI32(Value x) {
  if (x.getType().isInteger(64))
    return arith::TruncIOp::create(b, loc, b.getI32Type(), x);
  return arith::ExtUIOp::create(b, loc, b.getI32Type(), x);
}
Value Scalars::toI64(Value x) { return arith::ExtSIOp::create(b, loc, b.getI64Type(), x); }
Value Scalars::coord(int64_t dim) { return tile::CoordOp::create(b, loc, b.getI32Type(), dim); }
