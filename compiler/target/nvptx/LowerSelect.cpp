//===- LowerSelect.cpp - exact top-k of a row of bf16 scores ----------------------------------===//
//
// Radix selection on 16-bit keys that order like the scores:
//   1. count the keys' high bytes in shared memory; one warp finds the byte in which the k-th
//      largest key lies;
//   2. count the low bytes of the keys with that high byte; find the k-th largest key itself;
//   3. every warp counts the larger and the equal keys of its own stretch of the row;
//   4. every warp walks its stretch again and writes the positions of what is taken: where one goes
//      follows from the counts of the warps, lanes and elements before it.
// Four passes whatever the scores are, nothing depends on the order in which threads run: sums of
// integers are the same in every order.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Alignment.h"
#include "compiler/target/nvptx/Lowering.h"
#include "compiler/target/nvptx/Scratch.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

// Scores that a thread takes at once.
static constexpr int64_t run = 8;
static constexpr int64_t lowestKey = 0x007F; // of -inf
static constexpr int64_t perLane = SelectScratch::buckets / warpSize;

namespace {
/// The bucket in which the wanted key lies, and how many are wanted of it and what is below.
struct Found {
  Value bucket, wanted;
};

class Selection {
public:
  Selection(Code &code, tile::SelectTopkOp op, Value scores, Value out, Value count, Value scratch,
            Value thread, int64_t threads)
      : code(code), b(code.b), k(op.getK()), dropLowest(op.getDropLowest()),
        alignment(knownAlignment(cast<MemRefType>(op.getScores().getType()), op.getOffsets())),
        scores(scores), out(out), count(count), scratch(scratch), thread(thread),
        lane(code.rem(thread, warpSize)), warp(code.div(thread, warpSize)), threads(threads) {}

  void build();

private:
  Value keyOf(Value bits);
  Words keysAt(Value position);
  Words loop(Value from, Value to, Value step, ArrayRef<Value> init,
             function_ref<Words(Value, ArrayRef<Value>)> body);
  void clearHistogram();
  void countKeys(function_ref<std::pair<Value, Value>(Value)> bucketOf);
  Found findBucket(Value wanted);
  Value inclusiveSum(Value value);

  Value is(arith::CmpIPredicate kind, Value x, Value y) { return code.compare(kind, x, y); }
  Value one(Value condition) { return code.unsignedTo32(condition); }
  Value smaller(Value x, Value y) { return arith::MinSIOp::create(b, code.loc, x, y); }
  Value loadAt(int64_t offset) { return code.load(code.i32(), code.at(scratch, offset), 4); }

