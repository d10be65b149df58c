//===- LowerFma.cpp - products without a matrix unit
//-------------------------------------------===//
//
// For f32, and for shapes that mma.sync does not divide. Operands lie in shared memory, every
// thread owns elements of the accumulator, and each takes k = 0, 1, .. after it, fused: the order
// depends on K alone.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

// Steps of k in one turn of the loop.
static constexpr int64_t unroll = 4;

static Value numberAt(Code &code, const TileValue &tile, Value row, Value col) {
  Type element = tile.type.getElement();
  Value value = code.load(element, tile.place(row, col), element.getIntOrFloatBitWidth() / 8);
  return element.isF32() ? value
                         : Value(arith::ExtFOp::create(code.b, code.loc, code.f32(), value));
}

void Lowering::multiplyFma(tile::MmaOp op, const TileValue &acc, std::vector<Words> &sums) {
  const TileValue a = tiles[op.getA()], bTile = tiles[op.getB()];
  const Geometry &g = acc.geometry;
  int64_t k = op.getA().getType().getCols(), together = k % unroll == 0 ? unroll : 1;
  SmallVector<Value> carried;
  for (const Words &words : sums)
    carried.append(words);

  auto step = [&](Value at, SmallVector<Value> &values) {
    SmallVector<Value> left, right;
    for (size_t r = 0; r < g.rowOffsets.size(); ++r)
      left.push_back(numberAt(code, a, row(acc, r), at));
    for (size_t c = 0; c < g.colOffsets.size(); ++c)
      for (int64_t i = 0; i < g.vec; ++i) {
        Value col = code.add(this->col(acc, c), i);
        right.push_back(op.getKn() ? numberAt(code, bTile, at, col)
                                   : numberAt(code, bTile, col, at));
      }
    for (size_t r = 0; r < left.size(); ++r)
      for (size_t c = 0; c < right.size(); ++c) {
        Value &sum = values[r * right.size() + c];
        sum = code.fma(left[r], right[c], sum);
      }
  };
  auto loop = scf::ForOp::create(b, code.loc, code.constant(0), code.constant(k),
                                 code.constant(together), carried);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> values(loop.getRegionIterArgs());
    for (int64_t i = 0; i < together; ++i)
      step(code.add(loop.getInductionVar(), i), values);
    scf::YieldOp::create(b, code.loc, values);
  }
  ValueRange results = loop.getResults();
  for (Words &words : sums) {
    words.assign(results.begin(), results.begin() + words.size());
    results = results.drop_front(words.size());
  }
}
