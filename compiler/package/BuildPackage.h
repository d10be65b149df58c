//===- BuildPackage.h - the package phase: a scheduled module with its objects becomes a file ------===//

#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace cedilla {

/// Expects programs, buffers with offsets, tile.kernels and at least one sched.object. Emits a
/// diagnostic and fails when something is missing; throws cedilla::Error when the file cannot be
/// written. Nothing half-written is left behind.
mlir::LogicalResult buildPackage(mlir::ModuleOp module, const std::string &path);

} // namespace cedilla
