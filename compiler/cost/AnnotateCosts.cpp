//===- AnnotateCosts.cpp - write what each dispatch costs beside it ---------------------------------------===//
//
// Kernels are still sched.kernel here; behind the tile phase nobody could tell. Costs that an edited text
// carries are written anew.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/cost/DispatchCost.h"
#include "compiler/cost/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_SCHEDANNOTATECOSTS
#include "compiler/cost/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static DictionaryAttr toAttribute(Builder &b, const Cost &cost) {
  NamedAttrList members;
  auto amount = [&](StringRef name, const Amount &value) {
    if (!value.isZero())
      members.set(name, b.getStringAttr(value.text()));
  };
  amount("read", cost.read), amount("written", cost.written), amount("inside", cost.inside);
  NamedAttrList flops;
  for (const auto &[format, value] : cost.flops)
    flops.set(format, b.getStringAttr(value.text()));
  if (!flops.empty())
    members.set("flops", flops.getDictionary(b.getContext()));
  members.set("chain", b.getI64IntegerAttr(cost.chain));
  members.set("pieces", b.getI64IntegerAttr(cost.pieces));
  return members.getDictionary(b.getContext());
}

namespace {
struct AnnotateCosts : cedilla::impl::SchedAnnotateCostsBase<AnnotateCosts> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    if (failed(limits))
      return signalPassFailure();
    ProgramCosts costs(module, *limits);
    Builder b(&getContext());
    for (auto program : module.getOps<sched::ProgramOp>())
      for (DispatchCost &each : costs.of(program))
        if (!each.phases.empty())
          each.dispatch->setAttr(costAttr, toAttribute(b, each.cost));
  }
};
} // namespace
