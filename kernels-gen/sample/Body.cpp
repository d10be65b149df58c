//===- Body.cpp - sample: the kernels ---------------------------------------------------------------------===//

#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/sample/Sample.h"
#include "runtime/engine/Gumbel.h"

#include <limits>

using namespace mlir;
using namespace cedilla;

static constexpr int64_t lowest = std::numeric_limits<int32_t>::min();
static constexpr int64_t highest = std::numeric_limits<int32_t>::max();

namespace {
/// The numbers of Gumbel.h as values of a kernel.
struct KernelNumbers {
  using I = Value;
  using F = Value;
  Scalars &s;

  I integer(uint32_t x) { return s.i32(static_cast<int32_t>(x)); }
  F number(float x) { return s.f32(x); }
  Value add(Value x, Value y) { return s.add(x, y); }
  Value sub(Value x, Value y) { return s.sub(x, y); }
  Value mul(Value x, Value y) { return s.mul(x, y); }
  F div(F x, F y) { return s.div(x, y); }
  I bitXor(I x, I y) { return s.bitXor(x, y); }
  I bitAnd(I x, I y) { return arith::AndIOp::create(s.b, s.loc, x, y); }
  I shiftRight(I x, unsigned n) { return arith::ShRUIOp::create(s.b, s.loc, x, integer(n)); }
  F toNumber(I x) { return s.toF32(x); }
  I bitsOf(F x) { return arith::BitcastOp::create(s.b, s.loc, s.b.getI32Type(), x); }
  F ofBits(I x) { return arith::BitcastOp::create(s.b, s.loc, s.b.getF32Type(), x); }
};

/// How a row is chosen: scalars of its slot.
struct Settings {
  Value temperature; ///< f32; 0: the largest logit
  Value row;         ///< gumbelRow, i32
};
} // namespace

/// The score of an id.
static Value scoreOf(Scalars &s, Value logit, Value id, Settings settings) {
  KernelNumbers numbers{s};
  Value warm = s.add(s.div(logit, settings.temperature), gumbel(numbers, settings.row, id));
  return s.select(s.eq(settings.temperature, s.f32(0)), logit, warm);
}

/// An i32 that orders like the float: -0 as +0, NaN above everything.
static Value orderedKey(Scalars &s, Value x) {
  Value bits = arith::BitcastOp::create(s.b, s.loc, s.b.getI32Type(), s.add(x, s.f32(0)));
  Value flipped = s.bitXor(bits, s.i32(highest));
  return s.select(s.eq(x, x), s.select(s.lt(bits, s.i32(0)), flipped, bits), s.i32(highest));
}

namespace {
/// Of each column of the passes so far: the best key, and the id it belongs to.
struct Best {
  Value keys, ids;
};
} // namespace

/// One pass more: logits from id `from` on. Only a larger key replaces one, so the lowest of equal ids stays.
static Best takePass(KernelBuilder &k, Value logits, Value row, Value from, int64_t cols, int64_t vocabulary,
                     Settings settings, Best best) {
  Value left = k.sub(k.index(vocabulary), from), first = k.toI32(from);
  Value tile = k.load(logits, {row, from}, 1, cols, {{}, left});
  Value keys = k.map({tile}, k.i32(), [&](Scalars &s, ValueRange v) {
    Value id = s.add(first, s.coord(1));
    Value key = orderedKey(s, scoreOf(s, v[0], id, settings));
    return s.select(s.lt(id, s.i32(vocabulary)), key, s.i32(lowest));
  });
  SmallVector<tile::TileType> types(2, k.tileType(1, cols, k.i32()));
  SmallVector<Value> next = k.map({best.keys, best.ids, keys}, types, [&](Scalars &s, ValueRange v) {
    Value better = s.lt(v[0], v[2]);
    return SmallVector<Value>{s.select(better, v[2], v[0]), s.select(better, s.add(first, s.coord(1)), v[1])};
  });
  return {next[0], next[1]};
}

