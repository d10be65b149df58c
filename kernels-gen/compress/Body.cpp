//===- Body.cpp - compress: the kernel ---------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/compress/Compress.h"

#include <limits>

using namespace mlir;
using namespace cedilla;

namespace {
/// `rows` rows of the step from `row0` on, and the channels of the block.
class Rows {
public:
  Rows(KernelBuilder &k, ced::CompressOp op, Value row0, int64_t rows, Value channel, int64_t channels, Value channelsLeft);

  /// Results of the rows: bf16 means of the groups that they close, else 0.
  void pool();
  /// Writes the tokens of groups that no row of the step closes.
  void keepOpen();

private:
  enum Part { Latent = 0, Gate = 1 };
  using Condition = std::function<Value(Scalars &, Value position)>;

  /// Token `i` (i32) of each closing row's group, 0 in the other rows.
  Value token(Part part, Value i);
  /// Sum over the tokens of a group, oldest first.
  Value sumTokens(const std::function<Value(Value i)> &term);
  Value map(ArrayRef<Value> inputs, const std::function<Value(Scalars &, ValueRange)> &body) {
    return k.map(inputs, k.i32(), body);
  }
  Value f32Map(ArrayRef<Value> inputs, const std::function<Value(Scalars &, ValueRange)> &body) {
    return k.map(inputs, k.f32(), body);
  }
  /// Row of the flattened state [slots x (ratio - 1) x 2] with the latent of token `i` of `slot`.
  Value stateRow(Scalars &s, Value slot, Value i) {
    return s.mul(s.add(s.mul(slot, s.i32(ratio - 1)), i), s.i32(2));
  }

  KernelBuilder &k;
  ced::CompressOp op;
  int64_t ratio, rows, channels;
  Value row0, rowsLeft, channel, channelsLeft;
  Value positions, slots, starts; ///< [rows, 1]; positions are -1 where there is no row
};
} // namespace

Rows::Rows(KernelBuilder &k, ced::CompressOp op, Value row0, int64_t rows, Value channel, int64_t channels,
           Value channelsLeft)
    : k(k), op(op), ratio(op.getRatio()), rows(rows), channels(channels), row0(row0), rowsLeft(k.sub(k.rows(), row0)),
      channel(channel), channelsLeft(channelsLeft) {
  auto load = [&](Value cedValue) { return k.load(k.memory(cedValue), {row0}, rows, 1, {rowsLeft, {}, {{0, -1}}}); };
  slots = load(op.getSlots());
  starts = load(op.getStarts());
  Value left = k.toI32(rowsLeft);
  positions = map({load(op.getPositions())},
                  [&](Scalars &s, ValueRange v) { return s.select(s.lt(s.coord(0), left), v[0], s.i32(-1)); });
}

//===------------------------------------------------------------------------------------------===//
// Closed groups
//===------------------------------------------------------------------------------------------===//

