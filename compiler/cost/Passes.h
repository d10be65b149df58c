//===- Passes.h - costs of a schedule --------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"
#include "dialects/sched/Sched.h"

#include "mlir/Pass/Pass.h"

namespace cedilla {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/cost/Passes.h.inc"
} // namespace cedilla
