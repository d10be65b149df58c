//===- PlanLimits.cpp - make every dim but the step's rows static -----------------------------------===//
//
// Expects the module attribute sched.limits. Types change in place, through groups; ops whose result's
// dims follow from a cache or a block size (index_scores, block_max, gather_window, gather_paged) decide them, everything
// else follows its operands.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/schedule/Passes.h"
#include "kernels-gen/common/Signature.h"

namespace cedilla {
#define GEN_PASS_DEF_SCHEDPLANLIMITS
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static void setShape(Value value, ArrayRef<int64_t> shape) {
  value.setType(RankedTensorType::get(shape, cast<RankedTensorType>(value.getType()).getElementType()));
}

/// The page table is the only function argument with two dynamic dims.
static bool isPageTable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 2 && tensor.getNumDynamicDims() == 2 && tensor.getElementType().isInteger(32);
}

static void refine(Block &block, const Limits &limits) {
  for (Operation &op : block) {
    if (auto scores = dyn_cast<ced::IndexScoresOp>(op)) {
      int64_t ratio = cast<ced::PagedType>(scores.getKeys().getType()).getRatio();
      setShape(scores.getResult(), {ShapedType::kDynamic, (limits.maxContext + ratio - 1) / ratio});
    }
    if (auto best = dyn_cast<ced::BlockMaxOp>(op)) {
      int64_t entries = best.getScores().getType().getShape()[1], size = best.getBlockSize();
      setShape(best.getResult(), {ShapedType::kDynamic, (entries + size - 1) / size});
    }
    if (auto gather = dyn_cast<ced::GatherWindowOp>(op)) {
      auto window = cast<ced::WindowType>(gather.getWindow().getType());
      setShape(gather.getResult(), {limits.maxBatch, window.getRingRows(), window.getRow().getCols()});
    }
    if (auto gather = dyn_cast<ced::GatherPagedOp>(op)) {
      auto cache = cast<ced::PagedType>(gather.getCache().getType());
      setShape(gather.getResult(), {limits.maxBatch, limits.pagesPerSlot() * cache.getEntriesPerPage(), cache.getRow().getCols()});
    }
    if (auto group = dyn_cast<ced::GroupOp>(op)) {
      Block &body = group.getBody().front();
      for (auto [argument, input] : llvm::zip(body.getArguments(), group.getInputs()))
        argument.setType(input.getType());
      refine(body, limits);
      for (auto [result, yielded] : llvm::zip(group.getOutputs(), body.getTerminator()->getOperands()))
        result.setType(yielded.getType());
    }
    // Marks and reshapes have the type of what they pass on where that was dynamic.
    if (auto mark = dyn_cast<ced::MarkOp>(op))
      mark.getResult().setType(mark.getValue().getType());
  }
}

namespace {
struct PlanLimits : cedilla::impl::SchedPlanLimitsBase<PlanLimits> {
  void runOnOperation() override {
    FailureOr<Limits> limits = getLimits(getOperation());
    if (failed(limits))
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      Block &body = func.getBody().front();
      for (BlockArgument argument : body.getArguments())
        if (isPageTable(argument.getType()))
          setShape(argument, {limits->maxBatch, limits->pagesPerSlot()});
      refine(body, *limits);
      auto results = body.getTerminator()->getOperandTypes();
      func.setType(FunctionType::get(&getContext(), body.getArgumentTypes(), results));
    }
  }
};
} // namespace