Value Rows::token(Part part, Value i) {
  Value first = k.toI32(row0);
  auto types = SmallVector<tile::TileType>(2, k.tileType(rows, 1, k.i32()));
  SmallVector<Value> from = k.map({positions, slots, starts}, types, [&](Scalars &s, ValueRange v) {
    Value none = s.i32(-1), last = s.i32(ratio - 1), back = s.sub(last, i);
    Value closes = s.both(s.le(s.i32(0), v[0]), s.eq(s.rem(v[0], s.i32(ratio)), last));
    Value old = s.lt(s.sub(v[0], back), v[2]);
    Value fresh = s.sub(s.add(first, s.coord(0)), back);
    return SmallVector<Value>{s.select(closes, s.select(old, none, fresh), none),
                              s.select(s.both(closes, old), stateRow(s, v[1], i), none)};
  });
  Value zero = k.index(0);
  Value fresh = k.gather(k.memory(part == Latent ? op.getLatent() : op.getGate()), {zero, channel}, from[0], channels,
                         {{}, channelsLeft});
  Value old = k.gather(k.memory(op.getOpen()), {zero, zero, k.index(part), channel}, from[1], channels, {{}, channelsLeft});
  // A token lies in one of the two; the other gives 0.
  return f32Map({fresh, old}, [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
}

Value Rows::sumTokens(const std::function<Value(Value i)> &term) {
  return k.loop(k.index(0), k.index(ratio), 1, {k.splat(0, rows, channels)}, [&](Value i, ValueRange carried) {
    auto plus = [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); };
    return SmallVector<Value>{f32Map({carried[0], term(k.toI32(i))}, plus)};
  })[0];
}

void Rows::pool() {
  Value lowest = k.splat(-std::numeric_limits<double>::infinity(), rows, channels);
  Value largest = k.loop(k.index(0), k.index(ratio), 1, {lowest}, [&](Value i, ValueRange carried) {
    auto max = [](Scalars &s, ValueRange v) { return s.max(v[0], v[1]); };
    return SmallVector<Value>{f32Map({carried[0], token(Gate, k.toI32(i))}, max)};
  })[0];
  auto exponential = [](Scalars &s, Value gate, Value largest) { return s.exp(s.sub(gate, largest)); };
  Value sum = sumTokens([&](Value i) {
    return f32Map({token(Gate, i), largest}, [&](Scalars &s, ValueRange v) { return exponential(s, v[0], v[1]); });
  });
  Value mean = sumTokens([&](Value i) {
    return f32Map({token(Gate, i), largest, sum, token(Latent, i)}, [&](Scalars &s, ValueRange v) {
      return s.mul(s.div(exponential(s, v[0], v[1]), v[2]), v[3]);
    });
  });
  Value result = k.map({mean}, k.bf16(), [](Scalars &s, ValueRange v) { return s.toBF16(v[0]); });
  k.store(result, k.memory(op.getResult()), {row0, channel}, {rowsLeft, channelsLeft});
}

//===------------------------------------------------------------------------------------------===//
// Open groups
//===------------------------------------------------------------------------------------------===//

void Rows::keepOpen() {
  // The row that will close each row's group, -1 where this step has no such row.
  Value first = k.toI32(row0), count = k.toI32(k.rows());
  Value closing = map({positions}, [&](Scalars &s, ValueRange v) {
    Value ahead = s.sub(s.i32(ratio - 1), s.rem(v[0], s.i32(ratio)));
    Value row = s.add(s.add(first, s.coord(0)), ahead);
    return s.select(s.both(s.le(s.i32(0), v[0]), s.lt(row, count)), row, s.i32(-1));
  });
  auto there = [&](Value cedValue) { return k.gather(k.memory(cedValue), {k.index(0)}, closing, 1, {{}, {}, {{0, -1}}}); };
  Value kept = map({positions, slots, closing, there(op.getPositions()), there(op.getSlots())}, [&](Scalars &s, ValueRange v) {
    Value none = s.i32(-1), zero = s.i32(0);
    Value closed = s.both(s.le(zero, v[2]), s.both(s.le(zero, v[3]), s.eq(v[4], v[1])));
    Value row = stateRow(s, v[1], s.rem(v[0], s.i32(ratio)));
    return s.select(s.lt(v[0], zero), none, s.select(closed, none, row));
  });
  for (Part part : {Latent, Gate}) {
    Value memory = k.memory(part == Latent ? op.getLatent() : op.getGate());
    Value rowsOfPart = k.load(memory, {row0, channel}, rows, channels, {rowsLeft, channelsLeft});
    k.scatter(rowsOfPart, k.memory(op.getNewOpen()), {k.index(0), k.index(0), k.index(part), channel}, kept,
              {{}, channelsLeft});
  }
}

//===------------------------------------------------------------------------------------------===//
// The kernel
//===------------------------------------------------------------------------------------------===//

FailureOr<tile::KernelOp> CompressFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  auto op = cast<ced::CompressOp>(kernel.getBody().front().front());
  int64_t channels = configValue(kernel, "block_c"), rows = configValue(kernel, "block_m");
  if (channels <= 0 || rows <= 0)
    return kernel.emitOpError("expected positive block_c and block_m, got ") << kernel.getConfig();
  int64_t cols = cast<RankedTensorType>(op.getLatent().getType()).getShape()[1];
  KernelBuilder k(builder, kernel, limits, {gridBlocks(builder.getContext(), ceilDiv(cols, channels))}, "phase");
  Value channel = k.mul(k.block(0), channels);
  Value left = cols % channels ? k.sub(k.index(cols), channel) : Value();
  k.loop(k.index(0), k.rows(), rows, [&](Value row0) {
    Rows step(k, op, row0, rows, channel, channels, left);
    step.pool();
    step.keepOpen();
  });
  return k.finish();
}
