//===- Emit.h - LLVM dialect to PTX -----------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Chip.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace cedilla::nvptx {

/// The gpu.module as LLVM IR, before any of LLVM's own passes; null after a diagnostic.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::gpu::GPUModuleOp module,
                                              llvm::LLVMContext &context);

/// PTX of a gpu.module in the LLVM dialect. Emits a diagnostic on failure.
mlir::FailureOr<std::string> emitPtx(mlir::gpu::GPUModuleOp module, const Chip &chip);

} // namespace cedilla::nvptx
