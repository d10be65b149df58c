//===- Body.cpp - route: the kernel --------------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/route/Route.h"

#include <limits>

using namespace mlir;
using namespace cedilla;

/// An i32 that orders like the float: -0 as +0, NaN as -inf, everything above the lowest i32.
static Value orderedKey(Scalars &s, Value x) {
  Value number = s.select(s.eq(x, x), x, s.f32(-std::numeric_limits<double>::infinity()));
  Value bits = arith::BitcastOp::create(s.b, s.loc, s.b.getI32Type(), s.add(number, s.f32(0)));
  Value flipped = s.bitXor(bits, s.i32(std::numeric_limits<int32_t>::max()));
  return s.select(s.lt(bits, s.i32(0)), flipped, bits);
}

/// sqrt(softplus(logit))
static Value routerScore(Scalars &s, Value logit) {
  Value softplus = s.select(s.lt(s.f32(20), logit), logit, s.log1p(s.exp(logit)));
  return s.sqrt(softplus);
}

namespace {
/// Scores of a tile of rows, and the keys by which experts are taken.
struct Scored {
  Value scores; ///< [rows, experts] f32
  Value keys;   ///< [rows, experts] i32; the lowest i32 is never taken
};

/// What has been taken so far, one column per choice.
struct Taken {
  Value keys, ids, scores, sum;
  static Taken of(ValueRange v) { return {v[0], v[1], v[2], v[3]}; }
  SmallVector<Value> values() const { return {keys, ids, scores, sum}; }
};
} // namespace

static constexpr int32_t lowest = std::numeric_limits<int32_t>::min();

static Scored scoreExperts(KernelBuilder &k, ced::RouteOp op, Value row0, Value rowsLeft, int64_t rows, int64_t experts) {
  int64_t cols = tileWidth(experts);
  Access perRow{rowsLeft, k.cut(experts)}, bias{{}, k.cut(experts)};
  Value logits = k.load(k.memory(op.getLogits()), {row0, k.index(0)}, rows, cols, perRow);
  Value text = k.load(k.memory(op.getBias()), {k.index(0)}, 1, cols, bias);
  Value image = k.load(k.memory(op.getBiasVl()), {k.index(0)}, 1, cols, bias);
  Value kinds = k.load(k.memory(op.getKinds()), {row0}, rows, 1, {rowsLeft, {}, {{0, -1}}});
  Value scores = k.map({logits}, k.f32(), [](Scalars &s, ValueRange v) { return routerScore(s, v[0]); });
  // The bias steers the choice only.
  Value keys = k.map({scores, text, image, kinds}, k.i32(), [&](Scalars &s, ValueRange v) {
    Value key = orderedKey(s, s.add(v[0], s.select(s.eq(v[3], s.i32(1)), v[2], v[1])));
    return s.select(s.lt(s.coord(1), s.i32(experts)), key, s.i32(lowest));
  });
  return {scores, keys};
}

/// The best expert left, the lowest of equal ones, becomes choice `number` (i32).
static Taken takeBest(KernelBuilder &k, Value scores, Taken old, Value number) {
  Value best = k.reduce(tile::Combine::Max, old.keys, 1);
  Value places = k.map({old.keys, best}, k.i32(), [](Scalars &s, ValueRange v) {
    return s.select(s.eq(v[0], v[1]), s.coord(1), s.i32(std::numeric_limits<int32_t>::max()));
  });
  Value expert = k.reduce(tile::Combine::Min, places, 1);
  // One element is not 0: the sum is that element.
  Value score = k.reduce(tile::Combine::Add, k.map({scores, expert}, k.f32(), [](Scalars &s, ValueRange v) {
    return s.select(s.eq(s.coord(1), v[1]), v[0], s.f32(0));
  }), 1);
  auto atNumber = [&](Value list, Value value, Type element) {
    return k.map({list, value}, element,
                 [&](Scalars &s, ValueRange v) { return s.select(s.eq(s.coord(1), number), v[1], v[0]); });
  };
  Taken now;
  now.keys = k.map({old.keys, expert}, k.i32(), [](Scalars &s, ValueRange v) {
    return s.select(s.eq(s.coord(1), v[1]), s.i32(lowest), v[0]);
  });
  now.ids = atNumber(old.ids, expert, k.i32());
  now.scores = atNumber(old.scores, score, k.f32());
  now.sum = k.map({old.sum, score}, k.f32(), [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  return now;
}

FailureOr<tile::KernelOp> RouteFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  auto op = cast<ced::RouteOp>(kernel.getBody().front().front());
  int64_t rows = configValue(kernel, "block_m");
  if (rows <= 0)
    return kernel.emitOpError("expected a positive block_m, got ") << kernel.getConfig();
  int64_t experts = cast<RankedTensorType>(op.getLogits().getType()).getShape()[1];
  int64_t chosen = cast<RankedTensorType>(op.getIds().getType()).getShape()[1];

  KernelBuilder k(builder, kernel, limits, {gridRows(builder.getContext(), rows)}, "phase");
  Value row0 = k.mul(k.block(0), rows), rowsLeft = k.sub(k.rows(), row0);
  Scored scored = scoreExperts(k, op, row0, rowsLeft, rows, experts);
  int64_t width = tileWidth(chosen);
  Taken taken{scored.keys, k.splatI32(0, rows, width), k.splat(0, rows, width), k.splat(0, rows, 1)};
  taken = Taken::of(k.loop(k.index(0), k.index(chosen), 1, taken.values(), [&](Value i, ValueRange carried) {
    return takeBest(k, scored.scores, Taken::of(carried), k.toI32(i)).values();
  }));

  double scale = op.getRouteScale().convertToDouble();
  Value weights = k.map({taken.scores, taken.sum}, k.f32(), [&](Scalars &s, ValueRange v) {
    Value share = chosen == 1 ? v[0] : s.div(v[0], s.add(v[1], s.f32(1e-20)));
    return s.mul(s.f32(scale), share);
  });
  Access out{rowsLeft, k.cut(chosen)};
  k.store(taken.ids, k.memory(op.getIds()), {row0, k.index(0)}, out);
  k.store(weights, k.memory(op.getWeights()), {row0, k.index(0)}, out);
  return k.finish();
}
