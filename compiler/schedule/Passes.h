//===- Passes.h - the schedule phase -------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"
#include "dialects/sched/Sched.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cedilla {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla
