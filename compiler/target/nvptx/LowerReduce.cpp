//===- LowerReduce.cpp - tile.reduce
//-----------------------------------------------------------===//
//
// The order, which follows from the layout alone and so from the tile's shape and the config:
//   1. a thread combines its own elements in the order of the dim;
//   2. lanes that share the dim are combined in pairs: neighbours first, then pairs of pairs;
//   3. warps that share the dim are combined one after the other, in the order of the dim.
// Both lanes of a pair compute the same, and every warp adds all warps' parts: all threads end with
// the same bits.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"
#include "compiler/target/nvptx/Scratch.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

static Value combine(Code &code, tile::Combine kind, Value x, Value y) {
  OpBuilder &b = code.b;
  bool isFloat = isa<FloatType>(x.getType());
  switch (kind) {
  case tile::Combine::Add:
    return isFloat ? code.addf(x, y) : code.add(x, y);
  case tile::Combine::Max:
    return isFloat ? Value(arith::MaxNumFOp::create(b, code.loc, x, y))
                   : arith::MaxSIOp::create(b, code.loc, x, y);
  case tile::Combine::Min:
    return isFloat ? Value(arith::MinNumFOp::create(b, code.loc, x, y))
                   : arith::MinSIOp::create(b, code.loc, x, y);
  }
  llvm_unreachable("a reduction combines by add, max or min");
}

/// The value of the lane whose number differs in the bits of `mask`.
static Value fromLane(Code &code, Value value, int64_t mask) {
  if (value.getType().getIntOrFloatBitWidth() == 32)
    return code.fromLane(value, mask);
  Value low = code.fromLane(code.to32(value), mask);
  Value high = code.fromLane(code.to32(code.shr(value, 32)), mask);
  auto wide = [&](Value word) {
    return arith::ExtUIOp::create(code.b, code.loc, code.i64(), word);
  };
  return code.orBits(wide(low), code.shl(wide(high), 32));
}

/// One element per row offset (dim 1), or the columns of a chunk (dim 0).
Words Lowering::reduceInThread(tile::ReduceOp op, const TileValue &from, int64_t outer) {
  const Geometry &g = from.geometry;
  bool alongRow = op.getDim() == 1;
  int64_t inner = alongRow ? g.colOffsets.size() : g.rowOffsets.size();
  Words sums;
  for (int64_t i = 0; i < inner; ++i) {
    Words chunk = alongRow ? from.chunk(outer, i) : from.chunk(i, outer);
    SmallVector<Value> elements = unpack(chunk, from.type.getElement(), g.vec);
    for (auto [e, value] : llvm::enumerate(elements)) {
      size_t slot = alongRow ? 0 : e;
      if (slot < sums.size())
        sums[slot] = combine(code, op.getKind(), sums[slot], value);
      else
        sums.push_back(value);
    }
  }
  return sums;
}

/// Element e of a thread lies at (e * threads + thread); its partners are that many warps away.
void Lowering::reduceAcrossWarps(tile::ReduceOp op, std::vector<Words> &sums) {
  FailureOr<Geometry> geometry = declare(op.getValue())->geometry;
  ReducedTerms terms = reducedTerms(op, *geometry);
  if (terms.parts() == 1)
    return;
  FailureOr<SharedRange> range = scratchOf(op);
  int64_t threads = getConfig(kernel, "warps", 1) * chip.warp;
  int64_t bytes = op.getValue().getType().getElement().getIntOrFloatBitWidth() / 8;
  Value scratch = code.at(sharedBase, range->begin);
  writeShared(*range);
  int64_t place = 0;
  for (const Words &words : sums)
    for (Value word : words)
      code.store(word,
                 code.at(code.at(scratch, code.mul(thread, bytes)), place++ * threads * bytes),
                 bytes);

  // The first partner is this thread without the digits that the terms read.
  Value first = thread;
  for (const ThreadTerm &term : terms.warps)
    first = code.sub(first, code.mul(code.rem(code.div(thread, term.div), term.mod), term.div));
  readShared(*range);
  Value base = code.at(scratch, code.mul(first, bytes));
  place = 0;
  for (Words &words : sums)
    for (Value &word : words) {
      Value sum;
      for (int64_t part = 0; part < terms.parts(); ++part) {
        int64_t away = 0, rest = part;
        for (const ThreadTerm &term : terms.warps) {
          away += rest % term.mod * term.div;
          rest /= term.mod;
        }
        Value value =
            code.load(word.getType(), code.at(base, (place * threads + away) * bytes), bytes);
        sum = sum ? combine(code, op.getKind(), sum, value) : value;
      }
      word = sum;
      ++place;
    }
}

LogicalResult Lowering::lowerReduce(tile::ReduceOp op) {
  const TileValue from = tiles[op.getValue()];
  FailureOr<TileValue> to = declare(op.getResult());
  if (failed(to))
    return failure();
  ReducedTerms terms = reducedTerms(op, from.geometry);
  if (terms.parts() > 1 && failed(scratchOf(op)))
    return failure();
  size_t outer =
      op.getDim() == 1 ? from.geometry.rowOffsets.size() : from.geometry.colOffsets.size();
  std::vector<Words> sums;
  for (size_t o = 0; o < outer; ++o) {
    Words &words = sums.emplace_back(reduceInThread(op, from, o));
    for (Value &word : words)
      for (const ThreadTerm &term : terms.lanes)
        for (int64_t lane = term.div; lane < term.div * term.mod; lane *= 2)
          word = combine(code, op.getKind(), word, fromLane(code, word, lane));
  }
  reduceAcrossWarps(op, sums);
  for (Words &words : sums)
    words = pack(words, from.type.getElement());
  tiles[op.getResult()] = hold(*to, std::move(sums));
  return success();
}
