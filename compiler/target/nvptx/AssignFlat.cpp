//===- AssignFlat.cpp - how the threads of a block are dealt over a tile ----------------------===//
//
// One way for the whole kernel where tiles allow it: then the row or the column of one tile meets
// another one's in the same threads, and nothing has to be exchanged. It is the way that suits the
// largest tile: 16 bytes per thread along a row, a warp per row as long as that leaves a thread few
// elements; columns over several warps where rows are few and long.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Assigner.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;
using tile::TileType;

// More elements than this per thread, and a row is shared by several warps: a reduction then costs
// a barrier, but holding copies in all warps costs more.
static constexpr int64_t fewElements = 16;

/// Largest power of two that divides `size`, at most `limit`.
static int64_t powerOfTwo(int64_t size, int64_t limit) {
  int64_t power = 1;
  while (2 * power <= limit && size % (2 * power) == 0)
    power *= 2;
  return power;
}

static int64_t bytesOf(TileType tile) { return tile.getElement().getIntOrFloatBitWidth() / 8; }

LayoutAttr Assigner::split(TileType tile) const {
  int64_t threads = warps * chip.warp, bytes = bytesOf(tile);
  int64_t most = powerOfTwo(threads, threads); // of threads that differ
  int64_t vec = powerOfTwo(tile.getCols(), 16 / bytes);
  int64_t cols = powerOfTwo(tile.getCols() / vec, chip.warp);
  int64_t rows = powerOfTwo(tile.getRows(), most / cols);
  while (rows * cols < most) {
    bool many = tile.getNumElements() / (rows * cols) > fewElements;
    if (cols >= chip.warp && !many)
      break;
    if (tile.getCols() / vec % (2 * cols) == 0) {
      cols *= 2;
    } else if (vec > 1 && (cols < chip.warp || vec * bytes > 4)) {
      vec /= 2;
    } else {
      break;
    }
  }
  return LayoutAttr::get(context, LayoutKind::Flat, {rows, cols, threads / (rows * cols)}, vec);
}

bool Assigner::fits(LayoutAttr layout, TileType tile) const {
  std::string reason;
  return layout.getKind() != LayoutKind::Memory && succeeded(getGeometry(layout, tile, reason));
}

/// Widest run of columns with which `common` deals the tile out, 0 where it cannot. All its threads
/// should have something.
static int64_t vecUnder(LayoutAttr common, TileType tile) {
  int64_t rows = common.getSplit()[0], cols = common.getSplit()[1];
  if (rows % tile.getRows() != 0 && tile.getRows() % rows != 0)
    return 0;
  int64_t widest = powerOfTwo(tile.getCols(), 16 / bytesOf(tile));
  for (int64_t vec = widest; vec >= 1; vec /= 2)
    if (tile.getCols() / vec % cols == 0)
      return vec;
  for (int64_t vec = 1; vec <= widest; vec *= 2)
    if (cols % (tile.getCols() / vec) == 0)
      return vec;
  return 0;
}

/// `leastVec`: neighbouring columns that the op wants in one thread, where the tile has that many.
LayoutAttr Assigner::flat(TileType tile, int64_t leastVec) const {
  leastVec = powerOfTwo(tile.getCols(), leastVec);
  if (common)
    if (int64_t vec = vecUnder(common, tile); vec >= leastVec)
      return LayoutAttr::get(context, LayoutKind::Flat, common.getSplit(), vec);
  LayoutAttr own = split(tile);
  if (own.getVec() >= leastVec)
    return own;
  int64_t threads = warps * chip.warp;
  int64_t cols = powerOfTwo(tile.getCols() / leastVec, chip.warp);
  int64_t rows = powerOfTwo(tile.getRows(), powerOfTwo(threads, threads) / cols);
  return LayoutAttr::get(context, LayoutKind::Flat, {rows, cols, threads / (rows * cols)},
                         leastVec);
}

/// The tile that the others of an op are rows, columns or elements of.
static TileType largestTile(Operation *op) {
  TileType largest;
  auto see = [&](Type type) {
    auto tile = dyn_cast<TileType>(type);
    if (tile && (!largest || tile.getNumElements() > largest.getNumElements()))
      largest = tile;
  };
  llvm::for_each(op->getOperandTypes(), see);
  llvm::for_each(op->getResultTypes(), see);
  return largest;
}

LayoutAttr Assigner::flatFor(Operation *op) const {
  if (auto decode = dyn_cast<tile::DecodeOp>(op)) // whole words of codes
    return flat(decode.getResult().getType(), isa<Float4E2M1FNType>(decode.getElement()) ? 8 : 4);
  return flat(largestTile(op));
}

LayoutAttr Assigner::memory() const {
  return LayoutAttr::get(context, LayoutKind::Memory, {1, 1, 1}, 1);
}

/// What threads hold of a value in this layout once it is whole: a part of a sum is of no use to
/// anybody but the next product, and memory is not held.
LayoutAttr Assigner::finished(LayoutAttr layout, TileType tile) const {
  if (layout.getKind() == LayoutKind::Memory)
    return flat(tile);
  if (layout.getKind() != LayoutKind::MmaPart)
    return layout;
  return LayoutAttr::get(context, LayoutKind::MmaAcc, layout.getSplit(), layout.getVec());
}

/// Operands of products alone do not count: they lie as the product wants them.
void Assigner::chooseSplit() {
  TileType largest;
  kernel.walk([&](Operation *op) {
    bool operand = !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<tile::MmaOp, tile::DecodeOp>(user);
    });
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<TileType>(type);
      if (tile && !operand && (!largest || tile.getNumElements() > largest.getNumElements()))
        largest = tile;
    }
  });
  if (largest)
    common = split(largest);
}
