//===- Signature.h - how ced values become memory arguments -------------------------------------===//
//
// The one place that says how many buffers a ced value occupies and what they look like. The schedule
// phase makes buffers from it, families make kernel arguments from it.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"
#include "dialects/sched/Sched.h"

#include "mlir/IR/BuiltinOps.h"

namespace cedilla {

/// What a compile fixes; the module attribute `sched.limits` as a structure.
struct Limits {
  int64_t maxRows = 512;     ///< rows of a step
  int64_t maxBatch = 8;      ///< sequence slots
  int64_t maxContext = 4096; ///< tokens of a sequence
  int64_t page = 64;         ///< tokens of a cache page
  bool phase = false;        ///< the kernel is one of several phases of an entry, which share registers

  int64_t pagesPerSlot() const { return (maxContext + page - 1) / page; }
};

void setLimits(mlir::ModuleOp module, const Limits &limits);
/// Fails with a diagnostic when the module has none.
mlir::FailureOr<Limits> getLimits(mlir::Operation *insideModule);

/// Whether the value is memory that outlives the step and is written in place.
bool isCache(mlir::Type type);

/// The memory a value occupies: codes and scales of a planar block-scaled value, one part otherwise.
/// A dynamic first dim stays dynamic (the step's rows). Any other dynamic dim is an error of the
/// caller: the schedule phase has made them static before.
llvm::SmallVector<mlir::MemRefType> getParts(mlir::Type type, const Limits &limits);

/// The value of `inputs` (block arguments of the body) that a cache result is written into: follows
/// append ops from the result back to the block argument. Null if there is none.
mlir::BlockArgument findCacheInput(mlir::Value result);

/// The memory arguments of a kernel in order: parts of the inputs, then of the results that are not
/// caches.
llvm::SmallVector<mlir::MemRefType> getMemoryArguments(sched::KernelOp kernel, const Limits &limits);

} // namespace cedilla
