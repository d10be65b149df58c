//===- Rope.cpp - rope: what is asked, and configs -----------------------------------------------------===//

#include "kernels-gen/rope/Rope.h"

#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

RopeProblem cedilla::readRopeProblem(Block &body) {
  RopeProblem problem;
  problem.op = cast<ced::RopeOp>(body.front());
  auto type = cast<RankedTensorType>(problem.op.getX().getType());
  problem.heads = type.getRank() == 3 ? type.getDimSize(1) : 0;
  problem.cols = type.getShape().back();
  return problem;
}

bool RopeFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::RopeOp>(body, reason);
}

SmallVector<Candidate> RopeFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  RopeProblem problem = readRopeProblem(kernel.getBody().front());
  // Enough heads to pay for the angles, few enough to share a row among threads.
  int64_t heads = problem.heads ? std::min<int64_t>(problem.heads, 8) : 1;
  SmallVector<std::pair<StringRef, int64_t>> members = {{"block_heads", heads}};
  if (chip.warp)
    members.push_back({"warps", 4});
  Candidate candidate;
  candidate.config = makeConfig(kernel.getContext(), members);
  int64_t bytes = 4 * heads * tileWidth(problem.cols) * 3;
  if (bytes > chip.sharedBytes)
    candidate.rejection = "needs " + std::to_string(bytes) + " bytes of scratch, the chip has " +
                          std::to_string(chip.sharedBytes);
  candidate.cost = double(limits.maxRows) * std::max<int64_t>(problem.heads, 1) * problem.cols;
  return {candidate};
}
