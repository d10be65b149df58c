//===- Body.cpp - select: the kernels ----------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/ScaledRows.h"
#include "kernels-gen/select/Select.h"

#include <limits>

using namespace mlir;
using namespace cedilla;

/// block_max: blocks of entries at a time, and of one block of the grid.
static constexpr int64_t width = 128, stretch = 512;

static int64_t entriesOf(Value scores) { return cast<RankedTensorType>(scores.getType()).getShape()[1]; }

/// Entries of the row that are visible and have a score.
static Value scoredEntries(KernelBuilder &k, Value positions, Value row, int64_t ratio, Value scores) {
  return k.min(visibleEntries(k, rowFact(k, positions, row), ratio), k.index(entriesOf(scores)));
}

static void select(KernelBuilder &k, Value scores, Value count, Value result, Value row, bool dropLowest) {
  SmallVector<Value> offsets{row, k.index(0)};
  int64_t size = cast<ced::IndexSetType>(result.getType()).getK();
  tile::SelectTopkOp::create(k.builder(), k.loc(), size, scores, offsets, count, k.memory(result), offsets, dropLowest);
}

static void buildTopk(KernelBuilder &k, ced::TopkOp op) {
  Value row = k.block(0), scores = op.getScores();
  Value count = scoredEntries(k, op.getPositions(), row, op.getRatio(), scores);
  select(k, k.memory(scores), count, op.getResult(), row, /*dropLowest=*/false);
}

/// Maxima of `width` blocks of `size` entries from block `first` on, as a column; -inf where there is none.
static Value blockMaxima(KernelBuilder &k, Value scores, Value row, Value first, int64_t width, int64_t size, Value count) {
  constexpr double minusInfinity = -std::numeric_limits<double>::infinity();
  Value from = k.toI32(k.mul(first, size)), end = k.toI32(count);
  return k.loop(k.index(0), k.index(size), 1, {k.splat(minusInfinity, width, 1)}, [&](Value i, ValueRange carried) {
    Value inBlock = k.toI32(i);
    Value entry = k.map({}, {k.tileType(width, 1, k.i32())}, [&](Scalars &s, ValueRange) {
      Value at = s.add(s.add(from, s.mul(s.coord(0), s.i32(size))), inBlock);
      return SmallVector<Value>{s.select(s.lt(at, end), at, s.i32(-1))};
    })[0];
    Value score = k.gather(scores, {row, k.index(0)}, entry, 1, {{}, {}, {{1, -1}}});
    return SmallVector<Value>{k.map({carried[0], score, entry}, k.f32(), [&](Scalars &s, ValueRange v) {
      Value known = s.select(s.lt(v[2], s.i32(0)), s.f32(minusInfinity), s.toF32(v[1]));
      return s.select(s.lt(v[0], known), known, v[0]);
    })};
  })[0];
}

/// One stretch of blocks per block of the grid; all of them are written, those behind the visible entries as -inf.
static void buildBlockMax(KernelBuilder &k, ced::BlockMaxOp op) {
  Value row = k.block(1), result = k.memory(op.getResult());
  int64_t size = op.getBlockSize(), all = entriesOf(op.getResult());
  Value count = scoredEntries(k, op.getPositions(), row, op.getRatio(), op.getScores());
  Value newest = k.toI32(k.sub(k.div(k.add(count, size - 1), size), k.index(1)));
  Value begin = k.mul(k.block(0), stretch), end = k.min(k.add(begin, stretch), k.index(all));
  k.loop(begin, end, width, [&](Value first) {
    Value best = blockMaxima(k, k.memory(op.getScores()), row, first, width, size, count), from = k.toI32(first);
    Value ranked = k.map({best}, k.bf16(), [&](Scalars &s, ValueRange v) {
      Value isNewest = s.eq(s.add(from, s.coord(0)), newest);
      return s.toBF16(s.select(isNewest, s.f32(std::numeric_limits<double>::infinity()), v[0]));
    });
    k.store(ranked, result, {row, first}, {k.sub(k.index(all), first), {}, {{1, -1}}});
  });
}

static void buildCandidateBlocks(KernelBuilder &k, ced::CandidateBlocksOp op) {
  Value row = k.block(0), maxima = op.getMaxima();
  int64_t size = op.getBlockSize();
  Value visible = visibleEntries(k, rowFact(k, op.getPositions(), row), op.getRatio());
  Value blocks = k.min(k.div(k.add(visible, size - 1), size), k.index(entriesOf(maxima)));
  select(k, k.memory(maxima), blocks, op.getResult(), row, /*dropLowest=*/true);
}

FailureOr<tile::KernelOp> SelectFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  MLIRContext *context = builder.getContext();
  Operation &op = kernel.getBody().front().front();
  if (auto best = dyn_cast<ced::BlockMaxOp>(op)) {
    KernelBuilder k(builder, kernel, limits, {gridBlocks(context, ceilDiv(entriesOf(best.getResult()), stretch)), gridRows(context, 1)}, "phase");
    buildBlockMax(k, best);
    return k.finish();
  }
  KernelBuilder k(builder, kernel, limits, {gridRows(context, 1)}, "phase");
  if (auto topk = dyn_cast<ced::TopkOp>(op))
    buildTopk(k, topk);
  else
    buildCandidateBlocks(k, cast<ced::CandidateBlocksOp>(op));
  return k.finish();
}
