//===- BuildPackage.h - the package phase: a scheduled module with its objects becomes a file ------===//

#pragma once

#include "runtime/package/Manifest.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace cedilla {

/// Expects of each module programs, buffers with offsets, tile.kernels and one sched.object; of
/// several, that they differ in code, programs and scratch alone. Emits a diagnostic and fails when
/// something is missing; throws cedilla::Error when the file cannot be written. Nothing half-written
/// is left behind.
mlir::LogicalResult buildPackage(llvm::ArrayRef<mlir::ModuleOp> modules, const BenchInfo &bench,
                                 const std::string &path);

} // namespace cedilla
