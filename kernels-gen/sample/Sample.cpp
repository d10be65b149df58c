//===- Sample.cpp - sample: what is asked, and configs ----------------------------------------------------===//

#include "kernels-gen/sample/Sample.h"

#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/common/SingleOp.h"

#include <algorithm>

using namespace mlir;
using namespace cedilla;

bool SampleFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::SampleOp, ced::SingleRowsOp>(body, reason);
}

SmallVector<Candidate> SampleFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  Candidate only;
  only.cost = limits.maxRows;
  auto sample = dyn_cast<ced::SampleOp>(kernel.getBody().front().front());
  if (!sample) {
    only.config = makeConfig(kernel.getContext(), {{"warps", chip.warp ? 1 : 0}});
    return {only};
  }
  // A block has a whole row to itself: as many threads as a block may have, eight logits each.
  int64_t width = tileWidth(sample.getLogits().getType().getDimSize(1));
  int64_t cols = std::min<int64_t>(width, chip.warp ? 4096 : 1024);
  only.config = makeConfig(kernel.getContext(), {{"cols", cols}, {"warps", chip.warp ? std::clamp<int64_t>(cols / 256, 1, 16) : 0}});
  return {only};
}
