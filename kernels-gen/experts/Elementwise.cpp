//===- Elementwise.cpp - experts: SwiGLU of the shared expert, combine ----------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/experts/Experts.h"

#include <limits>

using namespace mlir;
using namespace cedilla;

Value cedilla::clampedSwiglu(Scalars &s, Value gate, Value up, double limit) {
  if (limit != 0) {
    // Selects, not minima: what is not a number stays so.
    Value high = s.f32(limit), low = s.f32(-limit);
    gate = s.select(s.lt(high, gate), high, gate);
    up = s.select(s.lt(up, low), low, s.select(s.lt(high, up), high, up));
  }
  Value exponential = s.exp(arith::NegFOp::create(s.b, s.loc, gate));
  return s.mul(s.div(gate, s.add(s.f32(1), exponential)), up);
}

namespace {
/// A grid over columns and rows, and the tile of one block.
struct Cut {
  int64_t rows, cols;
  Value row, col;     ///< first of the block
  Access access;      ///< counts, where something may be missing
  SmallVector<Value> offsets() const { return {row, col}; }
};
} // namespace

static bool readShape(sched::KernelOp kernel, Cut &cut) {
  cut.rows = configValue(kernel, "block_m"), cut.cols = configValue(kernel, "block_c");
  if (cut.rows > 0 && cut.cols > 0)
    return true;
  kernel.emitOpError("expected positive block_m and block_c, got ") << kernel.getConfig();
  return false;
}

static std::array<tile::GridAttr, 2> gridOf(MLIRContext *context, const Cut &cut, int64_t cols) {
  return {gridBlocks(context, ceilDiv(cols, cut.cols)), gridRows(context, cut.rows)};
}

static void place(KernelBuilder &k, Cut &cut, int64_t cols) {
  cut.col = k.mul(k.block(0), cut.cols), cut.row = k.mul(k.block(1), cut.rows);
  cut.access = {k.sub(k.rows(), cut.row), cols % cut.cols ? k.sub(k.index(cols), cut.col) : Value()};
}

FailureOr<tile::KernelOp> cedilla::buildSwiglu(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) {
  auto op = cast<ced::SwigluOp>(kernel.getBody().front().front());
  int64_t cols = cast<RankedTensorType>(op.getGate().getType()).getShape()[1];
  Cut cut;
  if (!readShape(kernel, cut))
    return failure();
  KernelBuilder k(builder, kernel, limits, gridOf(builder.getContext(), cut, cols), "phase");
  place(k, cut, cols);
  auto load = [&](Value cedValue) { return k.load(k.memory(cedValue), cut.offsets(), cut.rows, cut.cols, cut.access); };
  double limit = op.getLimit().convertToDouble();
  Value result = k.map({load(op.getGate()), load(op.getUp())}, k.bf16(), [&](Scalars &s, ValueRange v) {
    return s.toBF16(clampedSwiglu(s, s.toF32(v[0]), s.toF32(v[1]), limit));
  });
  k.store(result, k.memory(op.getResult()), cut.offsets(), cut.access);
  return k.finish();
}

//===------------------------------------------------------------------------------------------===//
// combine
//===------------------------------------------------------------------------------------------===//

static constexpr int32_t behindAll = std::numeric_limits<int32_t>::max();

/// One number per choice that orders a row's choices by expert, equal ones by choice: id * choices + choice.
static Value orderKeys(KernelBuilder &k, ced::CombineOp op, const Cut &cut, int64_t choices) {
  Value ids = k.load(k.memory(op.getIds()), {cut.row, k.index(0)}, cut.rows, tileWidth(choices),
                     {cut.access.rowCount, k.cut(choices)});
  return k.map({ids}, k.i32(), [&](Scalars &s, ValueRange v) {
    Value key = s.add(s.mul(v[0], s.i32(choices)), s.coord(1));
    return s.select(s.lt(s.coord(1), s.i32(choices)), key, s.i32(behindAll));
  });
}

FailureOr<tile::KernelOp> cedilla::buildCombine(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) {
  auto op = cast<ced::CombineOp>(kernel.getBody().front().front());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getRouted().getType()).getShape();
  int64_t choices = shape[1], cols = shape[2];
  Cut cut;
  if (!readShape(kernel, cut))
    return failure();
  KernelBuilder k(builder, kernel, limits, gridOf(builder.getContext(), cut, cols), "phase");
  place(k, cut, cols);

  Value keys = orderKeys(k, op, cut, choices);
  Value firstRow = k.toI32(cut.row), rowsLeft = k.toI32(cut.access.rowCount);
  SmallVector<Value> start{k.splat(0, cut.rows, cut.cols), k.splatI32(-1, cut.rows, 1)};
  Value sum = k.loop(k.index(0), k.index(choices), 1, start, [&](Value, ValueRange carried) {
    // The smallest key above the last one names the next expert's slot.
    Value above = k.map({keys, carried[1]}, k.i32(), [](Scalars &s, ValueRange v) {
      return s.select(s.lt(v[1], v[0]), v[0], s.i32(behindAll));
    });
    Value next = k.reduce(tile::Combine::Min, above, 1);
    Value slot = k.map({next}, k.i32(), [&](Scalars &s, ValueRange v) {
      Value choice = s.rem(v[0], s.i32(choices)), row = s.add(firstRow, s.coord(0));
      Value exists = s.both(s.lt(s.coord(0), rowsLeft), s.lt(v[0], s.i32(behindAll)));
      return s.select(exists, s.add(s.mul(row, s.i32(choices)), choice), s.i32(-1));
    });
    Value part = k.gather(k.memory(op.getRouted()), {k.index(0), k.index(0), cut.col}, slot, cut.cols,
                          {{}, cut.access.colCount});
    Value more = k.map({carried[0], part}, k.f32(), [](Scalars &s, ValueRange v) { return s.add(v[0], s.toF32(v[1])); });
    return SmallVector<Value>{more, next};
  })[0];
  Value shared = k.load(k.memory(op.getShared()), cut.offsets(), cut.rows, cut.cols, cut.access);
  Value result = k.map({sum, shared}, k.bf16(), [](Scalars &s, ValueRange v) {
    return s.toBF16(s.add(v[0], s.toF32(v[1])));
  });
  k.store(result, k.memory(op.getResult()), cut.offsets(), cut.access);
  return k.finish();
}
