//===- Geometry.h - which elements of a tile a thread holds -----------------------------------===//
//
// A layout attribute applied to a tile type, as numbers. Every thread holds the product of a list
// of row offsets and a list of column offsets, `vec` neighbouring columns each, displaced by a base
// that depends on the thread alone. Lowering and tests ask only this structure.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/tile/Tile.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace cedilla::nvptx {

constexpr int64_t warpSize = 32;

/// ((thread / div) % mod) * scale
struct ThreadTerm {
  int64_t div, mod, scale;
  int64_t at(int64_t thread) const { return thread / div % mod * scale; }
};

struct Geometry {
  llvm::SmallVector<ThreadTerm> row, col; ///< summed: the thread's first row and column
  llvm::SmallVector<ThreadTerm> copy;     ///< a thread whose terms are not all 0 holds a copy
  llvm::SmallVector<int64_t> rowOffsets, colOffsets;
  int64_t vec = 1;

  int64_t chunks() const { return rowOffsets.size() * colOffsets.size(); }
};

/// Fails with a reason when the tile cannot be dealt out in this way.
mlir::FailureOr<Geometry> getGeometry(tile::LayoutAttr layout, tile::TileType tile,
                                      std::string &reason);

/// Whether every thread holds the same elements of the tile in both layouts.
bool holdAlike(tile::LayoutAttr x, tile::LayoutAttr y, tile::TileType tile);

} // namespace cedilla::nvptx
