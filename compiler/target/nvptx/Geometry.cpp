//===- Geometry.cpp - which elements of a tile a thread holds ---------------------------------===//

#include "compiler/target/nvptx/Geometry.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutKind;

namespace {
/// Deals one dim of a tile out; rows and columns are treated alike.
struct DimBuilder {
  SmallVector<ThreadTerm> &base;
  SmallVector<ThreadTerm> &copy;
  SmallVector<int64_t> &offsets;
  std::string &reason;
  const char *name;

  void copies(int64_t div, int64_t mod) {
    if (mod > 1)
      copy.push_back({div, mod, 1});
  }

  /// Parts `mod` of the thread id own neighbouring pieces of `scale`.
  void own(int64_t div, int64_t mod, int64_t scale) {
    if (mod > 1)
      base.push_back({div, mod, scale});
  }

  bool refuse(int64_t size, int64_t unit) {
    reason = std::string("expected ") + name + " to be a multiple of " + std::to_string(unit) +
             ", got " + std::to_string(size);
    return false;
  }

  /// `units` pieces of `vec`, cyclically over `threads` neighbours in steps of `div`.
  bool cyclic(int64_t size, int64_t vec, int64_t div, int64_t threads) {
    if (size % vec != 0)
      return refuse(size, vec);
    int64_t units = size / vec;
    if (threads % units == 0) {
      own(div, units, vec);
      copies(div * units, threads / units);
      offsets.push_back(0);
      return true;
    }
    if (units % threads != 0)
      return refuse(size, threads * vec);
    own(div, threads, vec);
    for (int64_t i = 0; i < units / threads; ++i)
      offsets.push_back(i * threads * vec);
    return true;
  }
};
} // namespace

/// Rows of the product that a lane holds: lane / 4 within pieces of 8, pieces `step` apart.
static bool mmaRows(DimBuilder dim, int64_t size, int64_t warps, int64_t warpDiv, int64_t unit) {
  if (size == 1) {
    dim.copies(4, 8);
    dim.copies(warpDiv, warps);
    dim.offsets.push_back(0);
    return true;
  }
  if (size % (warps * unit) != 0)
    return dim.refuse(size, warps * unit);
  dim.own(4, 8, 1);
  dim.own(warpDiv, warps, size / warps);
  for (int64_t offset = 0; offset < size / warps; offset += 8)
    dim.offsets.push_back(offset);
  return true;
}

/// Columns that the four lanes of a row share, `vec` each, pieces of 4 vec.
static bool mmaCols(DimBuilder dim, int64_t size, int64_t warps, int64_t warpDiv, int64_t vec) {
  if (size == 1) {
    dim.copies(1, 4);
    dim.copies(warpDiv, warps);
    dim.offsets.push_back(0);
    return true;
  }
  if (size % (warps * 4 * vec) != 0)
    return dim.refuse(size, warps * 4 * vec);
  dim.own(1, 4, vec);
  dim.own(warpDiv, warps, size / warps);
  for (int64_t offset = 0; offset < size / warps; offset += 4 * vec)
    dim.offsets.push_back(offset);
  return true;
}

FailureOr<Geometry> nvptx::getGeometry(tile::LayoutAttr layout, tile::TileType tile,
                                       std::string &reason) {
  Geometry g;
  int64_t r = layout.getSplit()[0], c = layout.getSplit()[1], k = layout.getSplit()[2];
  g.vec = tile.getCols() == 1 ? 1 : layout.getVec();
  DimBuilder rows{g.row, g.copy, g.rowOffsets, reason, "rows"};
  DimBuilder cols{g.col, g.copy, g.colOffsets, reason, "columns"};
  const int64_t rowWarp = warpSize, colWarp = warpSize * r, kWarp = warpSize * r * c;
  bool dealt = false;
  switch (layout.getKind()) {
  case LayoutKind::Flat:
    dealt = rows.cyclic(tile.getRows(), 1, c, r) && cols.cyclic(tile.getCols(), g.vec, 1, c);
    rows.copies(r * c, k);
    break;
  case LayoutKind::MmaAcc:
  case LayoutKind::MmaPart:
    dealt = mmaRows(rows, tile.getRows(), r, rowWarp, 16) &&
            mmaCols(cols, tile.getCols(), c, colWarp, g.vec);
    if (layout.getKind() == LayoutKind::MmaAcc)
      rows.copies(kWarp, k);
    break;
  case LayoutKind::MmaA:
    dealt = mmaRows(rows, tile.getRows(), r, rowWarp, 16) &&
            mmaCols(cols, tile.getCols(), k, kWarp, g.vec);
    rows.copies(colWarp, c);
    break;
  case LayoutKind::MmaB:
    dealt = mmaRows(rows, tile.getRows(), c, colWarp, 8) &&
            mmaCols(cols, tile.getCols(), k, kWarp, g.vec);
    rows.copies(rowWarp, r);
    break;
  case LayoutKind::Memory:
    reason = "expected a register layout, got memory";
    break;
  }
  if (!dealt)
    return failure();
  return g;
}

//===------------------------------------------------------------------------------------------===//
// Comparing
//===------------------------------------------------------------------------------------------===//

static bool sameTerms(SmallVector<ThreadTerm> x, SmallVector<ThreadTerm> y) {
  auto byDiv = [](const ThreadTerm &a, const ThreadTerm &b) { return a.div < b.div; };
  llvm::sort(x, byDiv);
  llvm::sort(y, byDiv);
  return llvm::equal(x, y, [](const ThreadTerm &a, const ThreadTerm &b) {
    return a.div == b.div && a.mod == b.mod && a.scale == b.scale;
  });
}

bool nvptx::holdAlike(tile::LayoutAttr x, tile::LayoutAttr y, tile::TileType tile) {
  if (x == y)
    return true;
  for (tile::LayoutAttr layout : {x, y}) // a part is not the element, and memory is not held
    if (layout.getKind() == LayoutKind::MmaPart || layout.getKind() == LayoutKind::Memory)
      return false;
  std::string reason;
  FailureOr<Geometry> a = getGeometry(x, tile, reason), b = getGeometry(y, tile, reason);
  return succeeded(a) && succeeded(b) && a->vec == b->vec && a->rowOffsets == b->rowOffsets &&
         a->colOffsets == b->colOffsets && sameTerms(a->row, b->row) && sameTerms(a->col, b->col);
}
