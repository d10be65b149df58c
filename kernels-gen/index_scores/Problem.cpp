//===- Problem.cpp - index_scores: what is asked, whether it can be built, and configs --------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/common/SingleOp.h"
#include "kernels-gen/index_scores/IndexScores.h"

using namespace mlir;
using namespace cedilla;

IndexScoresProblem cedilla::readIndexScoresProblem(Block &body) {
  IndexScoresProblem problem;
  problem.op = cast<ced::IndexScoresOp>(body.front());
  problem.heads = problem.op.getQ().getType().getShape()[1];
  problem.entries = cast<RankedTensorType>(problem.op.getResult().getType()).getShape()[1];
  if (problem.op.getPool()) {
    problem.pool = problem.op.getPool().getType().getK();
    problem.blockSize = *problem.op.getBlockSize();
  }
  return problem;
}

bool IndexScoresFamily::match(Block &body, std::string &reason) const {
  if (!findSingleOp<ced::IndexScoresOp>(body, reason))
    return false;
  if (readIndexScoresProblem(body).entries == ShapedType::kDynamic) {
    reason = "expected a static number of entries in a row of scores";
    return false;
  }
  return true;
}

SmallVector<Candidate> IndexScoresFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &) const {
  IndexScoresProblem problem = readIndexScoresProblem(kernel.getBody().front());
  // A step of one row still has work for many cores; stretches are dealt round, so short contexts use them too.
  int64_t stretches = problem.pool ? problem.pool : ceilDiv(problem.entries, 64);
  int64_t splits = std::min<int64_t>(chip.warp ? 64 : 16, stretches);
  // Heads are rows of an mma tile of 16 on a GPU.
  int64_t heads = chip.warp ? ceilDiv(problem.heads, 16) * 16 : problem.heads;
  Candidate only;
  only.config = makeConfig(kernel.getContext(), {{"splits", splits}, {"block_h", heads}, {"warps", chip.warp ? 4 : 0}});
  return {only};
}
