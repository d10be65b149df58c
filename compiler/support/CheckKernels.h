//===- CheckKernels.h - does a family build every kernel, and does the target take it? ------------------===//

#pragma once

#include "compiler/target/Target.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace cedilla {

/// One distinct kernel of a plan.
struct KernelNeed {
  std::string name;    ///< its symbol
  std::string family;
  std::string ops;     ///< "rms_norm, quantize"
  std::string shapes;  ///< types of what it takes and gives
  std::string config;
  std::vector<int64_t> dims; ///< all static dims of `shapes`, each once
  int64_t dispatches = 0;    ///< in all programs, also as a phase
  std::string miss;          ///< why it is not built; empty: it is
};

/// Of a module as the schedule phase leaves it (with misses noted or without). Every kernel that has a config is built by
/// itself and given to the target's checks; the module stays as it is and nothing is printed.
/// Kernels that `builds` does not want built count as built.
std::vector<KernelNeed> checkKernels(mlir::ModuleOp scheduled, const Target &target, mlir::StringRef chip,
                                     llvm::function_ref<bool(const KernelNeed &)> builds = [](const KernelNeed &) { return true; });

/// The same as passes see it: an error for each kernel that is not built, each in one line.
mlir::LogicalResult refuseMisses(mlir::ModuleOp scheduled, const Target &target, mlir::StringRef chip);
/// Of what the schedule phase noted alone.
mlir::LogicalResult refuseNotedMisses(mlir::ModuleOp scheduled);

} // namespace cedilla
