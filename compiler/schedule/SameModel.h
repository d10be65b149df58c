//===- SameModel.h - does an edited schedule still compute its model? ----------------------------===//

#pragma once

#include "kernels-gen/common/Signature.h"

#include <string>

namespace cedilla {

/// Follows both modules' programs with names in place of numbers: a value is its op and what the operands are. Every op of
/// `edited` must be one of `model` on the same values, and each program must leave the same logits, caches and marks behind.
/// How ops are dealt out to kernels, the order of kernels, and buffers are free. Both are modules of sched.kernel.
///
/// Empty: it does. Otherwise the first thing that differs, in words.
std::string differenceOfSchedules(mlir::ModuleOp edited, mlir::ModuleOp model);

/// The first op that reads workspace which its program has not written by then, in words, or logits that no dispatch
/// writes; empty: none. Programs that take the logits of the one before may read those.
std::string findUnwrittenRead(mlir::ModuleOp module, const Limits &limits);

} // namespace cedilla