  Code &code;
  OpBuilder &b;
  int64_t k;
  bool dropLowest;
  int64_t alignment; ///< of the row
  Value scores, out, count, scratch, thread, lane, warp;
  int64_t threads;
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// Keys
//===------------------------------------------------------------------------------------------===//

/// 0 to 65535: larger scores, larger keys; -0 and +0 have the same. -1 for what is never taken.
Value Selection::keyOf(Value bits) {
  bits = code.select(code.equal(bits, 0x8000), code.constant(0), bits);
  Value negative = is(arith::CmpIPredicate::uge, bits, code.constant(0x8000));
  Value key =
      code.xorBits(bits, code.select(negative, code.constant(0xFFFF), code.constant(0x8000)));
  if (!dropLowest)
    return key;
  return code.select(code.equal(key, lowestKey), code.constant(~0u), key);
}

/// Of `run` scores from a position on that is a multiple of `run`; -1 behind the last.
Words Selection::keysAt(Value position) {
  Value address = code.at(scores, code.mul(code.to64(position), 2));
  auto whole = [&] {
    Words keys;
    int64_t width = std::min<int64_t>(alignment, 2 * run);
    for (int64_t byte = 0; byte < 2 * run; byte += width) {
      Value from = code.at(address, byte);
      if (width == 2) {
        keys.push_back(keyOf(code.unsignedTo32(code.load(b.getI16Type(), from, 2))));
        continue;
      }
      for (int64_t i = 0; i < width / 4; ++i) {
        Value word = width == 4 ? code.load(code.i32(), from, 4) : Value();
        if (!word) { // one wide access; LLVM joins the words of it
          Value wide = code.load(VectorType::get({width / 4}, code.i32()), from, width);
          word = code.element(wide, i);
        }
        keys.push_back(keyOf(code.andBits(word, 0xFFFF)));
        keys.push_back(keyOf(code.shr(word, 16)));
      }
    }
    return keys;
  };
  auto single = [&] {
    Words keys;
    for (int64_t i = 0; i < run; ++i)
      keys.append(code.choose(
          code.less(code.add(position, i), count),
          [&] {
            Value score = code.load(b.getI16Type(), code.at(address, 2 * i), 2);
            return Words{keyOf(code.unsignedTo32(score))};
          },
          [&] { return Words{code.constant(~0u)}; }));
    return keys;
  };
  return code.choose(code.less(code.add(position, run - 1), count), whole, single);
}

Words Selection::loop(Value from, Value to, Value step, ArrayRef<Value> init,
                      function_ref<Words(Value, ArrayRef<Value>)> body) {
  auto op = scf::ForOp::create(b, code.loc, from, to, step, init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  Words carried(op.getRegionIterArgs());
  Words next = body(op.getInductionVar(), carried);
  if (!init.empty())
    scf::YieldOp::create(b, code.loc, next);
  return Words(op.getResults());
}

//===------------------------------------------------------------------------------------------===//
// Counting
//===------------------------------------------------------------------------------------------===//

void Selection::clearHistogram() {
  loop(thread, code.constant(SelectScratch::buckets * SelectScratch::copies),
       code.constant(threads), {}, [&](Value i, ArrayRef<Value>) {
         code.store(code.constant(0), code.at(scratch, code.mul(i, 4)), 4);
         return Words{};
       });
  code.barrier();
}

/// Adds 1 to the bucket of every key that has one (second: whether). Neighbours count into
/// different copies, so that equal keys seldom wait for each other.
void Selection::countKeys(function_ref<std::pair<Value, Value>(Value)> bucketOf) {
  Value copy = code.mul(code.rem(thread, SelectScratch::copies), SelectScratch::buckets * 4);
  Value histogram = code.at(scratch, copy);
  loop(code.mul(thread, run), count, code.constant(threads * run), {},
       [&](Value position, ArrayRef<Value>) {
         for (Value key : keysAt(position)) {
           auto [bucket, counts] = bucketOf(key);
           code.when(counts, [&, bucket = bucket] {
             LLVM::AtomicRMWOp::create(b, code.loc, LLVM::AtomicBinOp::add,
                                       code.at(histogram, code.mul(bucket, 4)), code.constant(1),
                                       LLVM::AtomicOrdering::monotonic);
           });
         }
         return Words{};
       });
  code.barrier();
}

/// Of the lanes up to this one.
Value Selection::inclusiveSum(Value value) {
  for (int64_t distance = 1; distance < warpSize; distance *= 2) {
    Value below = code.fromLaneBelow(value, distance);
    Value exists = is(arith::CmpIPredicate::sge, lane, code.constant(distance));
    value = code.add(value, code.select(exists, below, code.constant(0)));
  }
  return value;
}

/// From the highest bucket down: the first at which `wanted` keys have been seen. Where there are
/// fewer, bucket 0, from which then at most what is there is taken. Lanes of the first warp have
/// eight buckets each; the one that has the bucket tells the block.
Found Selection::findBucket(Value wanted) {
  code.when(code.less(thread, code.constant(warpSize)), [&] {
    Words here;
    Value all = code.constant(0), top = code.mul(lane, -4 * perLane);
    for (int64_t i = 0; i < perLane; ++i) {
      Value sum;
      for (int64_t copy = 0; copy < SelectScratch::copies; ++copy) {
        int64_t at = 4 * (copy * SelectScratch::buckets + SelectScratch::buckets - 1 - i);
        Value part = code.load(code.i32(), code.at(code.at(scratch, top), at), 4);
        sum = sum ? code.add(sum, part) : part;
      }
      here.push_back(sum);
      all = code.add(all, sum);
    }
    Value seen = code.sub(inclusiveSum(all), all);
    Value highest = code.sub(code.constant(SelectScratch::buckets - 1), code.mul(lane, perLane));
    for (int64_t i = 0; i < perLane; ++i) {
      Value after = code.add(seen, here[i]), bucket = code.add(highest, -i);
      Value reaches =
          code.both(code.less(seen, wanted), is(arith::CmpIPredicate::sge, after, wanted));
      Value last = code.both(code.equal(bucket, 0), code.less(seen, wanted));
      code.when(code.orBits(reaches, last), [&] {
        code.store(bucket, code.at(scratch, SelectScratch::found), 4);
        code.store(code.sub(wanted, seen), code.at(scratch, SelectScratch::found + 4), 4);
      });
      seen = after;
    }
  });
  code.barrier();
  return {loadAt(SelectScratch::found), loadAt(SelectScratch::found + 4)};
}

//===------------------------------------------------------------------------------------------===//
// The passes
//===------------------------------------------------------------------------------------------===//

void Selection::build() {
  Value none = code.constant(0), warps = code.constant(threads / warpSize);
  clearHistogram();
  countKeys([&](Value key) {
    return std::pair(code.shr(key, 8), is(arith::CmpIPredicate::sge, key, none));
  });
  Found high = findBucket(code.constant(k));
  clearHistogram();
  countKeys([&](Value key) { // a key of -1 has no such high byte
    return std::pair(code.andBits(key, 0xFF),
                     is(arith::CmpIPredicate::eq, code.shr(key, 8), high.bucket));
  });
  Found low = findBucket(high.wanted);
  Value kth = code.orBits(code.shl(high.bucket, 8), low.bucket);

  // A warp's stretch is whole rounds of what its lanes take at once.
  constexpr int64_t round = warpSize * run;
  Value rounds = code.div(code.add(count, round - 1), round);
  Value each = arith::CeilDivUIOp::create(b, code.loc, rounds, warps);
  Value begin = code.mul(code.mul(warp, each), round);
  Value end = smaller(code.add(begin, code.mul(each, round)), count);
  auto walk = [&](ArrayRef<Value> init,
                  function_ref<Words(Value, ArrayRef<Value>, ArrayRef<Value>)> body) {
    return loop(begin, end, code.constant(round), init, [&](Value from, ArrayRef<Value> carried) {
      Value position = code.add(from, code.mul(lane, run));
      return body(position, keysAt(position), carried);
    });
  };
  auto larger = [&](Value key) { return is(arith::CmpIPredicate::sgt, key, kth); };
  auto equal = [&](Value key) { return is(arith::CmpIPredicate::eq, key, kth); };

  Words mine = walk({none, none}, [&](Value, ArrayRef<Value> keys, ArrayRef<Value> carried) {
    Words sums(carried);
    for (Value key : keys) {
      sums[0] = code.add(sums[0], one(larger(key)));
      sums[1] = code.add(sums[1], one(equal(key)));
    }
    return sums;
  });
  for (Value &sum : mine)
    for (int64_t mask = 1; mask < warpSize; mask *= 2)
      sum = code.add(sum, code.fromLane(sum, mask));
  code.when(code.equal(lane, 0), [&] {
    Value place = code.at(code.at(scratch, SelectScratch::counts), code.mul(warp, 8));
    code.store(mine[0], place, 4);
    code.store(mine[1], code.at(place, 4), 4);
  });
  code.barrier();

  // Before this warp, and all: {larger, equal}.
  Words sums =
      loop(none, warps, code.constant(1), {none, none, none, none},
           [&](Value i, ArrayRef<Value> carried) {
             Words next;
             Value place = code.at(code.at(scratch, SelectScratch::counts), code.mul(i, 8));
             Value earlier = code.less(i, warp);
             for (int64_t which : {0, 1}) {
               Value number = code.load(code.i32(), code.at(place, 4 * which), 4);
               next.push_back(code.add(carried[2 * which], code.select(earlier, number, none)));
               next.push_back(code.add(carried[2 * which + 1], number));
             }
             return next;
           });
  walk({sums[0], sums[2]}, [&](Value position, ArrayRef<Value> keys, ArrayRef<Value> carried) {
    // Both counts of a round fit 16 bits.
    Value both = none;
    for (Value key : keys)
      both = code.add(both, code.orBits(one(larger(key)), code.shl(one(equal(key)), 16)));
    Value upTo = inclusiveSum(both), before = code.sub(upTo, both);
    Value larges = code.add(carried[0], code.andBits(before, 0xFFFF));
    Value equals = code.add(carried[1], code.shr(before, 16));
    for (auto [i, key] : llvm::enumerate(keys)) {
      Value isLarger = larger(key), isEqual = equal(key);
      Value taken = code.orBits(isLarger, code.both(isEqual, code.less(equals, low.wanted)));
      Value place = code.add(larges, smaller(equals, low.wanted));
      code.when(taken, [&, i = i] {
        code.store(code.add(position, i), code.at(out, code.mul(place, 4)), 4);
      });
      larges = code.add(larges, one(isLarger));
      equals = code.add(equals, one(isEqual));
    }
    Value round = code.broadcast(upTo, code.constant(warpSize - 1));
    return Words{code.add(carried[0], code.andBits(round, 0xFFFF)),
                 code.add(carried[1], code.shr(round, 16))};
  });
  Value written = code.add(sums[1], smaller(sums[3], low.wanted));
  loop(code.add(written, thread), code.constant(k), code.constant(threads), {},
       [&](Value i, ArrayRef<Value>) {
         code.store(code.constant(~0u), code.at(out, code.mul(i, 4)), 4);
         return Words{};
       });
}

LogicalResult Lowering::lowerSelectTopk(tile::SelectTopkOp op) {
  FailureOr<SharedRange> range = scratchOf(op);
  if (failed(range))
    return failure();
  Value scores = elementAddress(op.getScores(), op.getOffsets(), scalars);
  Value out = elementAddress(op.getOut(), op.getOutOffsets(), scalars);
  Value count = arith::MaxSIOp::create(
      b, code.loc, code.to32(code.indexTo64(scalars.lookup(op.getCount()))), code.constant(0));
  writeShared(*range);
  Selection(code, op, scores, out, count, code.at(sharedBase, range->begin), thread,
            getConfig(kernel, "warps", 1) * chip.warp)
      .build();
  hazards.written.clear(); // it has met often enough since
  hazards.read.push_back(*range);
  return success();
}
