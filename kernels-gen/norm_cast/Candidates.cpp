//===- Candidates.cpp - norm_cast: configs for a chip ------------------------------------------------===//

#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/norm_cast/NormCast.h"

using namespace mlir;
using namespace cedilla;

/// Elements of a block's tile that keep its fixed cost small beside its work.
static constexpr int64_t wantedElements = 4096;

SmallVector<Candidate> NormCastFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  NormCastProblem problem = readNormCastProblem(kernel.getBody().front());
  int64_t width = tileWidth(problem.cols);
  Candidate candidate;
  // Rows of a step are never joined: a decode step has one, and would pay for the others.
  int64_t rows = problem.heads ? std::clamp<int64_t>(wantedElements / width, 1, problem.heads) : 1;
  SmallVector<std::pair<StringRef, int64_t>> members = {{"block_rows", rows}};
  if (chip.warp)
    members.push_back({"warps", rows * width >= 2048 ? 8 : 4});
  candidate.config = makeConfig(kernel.getContext(), members);
  // The row, its squares and its result in f32; the streams as they are read.
  int64_t bytes = rows * width * (3 * 4 + 4 * problem.streams);
  if (bytes > chip.sharedBytes)
    candidate.rejection = "needs " + std::to_string(bytes) + " bytes of scratch, the chip has " +
                          std::to_string(chip.sharedBytes);
  candidate.cost = double(limits.maxRows) * std::max<int64_t>(problem.heads, 1) * problem.cols;
  return {candidate};
}
