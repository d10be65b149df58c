//===- Memory.cpp - load, store, gather, scatter ----------------------------------------------===//
//
// A tile moves run by run: runs of contiguous tile elements meet memory that is contiguous too
// (vectors) or strided (one element at a time, in the order of memory). Counts cut runs and their
// number; what is cut off is 0 when loaded. bf16 is widened here and narrowed here.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

namespace {
enum class Direction { In, Out };

/// One side of a copy seen from the tile's layout: strides are elements of memory.
struct Access {
  Direction direction;
  Type memoryElement; ///< bf16 is an i16
  Value base;         ///< of the element at the offsets
  int64_t outerStride, innerStride;
  Value outerCount, innerCount; ///< null: all
};
} // namespace

Value cedilla::x86::elementAddress(Lowering &l, Value memory, ValueRange offsets) {
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  Value offset = l.i64(0);
  for (auto [value, stride] : llvm::zip(offsets, strides))
    offset = l.mulAdd(l.scalar(value), stride, offset);
  Type element = type.getElementType().isBF16() ? l.i16() : heldType(type.getElementType());
  return l.address(l.scalar(memory), element, offset);
}

template <typename Op>
static Access accessOf(Lowering &l, Op op, Direction direction, const TileLayout &layout,
                       Value rowCount, Value colCount) {
  auto type = cast<MemRefType>(op.getMemory().getType());
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  tile::MemoryDims dims = tile::getMemoryDims(type, op.getDims());
  int64_t row = dims.rows < 0 ? 0 : strides[dims.rows],
          col = dims.cols < 0 ? 0 : strides[dims.cols];
  if (rowCount)
    rowCount = l.scalar(rowCount);
  if (colCount)
    colCount = l.scalar(colCount);
  if (layout.column) {
    std::swap(row, col);
    std::swap(rowCount, colCount);
  }
  Type element = type.getElementType().isBF16() ? l.i16() : type.getElementType();
  return {direction, element, elementAddress(l, op.getMemory(), op.getOffsets()), row, col,
          rowCount,  colCount};
}

//===------------------------------------------------------------------------------------------===//
// Pieces: n contiguous elements
//===------------------------------------------------------------------------------------------===//

static void movePiece(Lowering &l, const Access &access, const TileLayout &layout, Value tile,
                      Value memory, int64_t n) {
  bool narrow = access.memoryElement.isInteger(16);
  Type held = l.vector(layout.element, n), stored = l.vector(access.memoryElement, n);
  if (access.direction == Direction::In) {
    Value value = l.load(stored, memory);
    if (narrow)
      value = l.asF32(l.shl(l.extU(value, l.i32Type()), 16));
    l.store(value, tile);
    return;
  }
  Value value = l.load(held, tile);
  if (narrow)
    value = l.trunc(l.shru(l.asI32(value), 16), l.i16());
  l.store(value, memory);
}

/// Elements that fill one register on either side.
static int64_t pieceOf(const TileLayout &layout) {
  return 32 / (layout.element.getIntOrFloatBitWidth() / 8);
}

/// A run of `n` contiguous elements: whole registers, then halves down to what is left.
static void moveRun(Lowering &l, const Access &access, const TileLayout &layout, Value tile,
                    Value memory, int64_t n) {
  int64_t piece = pieceOf(layout), done = n / piece * piece;
  auto at = [&](Value index, int64_t count) {
    movePiece(l, access, layout, l.address(tile, layout.element, index),
              l.address(memory, access.memoryElement, index), count);
  };
  l.loop(done, piece, [&](Value i) { at(i, piece); });
  for (; piece >= 1; piece /= 2)
    if (n - done >= piece) {
      at(l.i64(done), piece);
      done += piece;
    }
}

/// A run of which only `count` elements exist.
static void moveCutRun(Lowering &l, const Access &access, const TileLayout &layout, Value tile,
                       Value memory, Value count) {
  auto at = [&](Value index, int64_t n) {
    movePiece(l, access, layout, l.address(tile, layout.element, index),
              l.address(memory, access.memoryElement, index), n);
  };
  Value whole = l.bitAnd(count, l.i64(-lanes));
  l.loop(l.i64(0), whole, lanes, [&](Value i) { at(i, lanes); });
  l.loop(whole, count, 1, [&](Value i) { at(i, 1); });
}

/// Zeroes `n` elements; a multiple of 8 where there are more than one.
static void zeroRun(Lowering &l, const TileLayout &layout, Value tile, int64_t n) {
  int64_t step = n == 1 ? 1 : lanes;
  Value zero = l.zero(l.vector(layout.element, step));
  l.loop(n, step, [&](Value i) { l.store(zero, l.address(tile, layout.element, i)); });
}

/// `n` elements that are contiguous in the tile, strided in memory.
static void moveStrided(Lowering &l, const Access &access, const TileLayout &layout, Value tile,
                        Value memory, Value count) {
  l.loop(l.i64(0), count, 1, [&](Value i) {
    Value there =
        l.address(memory, access.memoryElement, l.mulAdd(i, access.innerStride, l.i64(0)));
    movePiece(l, access, layout, l.address(tile, layout.element, i), there, 1);
  });
}

//===------------------------------------------------------------------------------------------===//
// Tiles
//===------------------------------------------------------------------------------------------===//

