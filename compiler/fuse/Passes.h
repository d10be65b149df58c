//===- Passes.h - the fuse phase -----------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cedilla {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla
