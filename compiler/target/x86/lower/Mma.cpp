//===- Mma.cpp - matrix products as register blocks -------------------------------------------===//
//
// Operands are f32 here (bf16 is held widened). At most 8 accumulators, so that they, their
// operands and a temporary fit 16 registers.
//
//   a b^T   one vector along K per result, then a fixed tree over its lanes, then + acc.
//   a b     vectors along N; each result takes k = 0, 1, .. after acc.
//
// Both orders depend on K only: blocks at the edges are smaller, not different.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static constexpr int64_t accumulators = 8;

namespace {
struct Product {
  Stored a, b, acc, result;
  int64_t m, n, k;
};
} // namespace

/// Calls `body` for blocks of `size` and then for the rest, each with its static size.
static void forBlocks(Lowering &l, int64_t n, int64_t size,
                      function_ref<void(Value, int64_t)> body) {
  int64_t full = n / size * size;
  l.loop(full, size, [&](Value i) { body(i, size); });
  if (full < n)
    body(l.i64(full), n - full);
}

static Value offset(Lowering &l, Value base, int64_t plus) {
  return l.mulAdd(base, 1, l.i64(plus));
}

//===------------------------------------------------------------------------------------------===//
// a b^T
//===------------------------------------------------------------------------------------------===//

/// Lane i of the result is the sum of the lanes of sums[i], always as
/// ((l0 + l1) + (l2 + l3)) + ((l4 + l5) + (l6 + l7)).
static Value sumLanes(Lowering &l, ArrayRef<Value> sums) {
  static constexpr int64_t even[] = {0, 2, 8, 10, 4, 6, 12, 14},
                           odd[] = {1, 3, 9, 11, 5, 7, 13, 15};
  static constexpr int64_t low[] = {0, 1, 2, 3, 8, 9, 10, 11},
                           high[] = {4, 5, 6, 7, 12, 13, 14, 15};
  auto pair = [&](Value x, Value y) { return l.add(l.shuffle(x, y, even), l.shuffle(x, y, odd)); };
  Value x = pair(pair(sums[0], sums[1]), pair(sums[2], sums[3]));
  Value y = pair(pair(sums[4], sums[5]), pair(sums[6], sums[7]));
  return l.add(l.shuffle(x, y, low), l.shuffle(x, y, high));
}

/// The vectors of `count` rows at column k. The last, cut at `valid` columns, has 0 behind them:
/// what lies there might be NaN.
static Emitter::Values rowVectors(Lowering &l, const Stored &tile, Value row, int64_t count,
                                  Value k, int64_t valid) {
  Emitter::Values vectors;
  Type vector = l.vector(l.f32Type());
  for (int64_t i = 0; i < count; ++i) {
    // A column of several rows has K = 1: its row starts at its element.
    Value x = l.load(vector, l.element(tile, offset(l, row, i), k));
    vectors.push_back(valid < lanes ? l.select(l.firstLanes(valid), x, l.zero(vector)) : x);
  }
  return vectors;
}

static Emitter::Values multiplyAdd(Lowering &l, const Product &p, Value m, int64_t mCount, Value n,
                                   int64_t nCount, Value k, int64_t valid, ValueRange sums) {
  Emitter::Values as = rowVectors(l, p.a, m, mCount, k, valid),
                  bs = rowVectors(l, p.b, n, nCount, k, valid), next;
  for (int64_t i = 0; i < mCount; ++i)
    for (int64_t j = 0; j < nCount; ++j)
      next.push_back(l.fma(as[i], bs[j], sums[i * nCount + j]));
  return next;
}

/// result = acc + sums for a block of mCount x nCount; `sums` has its rows one after the other.
static void addBlock(Lowering &l, const Product &p, Value m, int64_t mCount, Value n,
                     int64_t nCount, Value sums) {
  auto add = [&](Value row, Value col, Value x) {
    Value old = l.load(x.getType(), l.element(p.acc, row, col));
    l.store(l.add(old, x), l.element(p.result, row, col));
  };
  if (p.result.layout.column && mCount == accumulators)
    return add(m, n, sums);
  for (int64_t i = 0; i < mCount; ++i) {
    Value row = offset(l, m, i);
    if (nCount == 4) {
      add(row, n, l.shuffle(sums, sums, {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}));
      continue;
    }
    for (int64_t j = 0; j < nCount; ++j)
      add(row, offset(l, n, j), l.extractLane(sums, i * nCount + j));
  }
}

