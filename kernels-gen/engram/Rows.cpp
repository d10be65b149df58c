//===- Rows.cpp - engram: row numbers of the n-grams that end at each token -------------------------------===//
//
// One block a row, with one exception: the history of a sequence is read by its first `orders` rows of the
// step and written after its last, so the block of the first row computes those rows and then writes.
//
//===------------------------------------------------------------------------------------------===//

#include "kernels-gen/common/ScaledRows.h"
#include "kernels-gen/engram/Engram.h"

using namespace mlir;
using namespace cedilla;

namespace {
/// The sequence that the block's row belongs to.
struct Sequence {
  Value slot;     ///< index
  Value start;    ///< position of its first row in this step, index
  Value firstRow; ///< that row
};

class RowNumbers {
public:
  RowNumbers(KernelBuilder &k, ced::EngramRowsOp op) : k(k), op(op), s(k.scalars()) {}
  void build();

private:
  Value countRows(Value slot, Value from, Value to);
  Value compressed(Value row, Value exists);
  Value idBefore(const Sequence &sequence, Value row, int64_t back);
  void hashRow(const Sequence &sequence, Value row);
  void writeHistory(const Sequence &sequence, Value lastRow);
  Value numbersOf(int64_t layer, ArrayRef<Value> ids);

  KernelBuilder &k;
  ced::EngramRowsOp op;
  Scalars s;
};
} // namespace

/// Ids that stand for an image token or for what lies before the sequence.
static constexpr int64_t barrier = -1;

