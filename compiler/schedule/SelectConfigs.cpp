//===- SelectConfigs.cpp - choose each kernel's config -------------------------------------------------===//

#include "compiler/schedule/Passes.h"
#include "kernels-gen/common/Family.h"

namespace cedilla {
#define GEN_PASS_DEF_SCHEDSELECTCONFIGS
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static LogicalResult selectConfig(sched::KernelOp kernel, const Chip &chip, const Limits &limits) {
  const Family *family = findFamily(kernel.getFamily());
  if (!family)
    return kernel.emitOpError("expected a kernel family, got '") << kernel.getFamily() << "'";
  if (!kernel.getConfig().empty())
    return success();
  SmallVector<Candidate> candidates = family->candidates(kernel, chip, limits);
  const Candidate *best = nullptr;
  for (const Candidate &candidate : candidates)
    if (candidate.rejection.empty() && (!best || candidate.cost < best->cost))
      best = &candidate;
  if (best) {
    kernel.setConfigAttr(best->config);
    return success();
  }
  auto error = kernel.emitOpError("no config of family '") << kernel.getFamily() << "' fits chip '" << chip.name << "'";
  for (const Candidate &candidate : candidates)
    error.attachNote() << candidate.config << ": " << candidate.rejection;
  return error;
}

namespace {
struct SelectConfigs : cedilla::impl::SchedSelectConfigsBase<SelectConfigs> {
  using SchedSelectConfigsBase::SchedSelectConfigsBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    const Chip *known = findChip(target, chip);
    if (!known)
      module.emitError("expected a known chip of target '") << target << "', got '" << chip << "'";
    if (failed(limits) || !known)
      return signalPassFailure();
    for (auto kernel : module.getOps<sched::KernelOp>())
      if (failed(selectConfig(kernel, *known, *limits)))
        return signalPassFailure();
  }
};
} // namespace
