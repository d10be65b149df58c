//===- Scalars.cpp - arith and math ops, scalar or promoted to vectors ------------------------===//
//
// An op is cloned with its operands replaced and its result types promoted: index to i64, bf16 to
// f32, a scalar in a map to a vector. Where bf16 is involved the result is rounded, so bf16
// arithmetic is f32 arithmetic rounded once. What has no lowering that stays inside the image is
// refused by name.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/ExpandMath.h"
#include "compiler/target/x86/Lowering.h"
#include "compiler/target/Numbers.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static bool isBF16(Value value) { return value.getType().isBF16(); }

//===------------------------------------------------------------------------------------------===//
// What is allowed
//===------------------------------------------------------------------------------------------===//

static bool isAllowedType(Type type) {
  return type.isF32() || type.isF64() || type.isBF16() || type.isIndex() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

/// Math ops with an instruction or a short sequence for f32 and integers.
static bool isHardwareMath(Operation &op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp, math::TruncOp,
             math::RoundEvenOp, math::CopySignOp, math::FmaOp, math::SqrtOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp>(op);
}

static LogicalResult checkAllowed(Operation &op) {
  for (Type type : llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
    if (!isAllowedType(type))
      return op.emitOpError("expected scalars of f32, f64, bf16, index or i1 to i64 on x86, got ")
             << type;
  if (isa<arith::RemFOp>(op))
    return op.emitOpError("expected an op that x86 computes without a library, got arith.remf");
  if (!isa<math::MathDialect>(op.getDialect()) || isHardwareMath(op))
    return success();
  Type element = op.getResult(0).getType();
  if (canExpandMath(&op) && (element.isF32() || element.isBF16()))
    return success();
  return op.emitOpError("expected a math op that ced-expand-math or x86 computes, got ")
         << op.getName() << " on " << element;
}

//===------------------------------------------------------------------------------------------===//
// Ops whose meaning depends on the types that change
//===------------------------------------------------------------------------------------------===//

static Value lowerConstantOp(Lowering &l, arith::ConstantOp op, int64_t n) {
  TypedAttr value = op.getValue();
  Type held = heldType(op.getType());
  if (auto number = dyn_cast<FloatAttr>(value)) {
    value = FloatAttr::get(held, number.getValueAsDouble());
  } else if (auto integer = dyn_cast<IntegerAttr>(value); integer && op.getType().isIndex()) {
    value = IntegerAttr::get(held, integer.getInt());
  }
  return l.constant(l.vector(held, n), value);
}

/// index_cast: an i64 to or from another integer.
static Value lowerIndexCast(Lowering &l, Operation &op, Value x, int64_t n) {
  unsigned from = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  Type to = heldType(op.getResult(0).getType());
  if (from == to.getIntOrFloatBitWidth())
    return x;
  if (from > to.getIntOrFloatBitWidth())
    return l.trunc(x, to);
  return isa<arith::IndexCastOp>(op) ? l.extS(x, to) : l.extU(x, to);
}

/// Between a bf16 and its 16 bits.
static Value lowerBF16Bitcast(Lowering &l, Operation &op, Value x) {
  if (isBF16(op.getOperand(0)) && isBF16(op.getResult(0)))
    return x;
  if (isBF16(op.getOperand(0)))
    return l.trunc(l.shru(l.asI32(x), 16), l.i16());
  return l.asF32(l.shl(l.extU(x, l.i32Type()), 16));
}

/// Ops on bf16 whose result needs no rounding.
static bool isExact(Operation &op) {
  return isa<arith::SelectOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, math::AbsFOp, math::CopySignOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundEvenOp>(op);
}

/// Conversions that would round twice on the way through f32.
static LogicalResult checkRoundsOnce(Operation &op) {
  if (!isBF16(op.getResult(0)))
    return success();
  Type from = op.getOperand(0).getType();
  bool wide = isa<arith::SIToFPOp, arith::UIToFPOp>(op) && from.getIntOrFloatBitWidth() > 24;
  if (wide || (isa<arith::TruncFOp>(op) && !from.isF32()))
    return op.emitOpError(
               "expected a conversion to f32 before the one to bf16 on x86, got one from ")
           << from;
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Any op
//===------------------------------------------------------------------------------------------===//

static bool isIntegerDivision(Operation &op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

static void dropFastMath(Operation *op) {
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(fast.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::none));
}

static Operation *clonePromoted(Lowering &l, Operation &op, IRMapping &values, int64_t n,
                                Value valid) {
  Operation *clone = l.b.clone(op, values);
  for (Value result : clone->getResults())
    result.setType(l.vector(heldType(result.getType()), n));
  dropFastMath(clone);
  if (isIntegerDivision(op) && valid) {
    OpBuilder::InsertionGuard guard(l.b);
    l.b.setInsertionPoint(clone);
    Value divisor = clone->getOperand(1);
    clone->setOperand(1, l.select(valid, divisor, l.same(1, divisor)));
  }
  return clone;
}

LogicalResult cedilla::x86::lowerScalar(Lowering &l, Operation &op, IRMapping &values, int64_t n,
                                        Value valid) {
  if (failed(checkAllowed(op)))
    return failure();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    values.map(constant.getResult(), lowerConstantOp(l, constant, n));
    return success();
  }
  if (op.getNumResults() == 0 || op.getNumOperands() == 0)
    return op.emitOpError("expected an op with operands and results");
  if (failed(checkRoundsOnce(op)))
    return failure();

  Value x = values.lookup(op.getOperand(0)), result = op.getResult(0);
  bool toOrFromBF16 = isBF16(op.getOperand(0)) || isBF16(result);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    values.map(result, lowerIndexCast(l, op, x, n));
  else if (isa<arith::BitcastOp>(op) && toOrFromBF16)
    values.map(result, lowerBF16Bitcast(l, op, x));
  else if (isa<arith::ExtFOp>(op) && isBF16(op.getOperand(0)) && result.getType().isF32())
    values.map(result, x);
  else if (isa<arith::TruncFOp>(op) && isBF16(result))
    values.map(result, roundToBF16(l, x));
  else {
    Operation *clone = clonePromoted(l, op, values, n, valid);
    for (auto [from, to] : llvm::zip(op.getResults(), clone->getResults())) {
      Value value = to;
      if (isBF16(from) && !isExact(op))
        value = roundToBF16(l, value);
      values.map(from, value);
    }
  }
  return success();
}
