//===- Gather.cpp - gather: what is asked, and the kernels -------------------------------------------------===//

#include "kernels-gen/gather/Gather.h"

#include "kernels-gen/common/ScaledRows.h"
#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

static constexpr int64_t blockRows = 64; ///< of a cache that a block decodes

bool GatherFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::GatherWindowOp, ced::GatherPagedOp, ced::CombineListsOp>(body, reason);
}

SmallVector<Candidate> GatherFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  Candidate only;
  only.config = makeConfig(kernel.getContext(), {{"warps", chip.warp ? 4 : 0}});
  only.cost = limits.maxRows;
  return {only};
}

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

//===------------------------------------------------------------------------------------------===//
// Caches
//===------------------------------------------------------------------------------------------===//

/// Numbers first .. first + 63, -1 from `end` on.
static Value numbersFrom(KernelBuilder &k, Value first, Value end) {
  Value from = k.toI32(first), left = k.toI32(k.sub(end, first));
  return k.map({}, {k.tileType(blockRows, 1, k.i32())}, [&](Scalars &s, ValueRange) {
    Value at = s.coord(0);
    return SmallVector<Value>{s.select(s.lt(at, left), s.add(from, at), s.i32(-1))};
  })[0];
}

/// Decodes the rows of `source` that `rows` names to rows `to` of the result, all dims in front counted together.
static void decodeRows(KernelBuilder &k, const ScaledRows &source, Value rows, Value result, Value to) {
  Value memory = k.memory(result);
  k.scatter(source.decode(source.gather(rows)), memory, {k.index(0), k.index(0), k.index(0)}, to, {{}, k.cut(source.cols())});
}

static void buildWindow(KernelBuilder &k, ced::GatherWindowOp op) {
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  Value rows = numbersFrom(k, k.mul(k.block(0), blockRows), k.index(shape[0] * shape[1]));
  decodeRows(k, ScaledRows(k, op.getWindow()), rows, op.getResult(), rows);
}

static void buildPaged(KernelBuilder &k, ced::GatherPagedOp op) {
  int64_t perSlot = shapeOf(op.getResult())[1];
  Value slot = k.block(1), entries = numbersFrom(k, k.mul(k.block(0), blockRows), k.index(perSlot));
  Value rows = pagedRows(k, cast<ced::PagedType>(op.getCache().getType()), k.memory(op.getPages()), slot, entries);
  Value base = k.scalars().toI64(k.toI32(slot));
  Value to = k.map({entries}, k.i64(), [&](Scalars &s, ValueRange v) {
    Value row = s.add(s.mul(base, s.i64(perSlot)), s.toI64(v[0]));
    return s.select(s.lt(v[0], s.i32(0)), s.i64(-1), row);
  });
  decodeRows(k, ScaledRows(k, op.getCache()), rows, op.getResult(), to);
}

//===------------------------------------------------------------------------------------------===//
// Lists
//===------------------------------------------------------------------------------------------===//

static void buildLists(KernelBuilder &k, ced::CombineListsOp op) {
  int64_t window = op.getWindow(), ring = op.getRing();
  Value row = k.block(0), list = k.memory(op.getResult());
  Value position = rowFact(k, op.getPositions(), row);
  Value first = k.max(k.sub(position, k.index(window - 1)), k.index(0));
  Value from = k.toI32(first), last = k.toI32(position), start = k.toI32(rowFact(k, op.getStarts(), row));
  // A row of the step lies as far before this one as its position does.
  Value toFresh = k.toI32(k.add(k.sub(row, position), ring));
  Value numbers = k.map({}, {k.tileType(1, tileWidth(window), k.i32())}, [&](Scalars &s, ValueRange) {
    Value q = s.add(from, s.coord(1));
    Value number = s.select(s.lt(q, start), s.rem(q, s.i32(ring)), s.add(q, toFresh));
    return SmallVector<Value>{s.select(s.le(q, last), number, s.i32(-1))};
  })[0];
  k.store(numbers, list, {row, k.index(0)}, {{}, k.cut(window)});
  if (!op.getIndex())
    return;

  int64_t selected = cast<ced::IndexSetType>(op.getIndex().getType()).getK();
  Value visible = k.toI32(visibleEntries(k, position, *op.getRatio()));
  Value entries = k.load(k.memory(op.getIndex()), {row, k.index(0)}, 1, tileWidth(selected), {{}, k.cut(selected)});
  Value chosen = k.map({entries}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(s.both(s.le(s.i32(0), v[0]), s.lt(v[0], visible)), v[0], s.i32(-1));
  });
  k.store(chosen, list, {row, k.index(window)}, {{}, k.cut(selected)});
}

//===------------------------------------------------------------------------------------------===//
// The kernels
//===------------------------------------------------------------------------------------------===//

FailureOr<tile::KernelOp> GatherFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  MLIRContext *context = builder.getContext();
  Operation &op = kernel.getBody().front().front();
  if (auto lists = dyn_cast<ced::CombineListsOp>(op)) {
    KernelBuilder k(builder, kernel, limits, {gridRows(context, 1)}, "phase");
    buildLists(k, lists);
    return k.finish();
  }
  ArrayRef<int64_t> shape = shapeOf(op.getResult(0));
  if (ShapedType::isDynamic(shape[0]) || ShapedType::isDynamic(shape[1]))
    return kernel.emitOpError("expected a result with planned dims, got ") << op.getResult(0).getType();
  if (auto window = dyn_cast<ced::GatherWindowOp>(op)) {
    KernelBuilder k(builder, kernel, limits, {gridBlocks(context, ceilDiv(shape[0] * shape[1], blockRows))}, "phase");
    buildWindow(k, window);
    return k.finish();
  }
  auto paged = cast<ced::GatherPagedOp>(op);
  if (failed(checkPage(kernel, cast<ced::PagedType>(paged.getCache().getType()), limits)))
    return failure();
  KernelBuilder k(builder, kernel, limits, {gridBlocks(context, ceilDiv(shape[1], blockRows)), gridBlocks(context, shape[0])},
                  "phase");
  buildPaged(k, paged);
  return k.finish();
}
