//===- NvptxTarget.h - the back end for NVIDIA GPUs -------------------------------------------===//

#pragma once

#include "compiler/target/Target.h"
#include "kernels-gen/common/Chip.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace cedilla {

const Target &nvptxTarget();
void registerNvptxPasses();

namespace nvptx {
/// Passes from tile.kernel to the LLVM dialect.
void buildPipeline(mlir::OpPassManager &passes, llvm::StringRef chip);
void buildChecks(mlir::OpPassManager &passes, llvm::StringRef chip);

/// The kernels of a module in the LLVM dialect, and what a package must know of them.
struct LoweredKernels {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<CompiledKernel> kernels;
  mlir::gpu::GPUModuleOp code();
};
/// Runs the pipeline on a copy. Emits a diagnostic on failure.
mlir::FailureOr<LoweredKernels> lowerKernels(mlir::ModuleOp module, const Chip &chip);
} // namespace nvptx
} // namespace cedilla
