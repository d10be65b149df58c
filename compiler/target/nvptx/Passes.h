//===- Passes.h - the passes of this back end, and the names of what they leave on ops --------===//

#pragma once

#include "dialects/tile/Tile.h"
#include "kernels-gen/common/Chip.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cedilla::nvptx {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/target/nvptx/Passes.h.inc"

// Discardable attributes that carry a pass's decisions to the next one.
constexpr llvm::StringLiteral layoutsAttr =
    "tile.layouts"; ///< per result of any op with tile results
constexpr llvm::StringLiteral instructionAttr =
    "tile.instruction";                                     ///< of tile.mma: "bf16" or "f16"
constexpr llvm::StringLiteral stagingAttr = "tile.staging"; ///< of tile.load
constexpr llvm::StringLiteral scratchAttr = "tile.scratch"; ///< of tile.relayout: byte offset
constexpr llvm::StringLiteral sharedBytesAttr = "tile.shared_bytes"; ///< of tile.kernel
constexpr llvm::StringLiteral threadsAttr = "tile.threads"; ///< of the function of a phase
/// Of a tile.kernel that no dispatch names, only kernels of phases.
constexpr llvm::StringLiteral phaseOnlyAttr = "tile.phase_only";

/// Set by whoever knows the program: memory arguments (array<i64>) that no dispatch of it writes, such as
/// packed weights. A kernel that has it may be launched before its predecessor ends (griddepcontrol).
/// On a function of a lowered kernel it says that the kernel is launched that way.
constexpr llvm::StringLiteral constantsAttr = "tile.constants";

/// Whether the kernel, compiled for the chip, may be launched before its predecessor ends.
inline bool launchesDependent(tile::KernelOp kernel, const Chip &chip) {
  return chip.dependentLaunch && kernel->hasAttr(constantsAttr);
}

/// Integer member of a kernel's config, or `missing`.
int64_t getConfig(tile::KernelOp kernel, llvm::StringRef name, int64_t missing);

/// Layout of a tile, from tile.layouts of its producer or of the loop that carries it. Null where
/// there is none.
tile::LayoutAttr getLayout(mlir::Value tile);

/// The chip's row; emits an error at `op` when it is unknown.
const Chip *findChipOrError(mlir::Operation *op, llvm::StringRef name);

} // namespace cedilla::nvptx
