//===- MmaPlan.h - how the warps of a block share a matrix product ----------------------------===//

#pragma once

#include "compiler/target/nvptx/Passes.h"

namespace cedilla::nvptx {

struct MmaPlan {
  int64_t rowWarps = 1, colWarps = 1, kWarps = 1;
  int64_t vec = 4; ///< neighbouring k of one lane
  /// "bf16": mma.sync on numbers; "f16": on codes, scales applied to sums of 32; "fma": no matrix
  /// unit, every thread sums elements of its own.
  llvm::StringRef instruction;
  /// Operands are read from shared memory, `a` from registers where it already lies so. Otherwise
  /// both are loaded, decoded or computed in the product's own layouts.
  bool fromMemory = false;
  tile::LayoutAttr flat = {}; ///< the accumulator of "fma"

  tile::LayoutAttr acc(mlir::MLIRContext *context) const; ///< of the accumulator
  tile::LayoutAttr sum(mlir::MLIRContext *context) const; ///< of the finished sum
  tile::LayoutAttr a(mlir::MLIRContext *context) const;
  tile::LayoutAttr b(mlir::MLIRContext *context) const;
};

using MmaPlans = llvm::DenseMap<mlir::Operation *, MmaPlan>;

/// Plans of all products of a kernel; `flat` gives the layout of a tile without a matrix unit.
/// Emits an error at the op whose config cannot be obeyed.
mlir::LogicalResult planProducts(tile::KernelOp kernel, const Chip &chip,
                                 llvm::function_ref<tile::LayoutAttr(tile::TileType)> flat,
                                 MmaPlans &plans);

} // namespace cedilla::nvptx
