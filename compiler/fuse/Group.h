//===- Group.h - ops into a ced.group and out of it ---------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"

namespace cedilla {

/// Puts the ops, in this order, into one group in front of the first of them, which all they read must
/// precede. Its results are what others read, and all results of a computing op that has several: its
/// kernel writes them, read or not.
ced::GroupOp formGroup(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef kernel);

/// Puts what the group holds in its place; the ops in order.
llvm::SmallVector<mlir::Operation *> dissolve(ced::GroupOp group);

} // namespace cedilla
