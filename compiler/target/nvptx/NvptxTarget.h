//===- NvptxTarget.h - the back end for NVIDIA GPUs -------------------------------------------===//

#pragma once

#include "compiler/target/Target.h"

namespace cedilla {

const Target &nvptxTarget();
void registerNvptxPasses();

namespace nvptx {
/// Passes from tile.kernel to the LLVM dialect.
void buildPipeline(mlir::OpPassManager &passes, llvm::StringRef chip);
} // namespace nvptx
} // namespace cedilla
