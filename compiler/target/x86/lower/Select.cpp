//===- Select.cpp - exact top-k of a row of bf16 scores ---------------------------------------===//
//
// Radix selection on 16-bit keys that order like the scores:
//   1. count the keys' high bytes; find the byte in which the k-th largest key lies;
//   2. count the low bytes of the keys with that high byte; find the k-th largest key itself;
//   3. walk the row once more in order and write the positions of larger keys, and of equal ones
//   until
//      k are written; then -1.
// Three passes whatever the scores are, no sort; 2 and 3 skip 8 scores at a time where none
// matters.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Select.h"
#include "compiler/target/x86/Lowering.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

namespace {
struct Selection {
  Value scores, out, count; ///< count >= 0
  int64_t k;
  bool dropLowest;
  Value histogram;
};
} // namespace

/// Keys are i32 in [0, 65536): larger scores, larger keys; -0 and +0 have the same.
static constexpr int64_t lowestKey = 0x007F; // of -inf

static Value keyOf(Lowering &l, Value score) {
  Value bits = l.extU(score, l.i32Type());
  bits = l.select(l.eq(bits, l.i32(0x8000, bits)), l.i32(0, bits), bits);
  Value negative = l.cmp(arith::CmpIPredicate::sge, bits, l.i32(0x8000, bits));
  return l.bitXor(bits, l.select(negative, l.i32(0xFFFF, bits), l.i32(0x8000, bits)));
}

static Value keysAt(Lowering &l, const Selection &s, Value i, int64_t n) {
  return keyOf(l, l.load(l.vector(l.i16(), n), l.address(s.scores, l.i16(), i)));
}

static Value atLeast(Lowering &l, Value x, Value y) {
  return l.cmp(arith::CmpIPredicate::sge, x, y);
}

/// Calls `body` with (position, key) for every score in order, carrying `init`; groups of 8 scores
/// are skipped where `matters(keys)` is false for all.
static Emitter::Values forScores(Lowering &l, const Selection &s, ValueRange init,
                                 function_ref<Value(Value)> matters,
                                 function_ref<Emitter::Values(Value, Value, ValueRange)> body) {
  auto single = [&](Value i, ValueRange carried) { return body(i, keysAt(l, s, i, 1), carried); };
  Value whole = l.bitAnd(s.count, l.i64(-lanes));
  auto carried = l.loop(l.i64(0), whole, lanes, init, [&](Value i, ValueRange carried) {
    auto group = [&] { return l.loop(i, l.mulAdd(i, 1, l.i64(lanes)), 1, carried, single); };
    if (!matters)
      return group();
    Value any = vector::ReductionOp::create(l.b, l.loc, vector::CombiningKind::OR,
                                            matters(keysAt(l, s, i, lanes)));
    return l.ifElse(any, carried.getTypes(), group, [&] { return Emitter::Values(carried); });
  });
  return l.loop(whole, s.count, 1, carried, single);
}

//===------------------------------------------------------------------------------------------===//
// Counting
//===------------------------------------------------------------------------------------------===//

static void clearHistogram(Lowering &l, const Selection &s) {
  Value zero = l.zero(l.vector(l.i32Type()));
  l.loop(selectScratchBytes / 4, lanes,
         [&](Value i) { l.store(zero, l.address(s.histogram, l.i32Type(), i)); });
}

/// Adds 1 to `bucket` (i32) of the copy that position i takes.
static void countOne(Lowering &l, const Selection &s, Value i, Value bucket) {
  Value copy = l.bitAnd(i, l.i64(selectCopies - 1));
  Value at = l.mulAdd(copy, selectHistogramEntries, l.extU(bucket, l.i64Type()));
  Value address = l.address(s.histogram, l.i32Type(), at);
  Value old = l.load(l.i32Type(), address);
  l.store(l.add(old, l.i32(1, old)), address);
}

namespace {
/// The bucket in which the wanted key lies, and how many are wanted of it and what is below.
struct Found {
  Value bucket, wanted;
};
} // namespace