/// One run of `n` elements, cut at access.innerCount. `padded` elements are zeroed where it is cut.
static void moveOne(Lowering &l, const Access &access, const TileLayout &layout, Value tile,
                    Value memory, int64_t n, int64_t padded) {
  bool contiguous = access.innerStride == 1 || n == 1;
  auto whole = [&] {
    if (contiguous)
      moveRun(l, access, layout, tile, memory, n);
    else
      moveStrided(l, access, layout, tile, memory, l.i64(n));
  };
  if (!access.innerCount)
    return whole();
  Value count = l.clampCount(access.innerCount, n);
  l.ifElse(l.eq(count, l.i64(n)), whole, [&] {
    if (access.direction == Direction::In)
      zeroRun(l, layout, tile, padded);
    if (contiguous)
      moveCutRun(l, access, layout, tile, memory, count);
    else
      moveStrided(l, access, layout, tile, memory, count);
  });
}

/// Run by run; runs beyond the outer count are zeroed.
static void moveRuns(Lowering &l, const Access &access, const Stored &tile) {
  const TileLayout &layout = tile.layout;
  auto one = [&](Value run) {
    Value memory =
        l.address(access.base, access.memoryElement, l.mulAdd(run, access.outerStride, l.i64(0)));
    moveOne(l, access, layout, l.element(tile, l.mulAdd(run, layout.padded, l.i64(0))), memory,
            layout.inner, layout.padded);
  };
  if (!access.outerCount)
    return l.loop(layout.outer, 1, one);
  Value count = l.clampCount(access.outerCount, layout.outer);
  l.loop(l.i64(0), count, 1, one);
  if (access.direction == Direction::In)
    l.loop(count, l.i64(layout.outer), 1, [&](Value run) {
      zeroRun(l, layout, l.element(tile, l.mulAdd(run, layout.padded, l.i64(0))), layout.padded);
    });
}

/// A transposed tile: memory is contiguous across the runs. Walks memory in its own order.
static void moveTransposed(Lowering &l, const Access &access, const Stored &tile) {
  const TileLayout &layout = tile.layout;
  if (access.direction == Direction::In && (access.outerCount || access.innerCount))
    l.fill(tile, l.zero(layout.element));
  Value outer = l.clampCount(access.outerCount, layout.outer);
  Value inner = l.clampCount(access.innerCount, layout.inner);
  l.loop(l.i64(0), inner, 1, [&](Value i) {
    Value memory =
        l.address(access.base, access.memoryElement, l.mulAdd(i, access.innerStride, l.i64(0)));
    l.loop(l.i64(0), outer, 1, [&](Value run) {
      movePiece(l, access, layout, l.element(tile, l.mulAdd(run, layout.padded, i)),
                l.address(memory, access.memoryElement, run), 1);
    });
  });
}

static void moveTile(Lowering &l, const Access &access, const Stored &tile) {
  if (access.outerStride == 1 && access.innerStride != 1 && tile.layout.outer > 1 &&
      tile.layout.inner > 1)
    moveTransposed(l, access, tile);
  else
    moveRuns(l, access, tile);
}

void cedilla::x86::lowerLoad(Lowering &l, tile::LoadOp op) {
  const Stored tile = l.define(op->getResult(0));
  moveTile(l, accessOf(l, op, Direction::In, tile.layout, op.getRowCount(), op.getColCount()),
           tile);
}

void cedilla::x86::lowerStore(Lowering &l, tile::StoreOp op) {
  const Stored tile = l.tile(op.getValue());
  moveTile(l, accessOf(l, op, Direction::Out, tile.layout, op.getRowCount(), op.getColCount()),
           tile);
}

//===------------------------------------------------------------------------------------------===//
// Rows named by an index tile
//===------------------------------------------------------------------------------------------===//

/// Row by row also for a column, whose rows are then single elements.
template <typename Op>
static void moveIndexed(Lowering &l, Op op, Direction direction, const Stored &tile) {
  TileLayout layout = tile.layout;
  bool column = layout.column;
  layout.column = false;
  Access access = accessOf(l, op, direction, layout, Value(), op.getColCount());
  int64_t rows = column ? layout.inner : layout.outer, cols = column ? 1 : layout.inner;
  const Stored index = l.tile(op.getIndex());
  l.loop(rows, 1, [&](Value row) {
    Value at = l.load(index.layout.element, l.element(index, row));
    if (at.getType().isInteger(32))
      at = l.extS(at, l.i64Type());
    Value here = l.element(tile, l.mulAdd(row, layout.rowStride, l.i64(0)));
    auto move = [&] {
      Value there =
          l.address(access.base, access.memoryElement, l.mulAdd(at, access.outerStride, l.i64(0)));
      moveOne(l, access, layout, here, there, cols, column ? 1 : layout.padded);
    };
    auto nothing = [&] { zeroRun(l, layout, here, column ? 1 : layout.padded); };
    Value named = l.cmp(arith::CmpIPredicate::sge, at, l.i64(0));
    if (direction == Direction::In)
      l.ifElse(named, move, nothing);
    else
      l.ifElse(named, move);
  });
}

void cedilla::x86::lowerGather(Lowering &l, tile::GatherOp op) {
  moveIndexed(l, op, Direction::In, l.define(op->getResult(0)));
}

void cedilla::x86::lowerScatter(Lowering &l, tile::ScatterOp op) {
  moveIndexed(l, op, Direction::Out, l.tile(op.getValue()));
}
