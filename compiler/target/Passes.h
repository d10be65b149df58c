//===- Passes.h - passes that every back end may use ------------------------------------------===//

#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

namespace cedilla {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/target/Passes.h.inc"

/// Registers the passes of this folder and, for each back end, its passes and its pipeline as
/// `--ced-target-<name>` (option `chip`).
void registerTargetPasses();

} // namespace cedilla
