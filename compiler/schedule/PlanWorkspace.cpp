//===- PlanWorkspace.cpp - offsets of workspace buffers ------------------------------------------------===//
//
// Each program on its own (programs never run at the same time): a buffer lives from the first to the
// last op that names it. Buffers are placed in order of first use at the lowest offset that no living
// buffer covers. What an earlier program has left for this one (the logits) stays where it is and lives
// until the end. Leaves `sched.workspace_bytes` on the module.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/schedule/Lifetimes.h"
#include "compiler/schedule/Passes.h"
#include "kernels-gen/common/Signature.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <limits>

namespace cedilla {
#define GEN_PASS_DEF_SCHEDPLANWORKSPACE
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

/// The lowest offset at which `wanted` overlaps no placed buffer that lives at the same time.
static uint64_t findOffset(const Lifetime &wanted, ArrayRef<Lifetime> placed) {
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (const Lifetime &other : placed)
    if (wanted.meets(other))
      taken.push_back({other.offset, other.offset + other.bytes});
  llvm::sort(taken);
  uint64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + wanted.bytes <= begin)
      break;
    offset = std::max(offset, end);
  }
  return offset;
}

namespace {
struct PlanWorkspace : cedilla::impl::SchedPlanWorkspaceBase<PlanWorkspace> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    if (failed(limits))
      return signalPassFailure();
    SymbolTable symbols(module);
    Builder b(&getContext());
    uint64_t total = 0;
    llvm::DenseMap<Operation *, uint64_t> placed; // by earlier programs
    for (auto program : module.getOps<sched::ProgramOp>()) {
      std::vector<Lifetime> lifetimes = computeLifetimes(program, symbols, limits->maxRows);
      auto given = std::stable_partition(lifetimes.begin(), lifetimes.end(),
                                         [&](const Lifetime &lifetime) { return placed.contains(lifetime.buffer); });
      for (Lifetime &lifetime : llvm::make_range(lifetimes.begin(), given)) {
        lifetime.first = 0, lifetime.last = std::numeric_limits<int64_t>::max();
        lifetime.offset = placed.lookup(lifetime.buffer);
      }
      for (size_t i = given - lifetimes.begin(); i < lifetimes.size(); ++i) {
        Lifetime &lifetime = lifetimes[i];
        lifetime.offset = findOffset(lifetime, ArrayRef(lifetimes).take_front(i));
        placed[lifetime.buffer] = lifetime.offset;
        lifetime.buffer.setOffsetAttr(b.getI64IntegerAttr(lifetime.offset));
        total = std::max(total, lifetime.offset + lifetime.bytes);
      }
    }
    module->setAttr("sched.workspace_bytes", b.getI64IntegerAttr(total));
  }
};
} // namespace
