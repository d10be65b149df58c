//===- Reduce.cpp - combine along rows or columns ---------------------------------------------===//
//
// Along a run: lane i of a vector takes elements i, i + 8, .., then the lanes are combined as a
// tree. Across runs: one vector of columns takes run after run. Both orders depend on the shape
// alone.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"

#include <limits>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static Value combine(Lowering &l, tile::Combine kind, Value x, Value y) {
  switch (kind) {
  case tile::Combine::Add:
    return l.add(x, y);
  case tile::Combine::Max:
    return l.max(x, y);
  case tile::Combine::Min:
    return l.min(x, y);
  }
  llvm_unreachable("all kinds are listed");
}

/// What changes nothing when combined.
static Value identity(Lowering &l, tile::Combine kind, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (kind == tile::Combine::Add)
    return l.zero(type);
  bool lowest = kind == tile::Combine::Max;
  if (element.isF32())
    return l.constant(type, l.b.getF32FloatAttr(lowest ? -std::numeric_limits<float>::infinity()
                                                       : std::numeric_limits<float>::infinity()));
  unsigned bits = element.getIntOrFloatBitWidth();
  APInt limit = lowest ? APInt::getSignedMinValue(bits) : APInt::getSignedMaxValue(bits);
  return l.constant(type, IntegerAttr::get(element, limit));
}

static Value combineLanes(Lowering &l, tile::Combine kind, Value x) {
  x = combine(l, kind, l.shuffle(x, x, {0, 1, 2, 3}), l.shuffle(x, x, {4, 5, 6, 7}));
  x = combine(l, kind, l.shuffle(x, x, {0, 1}), l.shuffle(x, x, {2, 3}));
  return combine(l, kind, l.extractLane(x, 0), l.extractLane(x, 1));
}

/// `n` contiguous elements to a scalar.
static Value reduceRun(Lowering &l, tile::Combine kind, const Stored &tile, Value begin,
                       int64_t n) {
  Type vector = l.vector(tile.layout.element);
  int64_t rest = n % lanes, full = n - rest;
  Value sum = identity(l, kind, vector);
  auto at = [&](Value i) { return l.load(vector, l.element(tile, l.mulAdd(begin, 1, i))); };
  if (full)
    sum = l.loop(l.i64(0), l.i64(full), lanes, sum, [&](Value i, ValueRange sums) {
      return Emitter::Values{combine(l, kind, sums[0], at(i))};
    })[0];
  if (rest)
    sum = combine(l, kind, sum,
                  l.select(l.firstLanes(rest), at(l.i64(full)), identity(l, kind, vector)));
  return combineLanes(l, kind, sum);
}

static void reduceRuns(Lowering &l, tile::Combine kind, const Stored &tile, const Stored &result) {
  Type vector = l.vector(tile.layout.element);
  l.loop(tile.layout.inner, lanes, [&](Value at) {
    Value sum = l.loop(l.i64(0), l.i64(tile.layout.outer), 1, identity(l, kind, vector),
                       [&](Value run, ValueRange sums) {
                         Value x =
                             l.load(vector, l.element(tile, l.mulAdd(run, tile.layout.padded, at)));
                         return Emitter::Values{combine(l, kind, sums[0], x)};
                       })[0];
    l.store(sum, l.element(result, at));
  });
}

void cedilla::x86::lowerReduce(Lowering &l, tile::ReduceOp op) {
  const Stored tile = l.tile(op.getValue()), result = l.define(op->getResult(0));
  bool alongRun = (op.getDim() == 1) != tile.layout.column;
  if (!alongRun && tile.layout.column) // the one column of a column
    return l.copy(tile, result);
  if (!alongRun)
    return reduceRuns(l, op.getKind(), tile, result);
  l.loop(tile.layout.outer, 1, [&](Value run) {
    Value sum = reduceRun(l, op.getKind(), tile, l.mulAdd(run, tile.layout.padded, l.i64(0)),
                          tile.layout.inner);
    l.store(sum, l.element(result, run));
  });
}
