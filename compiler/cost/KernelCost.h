//===- KernelCost.h - what a kernel of one phase does to its memory arguments ---------------------------===//

#pragma once

#include "dialects/sched/Sched.h"
#include "kernels-gen/common/Signature.h"
#include "runtime/package/Cost.h"

#include <map>

namespace cedilla {

/// Bytes of one memory argument.
struct Access {
  Amount read, written;
};

struct KernelWork {
  /// In the order of the kernel's memory arguments: inputs, results, then scratch.
  llvm::SmallVector<Access> accesses;
  std::map<std::string, Amount> flops;
  int64_t pieces = 0; ///< per row, of the op with the fewest
};

/// Values between ops of the body stay on the chip and cost nothing; an input that several ops read is read once.
/// `scratch` are the types of the memory arguments behind the results.
KernelWork workOf(sched::KernelOp kernel, llvm::ArrayRef<mlir::MemRefType> scratch, const Limits &limits);

} // namespace cedilla
