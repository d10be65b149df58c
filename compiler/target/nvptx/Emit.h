//===- Emit.h - LLVM dialect to PTX -----------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Chip.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace cedilla::nvptx {

/// PTX of a gpu.module in the LLVM dialect. Emits a diagnostic on failure.
mlir::FailureOr<std::string> emitPtx(mlir::gpu::GPUModuleOp module, const Chip &chip);

} // namespace cedilla::nvptx
