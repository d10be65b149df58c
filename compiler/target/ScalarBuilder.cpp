//===- ScalarBuilder.cpp - short spelling for arithmetic on scalars and vectors
//----------------===//

#include "compiler/target/ScalarBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <bit>

using namespace mlir;
using namespace cedilla;

static bool isFloat(Value x) { return isa<FloatType>(getElementTypeOrSelf(x.getType())); }

//===------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------===//

Type ScalarBuilder::typeLike(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return vector.clone(element);
  return element;
}

Value ScalarBuilder::constant(Type type, TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vector, Attribute(element)));
  return arith::ConstantOp::create(b, loc, element);
}

Value ScalarBuilder::f32(double value, Value like) {
  return constant(typeLike(like, b.getF32Type()), b.getF32FloatAttr(float(value)));
}

Value ScalarBuilder::f32Bits(uint32_t bits, Value like) {
  APFloat value(APFloat::IEEEsingle(), APInt(32, bits));
  return constant(typeLike(like, b.getF32Type()), FloatAttr::get(b.getF32Type(), value));
}

Value ScalarBuilder::i32(int64_t value, Value like) {
  return constant(typeLike(like, b.getI32Type()), b.getI32IntegerAttr(int32_t(value)));
}

Value ScalarBuilder::i64(int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

Value ScalarBuilder::same(int64_t value, Value like) {
  return constant(like.getType(), b.getIntegerAttr(getElementTypeOrSelf(like.getType()), value));
}

//===------------------------------------------------------------------------------------------===//
// Operations
//===------------------------------------------------------------------------------------------===//

template <typename FloatOp, typename IntOp>
static Value byType(ScalarBuilder &a, Value x, Value y) {
  if (isFloat(x))
    return FloatOp::create(a.b, a.loc, x, y);
  return IntOp::create(a.b, a.loc, x, y);
}

Value ScalarBuilder::add(Value x, Value y) {
  return byType<arith::AddFOp, arith::AddIOp>(*this, x, y);
}
Value ScalarBuilder::sub(Value x, Value y) {
  return byType<arith::SubFOp, arith::SubIOp>(*this, x, y);
}
Value ScalarBuilder::mul(Value x, Value y) {
  return byType<arith::MulFOp, arith::MulIOp>(*this, x, y);
}
Value ScalarBuilder::div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
Value ScalarBuilder::fma(Value x, Value y, Value z) { return math::FmaOp::create(b, loc, x, y, z); }
Value ScalarBuilder::sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }
Value ScalarBuilder::bitAnd(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
Value ScalarBuilder::bitOr(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
Value ScalarBuilder::bitXor(Value x, Value y) { return arith::XOrIOp::create(b, loc, x, y); }
Value ScalarBuilder::shl(Value x, int64_t n) {
  return arith::ShLIOp::create(b, loc, x, same(n, x));
}
Value ScalarBuilder::shru(Value x, int64_t n) {
  return arith::ShRUIOp::create(b, loc, x, same(n, x));
}
Value ScalarBuilder::shrs(Value x, int64_t n) {
  return arith::ShRSIOp::create(b, loc, x, same(n, x));
}

Value ScalarBuilder::max(Value x, Value y) {
  return isFloat(x) ? select(gt(x, y), x, y) : Value(arith::MaxSIOp::create(b, loc, x, y));
}
Value ScalarBuilder::min(Value x, Value y) {
  return isFloat(x) ? select(lt(x, y), x, y) : Value(arith::MinSIOp::create(b, loc, x, y));
}

Value ScalarBuilder::cmp(arith::CmpFPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, loc, predicate, x, y);
}
Value ScalarBuilder::cmp(arith::CmpIPredicate predicate, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, predicate, x, y);
}
Value ScalarBuilder::lt(Value x, Value y) {
  return isFloat(x) ? cmp(arith::CmpFPredicate::OLT, x, y) : cmp(arith::CmpIPredicate::slt, x, y);
}
Value ScalarBuilder::gt(Value x, Value y) { return lt(y, x); }
Value ScalarBuilder::eq(Value x, Value y) {
  return isFloat(x) ? cmp(arith::CmpFPredicate::OEQ, x, y) : cmp(arith::CmpIPredicate::eq, x, y);
}
Value ScalarBuilder::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, loc, condition, yes, no);
}

Value ScalarBuilder::asI32(Value x) {
  return arith::BitcastOp::create(b, loc, typeLike(x, b.getI32Type()), x);
}
Value ScalarBuilder::asF32(Value x) {
  return arith::BitcastOp::create(b, loc, typeLike(x, b.getF32Type()), x);
}
Value ScalarBuilder::extU(Value x, Type element) {
  return arith::ExtUIOp::create(b, loc, typeLike(x, element), x);
}
Value ScalarBuilder::extS(Value x, Type element) {
  return arith::ExtSIOp::create(b, loc, typeLike(x, element), x);
}
Value ScalarBuilder::trunc(Value x, Type element) {
  return arith::TruncIOp::create(b, loc, typeLike(x, element), x);
}
Value ScalarBuilder::toF32(Value x) {
  return arith::SIToFPOp::create(b, loc, typeLike(x, b.getF32Type()), x);
}

Value ScalarBuilder::horner(Value x, ArrayRef<double> coefficients) {
  Value sum = f32(coefficients.back(), x);
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, f32(c, x));
  return sum;
}
