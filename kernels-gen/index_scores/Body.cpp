//===- Body.cpp - index_scores: the kernel ------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/ScaledRows.h"
#include "kernels-gen/index_scores/IndexScores.h"

#include <limits>

using namespace mlir;
using namespace cedilla;

static constexpr double minusInfinity = -std::numeric_limits<double>::infinity();

namespace {
/// Scores of one row.
class Row {
public:
  Row(KernelBuilder &k, IndexScoresProblem &p, Value row, int64_t heads);

  Value visibleCount() const { return visible; }
  /// Writes `width` scores from entry `first` on, of which `count` are wanted.
  void score(Value first, int64_t width, Value count);
  /// Writes -inf to the entries `from` <= j < `to`.
  void blank(Value from, Value to);

private:
  Value decodeQuery(Value row);

  KernelBuilder &k;
  IndexScoresProblem &p;
  int64_t heads;
  Value row, slot, visible;
  Value query;   ///< [heads, cols] bf16, 0 beyond the model's heads
  Value weights; ///< [heads, 1] bf16
};
} // namespace

Row::Row(KernelBuilder &k, IndexScoresProblem &p, Value row, int64_t heads) : k(k), p(p), heads(heads), row(row) {
  slot = rowFact(k, p.op.getSlots(), row);
  visible = k.min(visibleEntries(k, rowFact(k, p.op.getPositions(), row), p.keys().getRatio()), k.index(p.entries));
  Value headCount = heads == p.heads ? Value() : k.index(p.heads);
  weights = k.load(k.memory(p.op.getWeights()), {row, k.index(0)}, heads, 1, {headCount, {}, {{1, -1}}});
  query = decodeQuery(row);
}

/// Query heads are rows of the planar value [rows x heads].
Value Row::decodeQuery(Value row) {
  Value first = k.toI32(k.mul(row, p.heads));
  Value index = k.map({}, {k.tileType(heads, 1, k.i32())}, [&](Scalars &s, ValueRange) {
    Value head = s.coord(0);
    return SmallVector<Value>{s.select(s.lt(head, s.i32(p.heads)), s.add(first, head), s.i32(-1))};
  })[0];
  ScaledRows q(k, p.op.getQ());
  return q.decode(q.gather(index));
}

void Row::score(Value first, int64_t width, Value count) {
  Value from = k.toI32(first), left = k.toI32(k.min(count, k.sub(visible, first)));
  Value entries = k.map({}, {k.tileType(width, 1, k.i32())}, [&](Scalars &s, ValueRange) {
    Value at = s.coord(0);
    return SmallVector<Value>{s.select(s.lt(at, left), s.add(from, at), s.i32(-1))};
  })[0];
  ScaledRows cache(k, p.op.getKeys());
  Value rows = pagedRows(k, p.keys(), k.memory(p.op.getPages()), slot, entries);
  Value keys = cache.decode(cache.gather(rows));

  // Rounded where the model rounds: each dot product, each weighted term, the sum over heads.
  Value dots = k.mma(query, keys, k.splat(0, heads, width));
  Value terms = k.map({dots, weights}, k.f32(), [](Scalars &s, ValueRange v) {
    Value dot = s.roundBF16(v[0]);
    return s.roundBF16(s.mul(s.toF32(v[1]), s.select(s.lt(dot, s.f32(0)), s.f32(0), dot)));
  });
  Value sums = k.reduce(tile::Combine::Add, terms, 0);
  Value scores = k.map({sums}, k.bf16(), [&](Scalars &s, ValueRange v) {
    return s.toBF16(s.select(s.lt(s.coord(1), left), v[0], s.f32(minusInfinity)));
  });
  k.store(scores, k.memory(p.op.getResult()), {row, first}, {{}, k.min(count, k.sub(k.index(p.entries), first))});
}

void Row::blank(Value from, Value to) {
  constexpr int64_t width = 256;
  k.loop(from, to, width, [&](Value at) {
    Value nothing = k.map({k.splat(minusInfinity, 1, width)}, k.bf16(), [](Scalars &s, ValueRange v) { return s.toBF16(v[0]); });
    k.store(nothing, k.memory(p.op.getResult()), {row, at}, {{}, k.sub(to, at)});
  });
}

//===------------------------------------------------------------------------------------------===//
// What a block does
//===------------------------------------------------------------------------------------------===//

/// Stretches of 64 entries, dealt round.
static void scoreAll(KernelBuilder &k, IndexScoresProblem &p, Row &row, Value split, int64_t splits) {
  constexpr int64_t width = 64;
  Value first = k.mul(split, width), all = k.index(p.entries);
  int64_t step = splits * width;
  Value rounds = k.div(k.add(k.max(k.sub(row.visibleCount(), first), k.index(0)), step - 1), step);
  Value end = k.add(first, k.mul(rounds, step));
  k.loop(first, end, step, [&](Value entry) { row.score(entry, width, k.index(width)); });
  k.loop(end, all, step, [&](Value entry) { row.blank(entry, k.min(k.add(entry, width), all)); });
}

/// Where the pool block of list slot `i` begins; behind all entries when there is none.
static Value poolBegin(KernelBuilder &k, IndexScoresProblem &p, Value row, Value i) {
  Scalars s = k.scalars();
  Value exists = s.lt(i, k.index(p.pool));
  Value block = k.toIndex(k.element(k.memory(p.op.getPool()), {row, i}, k.count(exists)));
  Value named = s.both(exists, s.le(k.index(0), block));
  return s.select(named, k.min(k.mul(block, p.blockSize), k.index(p.entries)), k.index(p.entries));
}

/// The pool blocks of every splits-th slot of the list, which is ascending.
static void scorePool(KernelBuilder &k, IndexScoresProblem &p, Row &row, Value t, Value split, int64_t splits) {
  // Two columns at least: in a tile of one column the heads would not be summed in order.
  int64_t width = std::clamp<int64_t>(p.blockSize, 2, 64);
  Value all = k.index(p.entries), size = k.index(p.blockSize);
  k.loop(split, k.index(p.pool), splits, [&](Value i) {
    Value begin = poolBegin(k, p, t, i), next = poolBegin(k, p, t, k.add(i, 1));
    Value isFirst = k.scalars().eq(i, k.index(0));
    k.ifThen(isFirst, [&] { row.blank(k.index(0), begin); });
    Value end = k.min(k.add(begin, size), all);
    k.loop(begin, end, width, [&](Value entry) { row.score(entry, width, k.sub(end, entry)); });
    row.blank(end, next);
  });
}

FailureOr<tile::KernelOp> IndexScoresFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  IndexScoresProblem p = readIndexScoresProblem(kernel.getBody().front());
  int64_t splits = configValue(kernel, "splits"), heads = configValue(kernel, "block_h");
  if (splits <= 0 || heads < p.heads)
    return kernel.emitOpError("expected positive splits and block_h of at least ") << p.heads << ", got " << kernel.getConfig();
  if (failed(checkPage(kernel, p.keys(), limits)))
    return failure();

  MLIRContext *context = builder.getContext();
  KernelBuilder k(builder, kernel, limits, {gridBlocks(context, splits), gridRows(context, 1)}, "phase");
  Row row(k, p, k.block(1), heads);
  if (p.pool)
    scorePool(k, p, row, k.block(1), k.block(0), splits);
  else
    scoreAll(k, p, row, k.block(0), splits);
  return k.finish();
}
