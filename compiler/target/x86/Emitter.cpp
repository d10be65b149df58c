//===- Emitter.cpp - short spelling for memory, vectors and loops -----------------------------===//

#include "compiler/target/x86/Emitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

Type Emitter::vector(Type element, int64_t n) {
  return n == 1 ? element : VectorType::get({n}, element);
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

Value Emitter::address(Value base, Type element, Value index) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  return LLVM::GEPOp::create(b, loc, pointer, element, base, ArrayRef<LLVM::GEPArg>{index});
}

Value Emitter::address(Value base, Type element, int64_t index) {
  return index == 0 ? base : address(base, element, i64(index));
}

Value Emitter::load(Type type, Value pointer) {
  return LLVM::LoadOp::create(b, loc, type, pointer, /*alignment=*/1);
}

void Emitter::store(Value value, Value pointer) {
  LLVM::StoreOp::create(b, loc, value, pointer, /*alignment=*/1);
}

//===------------------------------------------------------------------------------------------===//
// Vectors
//===------------------------------------------------------------------------------------------===//

Value Emitter::splat(Value scalar, int64_t n) {
  if (n == 1)
    return scalar;
  return vector::BroadcastOp::create(b, loc, vector(scalar.getType(), n), scalar);
}

Value Emitter::iota(Value begin) {
  Type element = begin.getType();
  SmallVector<Attribute> steps;
  for (int64_t lane = 0; lane < lanes; ++lane)
    steps.push_back(b.getIntegerAttr(element, lane));
  auto type = cast<VectorType>(vector(element));
  Value offsets = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, steps));
  return add(splat(begin), offsets);
}

Value Emitter::shuffle(Value x, Value y, ArrayRef<int64_t> mask) {
  return vector::ShuffleOp::create(b, loc, x, y, mask);
}

Value Emitter::extractLane(Value vector, int64_t lane) {
  return vector::ExtractOp::create(b, loc, vector, lane);
}

Value Emitter::zero(Type type) {
  return constant(type, cast<TypedAttr>(b.getZeroAttr(getElementTypeOrSelf(type))));
}

Value Emitter::firstLanes(int64_t count) {
  SmallVector<bool> mask;
  for (int64_t lane = 0; lane < lanes; ++lane)
    mask.push_back(lane < count);
  auto type = cast<VectorType>(vector(b.getI1Type()));
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef<bool>(mask)));
}

//===------------------------------------------------------------------------------------------===//
// Index arithmetic
//===------------------------------------------------------------------------------------------===//

static std::optional<int64_t> constantOf(Value x) {
  if (auto op = x.getDefiningOp<arith::ConstantOp>())
    if (auto value = dyn_cast<IntegerAttr>(op.getValue()))
      return value.getInt();
  return std::nullopt;
}

Value Emitter::mulAdd(Value x, int64_t factor, Value y) {
  std::optional<int64_t> cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return i64(*cx * factor + *cy);
  Value product = cx            ? i64(*cx * factor)
                  : factor == 1 ? x
                  : factor == 0 ? i64(0)
                                : mul(x, i64(factor));
  if (cy && *cy == 0)
    return product;
  return constantOf(product) == 0 ? y : add(product, y);
}

Value Emitter::clampCount(Value count, int64_t limit) {
  if (!count)
    return i64(limit);
  return max(min(count, i64(limit)), i64(0));
}

//===------------------------------------------------------------------------------------------===//
// Control
//===------------------------------------------------------------------------------------------===//

void Emitter::loop(int64_t n, int64_t step, function_ref<void(Value)> body) {
  if (n > step)
    loop(i64(0), i64(n), step, body);
  else if (n > 0)
    body(i64(0));
}

void Emitter::loop(Value from, Value to, int64_t step, function_ref<void(Value)> body) {
  auto op = scf::ForOp::create(b, loc, from, to, i64(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op.getBody()->getTerminator());
  body(op.getInductionVar());
}

Emitter::Values Emitter::loop(Value from, Value to, int64_t step, ValueRange init,
                              function_ref<Values(Value, ValueRange)> body) {
  if (init.empty()) { // such a loop comes with its terminator
    loop(from, to, step, [&](Value i) { body(i, {}); });
    return {};
  }
  auto op = scf::ForOp::create(b, loc, from, to, i64(step), init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(op.getBody());
  Values next = body(op.getInductionVar(), op.getRegionIterArgs());
  scf::YieldOp::create(b, loc, next);
  return Values(op.getResults());
}

void Emitter::ifElse(Value condition, function_ref<void()> yes, function_ref<void()> no) {
  auto op = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/bool(no));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op.thenBlock()->getTerminator());
  yes();
  if (!no)
    return;
  b.setInsertionPoint(op.elseBlock()->getTerminator());
  no();
}

Emitter::Values Emitter::ifElse(Value condition, TypeRange types, function_ref<Values()> yes,
                                function_ref<Values()> no) {
  if (types.empty()) {
    ifElse(condition, [&] { yes(); }, [&] { no(); });
    return {};
  }
  auto op =
      scf::IfOp::create(b, loc, types, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(op.thenBlock());
  Values results = yes();
  scf::YieldOp::create(b, loc, results);
  b.setInsertionPointToEnd(op.elseBlock());
  results = no();
  scf::YieldOp::create(b, loc, results);
  return Values(op.getResults());
}
