//===- OpWork.h - what one ced op touches and multiplies ----------------------------------------------===//
//
// For each operand and result how many pieces of it an op reads or writes; what a piece is in bytes follows
// from the memory it lies in (KernelCost.h). One table of rules; the default, everything once, holds for most.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/Signature.h"
#include "runtime/package/Cost.h"

namespace cedilla {

/// `count` pieces per unit; a piece is the dims of the memory behind the first `skip`.
struct Touch {
  Unit unit = Unit::One;
  int64_t a = 0, b = 0;
  double count = 0; ///< 0: not touched
  int64_t skip = 0;
};

struct OpWork {
  llvm::SmallVector<Touch> reads;  ///< by operand
  llvm::SmallVector<Touch> writes; ///< by result; of a cache: what is written in place
  /// Of the op's products, two per multiply-add: the format they are made in, and their number.
  llvm::StringRef format;
  Amount flops;
  double pieces = 1; ///< per row: parts of the result that do not wait for each other
};

OpWork workOf(mlir::Operation *op, const Limits &limits);

} // namespace cedilla
