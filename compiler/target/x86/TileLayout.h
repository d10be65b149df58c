//===- TileLayout.h - how a tile lies in the arena --------------------------------------------===//
//
// Row-major, rows padded to a multiple of 8 elements, so that the last vector of a row stays inside
// the tile. A column (Mx1, M > 1) lies contiguous like a row. bf16 is held as f32 whose low 16 bits
// are 0: widening happens once, when memory is read, and no narrow arithmetic reaches LLVM.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/tile/Tile.h"

namespace cedilla::x86 {

/// Elements per vector, for every element type.
constexpr int64_t lanes = 8;
/// Places in the arena are aligned to this, and this much may be read behind the last one.
constexpr int64_t arenaAlignment = 64;

inline int64_t roundUp(int64_t x, int64_t to) { return (x + to - 1) / to * to; }

/// The type that holds a scalar of a kernel: bf16 is an f32, an index an i64.
inline mlir::Type heldType(mlir::Type type) {
  if (type.isBF16())
    return mlir::Float32Type::get(type.getContext());
  if (type.isIndex())
    return mlir::IntegerType::get(type.getContext(), 64);
  return type;
}

struct TileLayout {
  explicit TileLayout(tile::TileType tile)
      : column(tile.getCols() == 1 && tile.getRows() > 1), outer(column ? 1 : tile.getRows()),
        inner(column ? tile.getRows() : tile.getCols()), padded(roundUp(inner, lanes)),
        rowStride(column ? 1 : padded), element(heldType(tile.getElement())) {}

  bool column;        ///< rows are contiguous
  int64_t outer;      ///< contiguous runs
  int64_t inner;      ///< elements of a run
  int64_t padded;     ///< elements from one run to the next
  int64_t rowStride;  ///< elements from (r, c) to (r + 1, c); a step in c is 1
  mlir::Type element; ///< as held

  int64_t elements() const { return outer * padded; }
  int64_t bytes() const { return elements() * (element.getIntOrFloatBitWidth() / 8); }
  bool sameAs(const TileLayout &other) const {
    return column == other.column && outer == other.outer && inner == other.inner &&
           element.getIntOrFloatBitWidth() == other.element.getIntOrFloatBitWidth();
  }
};

} // namespace cedilla::x86
