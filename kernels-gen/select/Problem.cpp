//===- Problem.cpp - select: whether it can be built, and what scratch it needs ---------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/common/SingleOp.h"
#include "kernels-gen/select/Select.h"

using namespace mlir;
using namespace cedilla;

static int64_t entriesOf(Operation &op) { return cast<RankedTensorType>(op.getOperand(0).getType()).getShape()[1]; }

bool SelectFamily::match(Block &body, std::string &reason) const {
  if (!findSingleOp<ced::TopkOp, ced::CandidateBlocksOp>(body, reason))
    return false;
  if (entriesOf(body.front()) == ShapedType::kDynamic) {
    reason = "expected a static number of entries in a row of scores";
    return false;
  }
  return true;
}

SmallVector<MemRefType> SelectFamily::scratch(Block &body, const Limits &) const {
  auto op = dyn_cast<ced::CandidateBlocksOp>(body.front());
  if (!op || entriesOf(*op) == ShapedType::kDynamic) // the latter does not match
    return {};
  int64_t blocks = ceilDiv(entriesOf(*op), op.getBlockSize());
  return {MemRefType::get({ShapedType::kDynamic, blocks}, BFloat16Type::get(op.getContext()))};
}

SmallVector<Candidate> SelectFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &) const {
  Candidate only;
  // One block has a whole row to itself; what hides the latency of its passes is threads.
  only.config = chip.warp ? makeConfig(kernel.getContext(), {{"warps", 16}}) : DictionaryAttr::get(kernel.getContext());
  return {only};
}
