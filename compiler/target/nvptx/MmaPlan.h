//===- MmaPlan.h - how the warps of a block share a matrix product ----------------------------===//

#pragma once

#include "compiler/target/nvptx/Passes.h"

namespace cedilla::nvptx {

struct MmaPlan {
  int64_t rowWarps = 1, colWarps = 1, kWarps = 1;
  int64_t vec = 4; ///< neighbouring k of one lane
  llvm::StringRef
      instruction; ///< "bf16": decoded operands; "f16": codes, scales applied to sums of 32

  tile::LayoutAttr acc(mlir::MLIRContext *context) const; ///< of the accumulator
  tile::LayoutAttr sum(mlir::MLIRContext *context) const; ///< of the finished sum
  tile::LayoutAttr a(mlir::MLIRContext *context) const;
  tile::LayoutAttr b(mlir::MLIRContext *context) const;
};

/// Emits an error at the op when the product cannot be dealt out.
mlir::FailureOr<MmaPlan> planMma(tile::MmaOp mma, tile::KernelOp kernel, const Chip &chip);

} // namespace cedilla::nvptx
