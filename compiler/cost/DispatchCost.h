//===- DispatchCost.h - what each dispatch of a program costs -------------------------------------------===//

#pragma once

#include "compiler/cost/KernelCost.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace cedilla {

/// On a dispatch: its Cost as {read, written, inside, flops, chain, pieces}, amounts as Cost.h writes them.
inline constexpr llvm::StringLiteral costAttr = "sched.cost";

/// One phase of a dispatch as if it ran alone; a kernel without phases has one.
struct PhaseCost {
  std::string kernel, family;
  std::vector<std::string> ops;            ///< names without their dialect
  std::vector<std::string> reads, writes;  ///< buffers
  Cost cost; ///< `inside` is empty: everything it touches counts
};

struct DispatchCost {
  sched::DispatchOp dispatch;
  Cost cost;
  std::vector<PhaseCost> phases;
};

/// Of a module as the schedule phase leaves it. A buffer of the scratch area that one dispatch alone uses counts as
/// `inside`; what it writes for others is written once, what others wrote is read once.
class ProgramCosts {
public:
  explicit ProgramCosts(mlir::ModuleOp module, const Limits &limits);
  std::vector<DispatchCost> of(sched::ProgramOp program);

private:
  DispatchCost costOf(sched::DispatchOp dispatch);
  const KernelWork &workOf(sched::KernelOp kernel, llvm::ArrayRef<llvm::StringRef> buffers);
  /// Scratch that no other dispatch touches.
  bool isOnlyOf(llvm::StringRef buffer) const;

  mlir::SymbolTable symbols;
  Limits limits;
  llvm::DenseMap<mlir::Operation *, KernelWork> works;
  llvm::DenseMap<mlir::StringRef, int64_t> dispatchesThatUse; ///< in the program being looked at
};

/// The attribute's value as a Cost. Throws cedilla::Error where an edited text cannot be read.
Cost readCost(sched::DispatchOp dispatch);

} // namespace cedilla
