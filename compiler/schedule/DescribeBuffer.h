//===- DescribeBuffer.h - what a buffer holds, for whoever checks it at run time -------------------===//

#pragma once

#include "dialects/sched/Sched.h"

namespace cedilla {

/// On a sched.buffer: the name of the value that it holds (dialects/ced/ValueNames.h). Absent where the value has none.
inline constexpr llvm::StringLiteral valueAttr = "sched.value";
/// On a sched.buffer of numbers that others index with: a dictionary of `what` and the facts that bound the numbers
/// (runtime/package/Manifest.h, HoldsInfo).
inline constexpr llvm::StringLiteral holdsAttr = "sched.holds";

/// Writes both on the buffer of part `part` of `value`, which an op of a kernel's body computes.
void describeBuffer(sched::BufferOp buffer, mlir::Value value, unsigned part);

} // namespace cedilla