/// From the highest bucket down: the first at which `wanted` keys have been seen. Where there are
/// fewer, bucket 0, from which then at most what is there is taken.
static Found findBucket(Lowering &l, const Selection &s, Value wanted) {
  Value zero = l.i32(0, wanted), no = l.zero(l.b.getI1Type());
  auto results =
      l.loop(l.i64(0), l.i64(selectHistogramEntries), 1, {zero, wanted, no},
             [&](Value i, ValueRange carried) {
               Value bucket = l.sub(l.i64(selectHistogramEntries - 1), i);
               Value here = zero;
               for (int64_t copy = 0; copy < selectCopies; ++copy) {
                 Value at = l.mulAdd(bucket, 1, l.i64(copy * selectHistogramEntries));
                 here = l.add(here, l.load(l.i32Type(), l.address(s.histogram, l.i32Type(), at)));
               }
               Value done = carried[2];
               Value last = l.eq(bucket, l.i64(0));
               Value hit = l.bitOr(atLeast(l, here, carried[1]), last);
               Value bucketNow = l.select(done, carried[0], l.trunc(bucket, l.i32Type()));
               Value wantedNow = l.select(l.bitOr(done, hit), carried[1], l.sub(carried[1], here));
               return Emitter::Values{bucketNow, wantedNow, l.bitOr(done, hit)};
             });
  return {results[0], results[1]};
}

//===------------------------------------------------------------------------------------------===//
// The three passes
//===------------------------------------------------------------------------------------------===//

static Found findHighByte(Lowering &l, const Selection &s) {
  clearHistogram(l, s);
  forScores(l, s, {}, nullptr, [&](Value i, Value key, ValueRange) {
    auto count = [&] { countOne(l, s, i, l.shru(key, 8)); };
    if (s.dropLowest)
      l.ifElse(l.cmp(arith::CmpIPredicate::ne, key, l.i32(lowestKey, key)), count);
    else
      count();
    return Emitter::Values{};
  });
  return findBucket(l, s, l.i32(s.k, l.i64(0)));
}

static Found findKey(Lowering &l, const Selection &s, const Found &high) {
  clearHistogram(l, s);
  auto inBucket = [&](Value keys) {
    Value bucket = isa<VectorType>(keys.getType()) ? l.splat(high.bucket) : high.bucket;
    Value is = l.eq(l.shru(keys, 8), bucket);
    if (s.dropLowest)
      is = l.bitAnd(is, l.cmp(arith::CmpIPredicate::ne, keys, l.i32(lowestKey, keys)));
    return is;
  };
  forScores(l, s, {}, inBucket, [&](Value i, Value key, ValueRange) {
    l.ifElse(inBucket(key), [&] { countOne(l, s, i, l.bitAnd(key, l.i32(0xFF, key))); });
    return Emitter::Values{};
  });
  Found low = findBucket(l, s, high.wanted);
  return {l.bitOr(l.shl(high.bucket, 8), low.bucket), low.wanted};
}

/// Writes positions in order; returns how many (i64).
static Value writePositions(Lowering &l, const Selection &s, const Found &kth) {
  auto candidate = [&](Value keys) {
    Value limit = isa<VectorType>(keys.getType()) ? l.splat(kth.bucket) : kth.bucket;
    Value is = atLeast(l, keys, limit);
    if (s.dropLowest)
      is = l.bitAnd(is, l.cmp(arith::CmpIPredicate::ne, keys, l.i32(lowestKey, keys)));
    return is;
  };
  auto results = forScores(
      l, s, {l.i64(0), kth.wanted}, candidate, [&](Value i, Value key, ValueRange carried) {
        Value written = carried[0], equalLeft = carried[1];
        Value larger = l.gt(key, kth.bucket);
        Value take =
            l.bitAnd(candidate(key), l.bitOr(larger, l.gt(equalLeft, l.i32(0, equalLeft))));
        return l.ifElse(
            take, ValueRange(carried).getTypes(),
            [&] {
              l.store(l.trunc(i, l.i32Type()), l.address(s.out, l.i32Type(), written));
              Value used = l.select(larger, l.i32(0, equalLeft), l.i32(1, equalLeft));
              return Emitter::Values{l.add(written, l.i64(1)), l.sub(equalLeft, used)};
            },
            [&] { return Emitter::Values(carried); });
      });
  return results[0];
}

void cedilla::x86::lowerSelectTopk(Lowering &l, tile::SelectTopkOp op) {
  Value count = l.max(l.scalar(op.getCount()), l.i64(0));
  Selection s{elementAddress(l, op.getScores(), op.getOffsets()),
              elementAddress(l, op.getOut(), op.getOutOffsets()),
              count,
              int64_t(op.getK()),
              op.getDropLowest(),
              l.address(l.arena, l.i8(), op->getAttrOfType<DenseI64ArrayAttr>("arena")[0])};
  Found kth = findKey(l, s, findHighByte(l, s));
  Value written = writePositions(l, s, kth);
  l.loop(written, l.i64(s.k), 1,
         [&](Value i) { l.store(l.i32(-1, l.i64(0)), l.address(s.out, l.i32Type(), i)); });
}
