//===- Decode.cpp - block-scaled codes to numbers ---------------------------------------------===//
//
// Scale block by scale block: the scale once, then the block's rows, 8 codes at a time. Where a
// block is not a whole number of vectors (or the result is one column) the same code runs on single
// elements.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"
#include "compiler/target/Numbers.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

namespace {
struct Decode {
  Stored codes, scales, result;
  int64_t rows, cols, blockRows, blockCols;
  Minifloat element;
  bool e8m0, toBF16;
};
} // namespace

static Value byteAt(Lowering &l, const Stored &tile, Value row, Value col) {
  return l.extU(l.load(l.i8(), l.element(tile, row, col)), l.i32Type());
}

/// The codes of n columns from `col`, as i32.
static Value codesAt(Lowering &l, const Decode &d, Value row, Value col, int64_t n) {
  if (d.element.bits == 8)
    return l.extU(l.load(l.vector(l.i8(), n), l.element(d.codes, row, col)), l.i32Type());
  Value half = l.shru(col, 1);
  if (n == 1) {
    Value amount = l.shl(l.trunc(l.bitAnd(col, l.i64(1)), l.i32Type()), 2);
    return arith::ShRUIOp::create(l.b, l.loc, byteAt(l, d.codes, row, half), amount);
  }
  // Lane i of 8 wants nibble i of 4 bytes.
  Value bytes = l.splat(l.load(l.i32Type(), l.element(d.codes, row, half)));
  Value amounts = l.iota(l.i32(0, l.i64(0)));
  return arith::ShRUIOp::create(l.b, l.loc, bytes, l.shl(amounts, 2));
}

static Value scaleAt(Lowering &l, const Decode &d, Value row, Value col) {
  Value code = byteAt(l, d.scales, row, col);
  return d.e8m0 ? decodeE8M0(l, code) : decodeMinifloat(l, e4m3, code);
}

static void decodeAt(Lowering &l, const Decode &d, Value row, Value col, int64_t n, Value scale) {
  Value x = l.mul(decodeMinifloat(l, d.element, codesAt(l, d, row, col, n)), l.splat(scale, n));
  if (d.toBF16) // every NaN here is ours or the hardware's: quiet, empty payload
    x = roundNumberToBF16(l, x);
  l.store(x, l.element(d.result, row, col));
}

/// Columns [block * blockCols, ..) of row `row`: vectors while the block lies inside the tile.
static void decodeBlockRow(Lowering &l, const Decode &d, Value row, Value firstCol, Value endCol,
                           bool vectors, Value scale) {
  int64_t step = vectors ? lanes : 1;
  l.loop(firstCol, endCol, step, [&](Value col) { decodeAt(l, d, row, col, step, scale); });
}

/// [index * size, min((index + 1) * size, limit)), static where the block is whole.
static std::pair<Value, Value> blockRange(Lowering &l, Value index, int64_t size, int64_t limit) {
  Value begin = l.mulAdd(index, size, l.i64(0));
  Value end = l.mulAdd(begin, 1, l.i64(size));
  return {begin, limit % size == 0 ? end : l.min(end, l.i64(limit))};
}

void cedilla::x86::lowerDecode(Lowering &l, tile::DecodeOp op) {
  tile::TileType type = op.getResult().getType(), scales = op.getScales().getType();
  Decode d{l.tile(op.getCodes()),
           l.tile(op.getScales()),
           l.define(op->getResult(0)),
           type.getRows(),
           type.getCols(),
           std::min<int64_t>(op.getBlockRows(), type.getRows()),
           std::min<int64_t>(op.getBlockCols(), type.getCols()),
           isa<Float8E4M3FNType>(op.getElement()) ? e4m3 : e2m1,
           isa<Float8E8M0FNUType>(op.getScale()),
           type.getElement().isBF16()};
  // A row of one scale may end in a partial vector: that writes padding, never another block. Codes
  // or results that are a column have no padding after each row.
  bool oneScale = scales.getCols() == 1;
  bool columns = d.result.layout.column || d.codes.layout.column;
  bool vectors = !columns && (oneScale || d.blockCols % lanes == 0);
  l.loop(scales.getRows(), 1, [&](Value blockRow) {
    l.loop(scales.getCols(), 1, [&](Value blockCol) {
      Value scale = scaleAt(l, d, blockRow, blockCol);
      auto [firstRow, endRow] = blockRange(l, blockRow, d.blockRows, d.rows);
      auto [firstCol, endCol] = blockRange(l, blockCol, d.blockCols, d.cols);
      l.loop(firstRow, endRow, 1, [&, firstCol = firstCol, endCol = endCol](Value row) {
        decodeBlockRow(l, d, row, firstCol, endCol, vectors, scale);
      });
    });
  });
}
