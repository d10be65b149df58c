//===- Passes.h - the schedule phase -------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"
#include "dialects/sched/Sched.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cedilla {

/// On a sched.kernel: why nothing builds it.
inline constexpr llvm::StringLiteral missAttr = "sched.miss";

/// On a sched.program: the most rows a step of it has, where that is less than max_rows of `sched.limits`. For
/// choosing configs; any number of rows is computed right.
inline constexpr const char *programRowsAttr = "sched.rows";
/// Of a program: by mode of a layer, one op for each kernel that it runs in.
inline constexpr const char *contractAttr = "sched.contract";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla
