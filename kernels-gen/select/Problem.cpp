//===- Problem.cpp - select: whether it can be built ------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/common/SingleOp.h"
#include "kernels-gen/select/Select.h"

using namespace mlir;
using namespace cedilla;

static int64_t entriesOf(Operation &op) { return cast<RankedTensorType>(op.getOperand(0).getType()).getShape()[1]; }

bool SelectFamily::match(Block &body, std::string &reason) const {
  if (!findSingleOp<ced::TopkOp, ced::BlockMaxOp, ced::CandidateBlocksOp>(body, reason))
    return false;
  if (entriesOf(body.front()) == ShapedType::kDynamic) {
    reason = "expected a static number of entries in a row of scores";
    return false;
  }
  return true;
}

SmallVector<Candidate> SelectFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &) const {
  Candidate only;
  // A choice has a whole row for one block of the grid; what hides the latency of its passes is threads.
  int64_t warps = isa<ced::BlockMaxOp>(kernel.getBody().front().front()) ? 4 : 16;
  only.config = chip.warp ? makeConfig(kernel.getContext(), {{"warps", warps}}) : DictionaryAttr::get(kernel.getContext());
  return {only};
}