/// Rows in [from, to) that are no padding and have this slot, as an index.
Value RowNumbers::countRows(Value slot, Value from, Value to) {
  constexpr int64_t chunk = 64;
  Value slots = k.memory(op.getSlots()), positions = k.memory(op.getPositions()), wanted = k.toI32(slot);
  Value zero = k.splatI32(0, 1, 1);
  Value sum = k.loop(from, to, chunk, {zero}, [&](Value row, ValueRange carried) {
    Value left = k.sub(to, row), exist = k.toI32(left);
    Value slotTile = k.load(slots, {row}, 1, chunk, {{}, left});
    Value positionTile = k.load(positions, {row}, 1, chunk, {{}, left});
    Value ones = k.map({slotTile, positionTile}, k.i32(), [&](Scalars &s, ValueRange v) {
      Value counts = s.both(s.eq(v[0], wanted), s.le(s.i32(0), v[1]));
      return s.select(s.both(counts, s.lt(s.coord(1), exist)), s.i32(1), s.i32(0));
    });
    Value more = k.map({carried[0], k.reduce(tile::Combine::Add, ones, 1)}, k.i32(),
                       [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
    return SmallVector<Value>{more};
  })[0];
  return k.toIndex(k.extract(sum));
}

/// token_map of the row's token; the barrier for an image token, 0 where `exists` is false.
Value RowNumbers::compressed(Value row, Value exists) {
  int64_t vocabulary = cast<RankedTensorType>(op.getTokenMap().getType()).getDimSize(0);
  Value token = k.toIndex(k.element(k.memory(op.getTokens()), {row}, k.count(exists)));
  Value kind = k.element(k.memory(op.getKinds()), {row}, k.count(exists));
  Value known = s.both(s.le(k.index(0), token), s.lt(token, k.index(vocabulary)));
  Value id = k.element(k.memory(op.getTokenMap()), {token}, k.count(s.both(exists, known)));
  return s.select(s.eq(kind, s.i32(1)), s.i32(barrier), id);
}

/// The id `back` positions before a row of the sequence, i32: of this step, of the history, or the barrier.
Value RowNumbers::idBefore(const Sequence &sequence, Value row, int64_t back) {
  Value distance = k.sub(k.sub(row, sequence.firstRow), k.index(back)); // from the first row on
  Value position = k.add(sequence.start, distance);
  Value exists = s.le(k.index(0), position), inStep = s.both(exists, s.le(k.index(0), distance));
  Value inHistory = s.both(exists, s.lt(distance, k.index(0)));
  // Newest first: the one just before the step is number 0.
  Value number = k.sub(k.index(-1), distance);
  Value old = k.element(k.memory(op.getHistory()), {sequence.slot, number}, k.count(inHistory));
  Value id = s.select(inStep, compressed(k.sub(row, k.index(back)), inStep), old);
  return s.select(exists, id, s.i32(barrier));
}

/// The layer's numbers, [1, orders * heads] i64.
Value RowNumbers::numbersOf(int64_t layer, ArrayRef<Value> ids) {
  int64_t orders = op.getOrders(), heads = op.getHeads(), columns = orders * heads;
  ArrayRef<int64_t> multipliers = op.getMultipliers().slice(layer * (orders + 1), orders + 1);
  SmallVector<Value> mixed; // of 2, 3, .. ids
  Value so;
  for (auto [id, multiplier] : llvm::zip(ids, multipliers)) {
    Value product = s.mul(id, s.i64(multiplier));
    if (so)
      mixed.push_back(so = s.bitXor(so, product));
    else
      so = product;
  }
  Value primes = k.constant(op.getPrimes().slice(layer * columns, columns));
  Value offsets = k.constant(op.getOffsets().slice(layer * columns, columns));
  return k.map({primes, offsets}, k.i64(), [&](Scalars &s, ValueRange v) {
    Value hash = mixed[0], column = s.coord(1);
    for (int64_t order = 1; order < orders; ++order)
      hash = s.select(s.lt(column, s.i32(order * heads)), hash, mixed[order]);
    return s.add(s.mod(hash, v[0]), v[1]);
  });
}

void RowNumbers::hashRow(const Sequence &sequence, Value row) {
  Value pad = k.element(k.memory(op.getTokenMap()), {k.index(op.getPad())});
  SmallVector<Value> ids;
  Value open; // no barrier so far, looking back
  for (uint64_t back = 0; back <= op.getOrders(); ++back) {
    Value id = idBefore(sequence, row, back), isToken = s.le(s.i32(0), id);
    open = open ? s.both(open, isToken) : isToken;
    ids.push_back(s.toI64(s.select(open, id, pad)));
  }
  for (uint64_t layer = 0; layer < op.getLayers(); ++layer)
    k.store(numbersOf(layer, ids), k.memory(op.getRows()), {row, k.index(layer), k.index(0)});
}

void RowNumbers::writeHistory(const Sequence &sequence, Value lastRow) {
  SmallVector<Value> ids; // all read before the first is written
  for (uint64_t back = 0; back < op.getOrders(); ++back)
    ids.push_back(idBefore(sequence, lastRow, back));
  for (auto [back, id] : llvm::enumerate(ids)) {
    Value tile = tile::SplatOp::create(k.builder(), k.loc(), k.tileType(1, 1, k.i32()), id);
    k.store(tile, k.memory(op.getNewHistory()), {sequence.slot, k.index(back)});
  }
}

void RowNumbers::build() {
  Value t = k.block(0), zero = k.index(0);
  Value position = rowFact(k, op.getPositions(), t), start = rowFact(k, op.getStarts(), t);
  Value isPadding = s.lt(position, zero), distance = k.sub(position, start);
  Value isFirst = s.both(s.eq(distance, zero), s.le(zero, position));
  // A padding row is a sequence of its own far before position 0: all barriers, numbers that exist.
  start = s.select(isPadding, k.index(-(1 << 20)), start);
  Sequence sequence{rowFact(k, op.getSlots(), t), start,
                    k.sub(t, s.select(isPadding, zero, distance))};

  Value count = countRows(sequence.slot, t, s.select(isFirst, k.rows(), t));
  Value orders = k.index(op.getOrders());
  Value alone = s.either(isPadding, s.le(orders, distance));
  Value end = k.add(t, s.select(isFirst, k.min(count, orders), k.count(alone)));
  k.loop(t, end, 1, [&](Value row) { hashRow(sequence, row); });
  k.ifThen(isFirst, [&] { writeHistory(sequence, k.sub(k.add(t, count), k.index(1))); });
}

void cedilla::buildEngramRows(KernelBuilder &k, ced::EngramRowsOp op) { RowNumbers(k, op).build(); }
