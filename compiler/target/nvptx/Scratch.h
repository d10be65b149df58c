//===- Scratch.h - the shared memory that single ops need -------------------------------------===//

#pragma once

#include "compiler/target/nvptx/Geometry.h"
#include "compiler/target/nvptx/Passes.h"

namespace cedilla::nvptx {

/// Bytes from row to row of a tile in scratch. Rows of 16 bytes and more begin at multiples of 16,
/// an odd number of them apart: eight rows then lie in different banks.
int64_t scratchPitch(tile::TileType tile);

/// Bytes of scratch that an op with layouts needs; 0 for none.
int64_t scratchBytes(mlir::Operation *op, int64_t threads);

/// Of the terms that deal a reduced dim out: those inside a warp, and those over warps.
struct ReducedTerms {
  llvm::SmallVector<ThreadTerm> lanes, warps;
  int64_t parts() const; ///< warps that hold parts of one result
};
ReducedTerms reducedTerms(tile::ReduceOp op, const Geometry &geometry);

/// Histograms, counts and results of tile.select_topk.
struct SelectScratch {
  static constexpr int64_t buckets = 256, copies = 4;
  static constexpr int64_t histogram = 0, found = buckets * copies * 4, counts = found + 16;
  static int64_t bytes(int64_t threads) { return counts + threads / warpSize * 8; }
};

} // namespace cedilla::nvptx