/// The choice of a row, [1, 1] i32.
static Value choose(KernelBuilder &k, Value logits, Value row, int64_t cols, int64_t vocabulary, Settings settings) {
  SmallVector<Value> none = {k.splatI32(lowest, 1, cols), k.splatI32(0, 1, cols)};
  SmallVector<Value> columns = k.loop(k.index(0), k.index(vocabulary), cols, none, [&](Value from, ValueRange v) {
    Best best = takePass(k, logits, row, from, cols, vocabulary, settings, {v[0], v[1]});
    return SmallVector<Value>{best.keys, best.ids};
  });
  Value key = k.reduce(tile::Combine::Max, columns[0], 1);
  Value ids = k.map({columns[0], columns[1], key}, k.i32(),
                    [](Scalars &s, ValueRange v) { return s.select(s.eq(v[0], v[2]), v[1], s.i32(highest)); });
  return k.map({key, k.reduce(tile::Combine::Min, ids, 1)}, k.i32(),
               [](Scalars &s, ValueRange v) { return s.select(s.eq(v[0], s.i32(highest)), s.i32(-1), v[1]); });
}

static void buildSample(KernelBuilder &k, ced::SampleOp op, int64_t cols) {
  int64_t vocabulary = op.getLogits().getType().getDimSize(1), size = op.getChosen().getType().getShape()[0];
  Value t = k.block(0);
  Scalars s = k.scalars();
  // Of a padding row neither slot nor position means anything: it is chosen for like others, and not stored.
  Value position = k.element(k.memory(op.getPositions()), {t}), isRow = s.le(s.i32(0), position);
  Value count = k.count(isRow), next = s.select(isRow, s.add(position, s.i32(1)), s.i32(-1));
  Value slot = k.toIndex(k.element(k.memory(op.getSlots()), {t}, count));
  Value temperature = k.element(k.memory(op.getSampling()), {slot, k.index(0)}, count);
  Value key = k.element(k.memory(op.getSampling()), {slot, k.index(1)}, count);
  KernelNumbers numbers{s};
  Settings settings{numbers.ofBits(temperature), gumbelRow(numbers, key, next)};

  Value choice = choose(k, k.memory(op.getLogits()), t, cols, vocabulary, settings);
  Value tokens = k.map({choice}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(isRow, s.max(v[0], s.i32(0)), s.i32(0));
  });
  Value nextTile = tile::SplatOp::create(k.builder(), k.loc(), k.tileType(1, 1, k.i32()), next);
  k.store(tokens, k.memory(op.getTokens()), {t});
  k.store(nextTile, k.memory(op.getNext()), {t});
  Value place = k.rem(k.toIndex(s.max(next, s.i32(0))), size);
  k.store(choice, k.memory(op.getNewChosen()), {slot, place}, {count});
}

static void buildSingleRows(KernelBuilder &k, ced::SingleRowsOp op) {
  constexpr int64_t rows = 32;
  Value from = k.mul(k.block(0), rows);
  Access left{{}, k.sub(k.rows(), from)};
  Value next = k.load(k.memory(op.getNext()), {from}, 1, rows, left);
  k.store(next, k.memory(op.getPositions()), {from}, left);
  k.store(next, k.memory(op.getStarts()), {from}, left);
}

FailureOr<tile::KernelOp> SampleFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  Operation &op = kernel.getBody().front().front();
  auto sample = dyn_cast<ced::SampleOp>(op);
  KernelBuilder k(builder, kernel, limits, {gridRows(builder.getContext(), sample ? 1 : 32)}, "phase");
  if (!sample) {
    buildSingleRows(k, cast<ced::SingleRowsOp>(op));
    return k.finish();
  }
  int64_t cols = configValue(kernel, "cols");
  if (cols <= 0 || cols % 32)
    return kernel.emitOpError("expected cols to be a positive multiple of 32, got ") << kernel.getConfig();
  buildSample(k, sample, cols);
  return k.finish();
}