static void multiplyTransposed(Lowering &l, const Product &p) {
  int64_t nBlock = p.n >= 4 ? 4 : p.n >= 2 ? 2 : 1, mBlock = accumulators / nBlock;
  int64_t rest = p.k % lanes, full = p.k - rest;
  Value zero = l.zero(l.vector(l.f32Type()));
  forBlocks(l, p.m, mBlock, [&](Value m, int64_t mCount) {
    forBlocks(l, p.n, nBlock, [&](Value n, int64_t nCount) {
      Emitter::Values sums(mCount * nCount, zero);
      if (full)
        sums = l.loop(l.i64(0), l.i64(full), lanes, sums, [&](Value k, ValueRange sums) {
          return multiplyAdd(l, p, m, mCount, n, nCount, k, lanes, sums);
        });
      if (rest)
        sums = multiplyAdd(l, p, m, mCount, n, nCount, l.i64(full), rest, sums);
      sums.resize(accumulators, zero);
      addBlock(l, p, m, mCount, n, nCount, sumLanes(l, sums));
    });
  });
}

//===------------------------------------------------------------------------------------------===//
// a b
//===------------------------------------------------------------------------------------------===//

/// mCount rows x nCount vectors of `width` columns from (m, n).
static void multiplyBlock(Lowering &l, const Product &p, Value m, int64_t mCount, Value n,
                          int64_t nCount, int64_t width) {
  Type vector = l.vector(l.f32Type(), width);
  auto at = [&](const Stored &tile, int64_t i, int64_t j) {
    return l.element(tile, offset(l, m, i), offset(l, n, j * width));
  };
  Emitter::Values sums;
  for (int64_t i = 0; i < mCount; ++i)
    for (int64_t j = 0; j < nCount; ++j)
      sums.push_back(l.load(vector, at(p.acc, i, j)));
  sums = l.loop(l.i64(0), l.i64(p.k), 1, sums, [&](Value k, ValueRange sums) {
    Emitter::Values bs, next;
    for (int64_t j = 0; j < nCount; ++j)
      bs.push_back(l.load(vector, l.element(p.b, k, offset(l, n, j * width))));
    for (int64_t i = 0; i < mCount; ++i) {
      Value a = l.splat(l.load(l.f32Type(), l.element(p.a, offset(l, m, i), k)), width);
      for (int64_t j = 0; j < nCount; ++j)
        next.push_back(l.fma(a, bs[j], sums[i * nCount + j]));
    }
    return next;
  });
  for (int64_t i = 0; i < mCount; ++i)
    for (int64_t j = 0; j < nCount; ++j)
      l.store(sums[i * nCount + j], at(p.result, i, j));
}

static void multiply(Lowering &l, const Product &p) {
  // One column, contiguous in b and in the result: scalars, in the same order.
  int64_t width = p.n == 1 ? 1 : lanes;
  int64_t nVectors = (p.n + width - 1) / width, nBlock = std::min<int64_t>(nVectors, 2);
  int64_t mBlock = accumulators / nBlock;
  forBlocks(l, p.m, mBlock, [&](Value m, int64_t mCount) {
    forBlocks(l, nVectors, nBlock, [&](Value v, int64_t nCount) {
      multiplyBlock(l, p, m, mCount, l.mulAdd(v, width, l.i64(0)), nCount, width);
    });
  });
}

void cedilla::x86::lowerMma(Lowering &l, tile::MmaOp op) {
  tile::TileType acc = op.getAcc().getType();
  Product product{l.tile(op.getA()),
                  l.tile(op.getB()),
                  l.tile(op.getAcc()),
                  l.define(op->getResult(0)),
                  acc.getRows(),
                  acc.getCols(),
                  op.getA().getType().getCols()};
  if (op.getKn())
    multiply(l, product);
  else
    multiplyTransposed(l, product);
}
