//===- Candidates.cpp - attention: configs for a chip --------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/attention/Attention.h"
#include "kernels-gen/common/KernelBuilder.h"

using namespace mlir;
using namespace cedilla;

namespace {
struct Shape {
  int64_t blockH, warps, stages;
};
} // namespace

// All heads of a row read the same vectors. Many heads in a block decode them seldom; few heads make more
// blocks, which is what a step of a few rows lacks.
static constexpr Shape cpuShapes[] = {{64, 0, 1}, {16, 0, 1}};
static constexpr Shape gpuShapes[] = {{32, 8, 1}, {16, 8, 1}};

/// Blocks that keep a chip busy.
static constexpr int64_t enoughBlocks = 64;

SmallVector<Candidate> AttentionFamily::candidates(sched::KernelOp kernel, const Chip &chip,
                                                   const Limits &limits) const {
  AttentionProblem problem = readAttentionProblem(kernel.getBody().front());
  // Without rows beside the ring this is a program that takes one token of each sequence.
  int64_t rows = problem.manyRows ? limits.maxRows : limits.maxBatch;
  SmallVector<Candidate> result;
  for (const Shape &shape : chip.warp ? ArrayRef<Shape>(gpuShapes) : ArrayRef<Shape>(cpuShapes)) {
    Candidate candidate;
    int64_t blockH = chip.warp ? shape.blockH : std::min(shape.blockH, problem.heads);
    candidate.config = makeConfig(kernel.getContext(),
                                  {{"block_h", blockH}, {"warps", shape.warps}, {"stages", shape.stages},
                                   {"split", chip.warp && problem.splits(limits) > 1}});
    // Query, one block of codes; accumulators are registers.
    int64_t scratch = blockH * problem.cols * 2 + 64 * problem.rowBytes * shape.stages;
    if (scratch > chip.sharedBytes)
      candidate.rejection = "needs " + std::to_string(scratch) + " bytes of scratch, the chip has " +
                            std::to_string(chip.sharedBytes);
    double groups = ceilDiv(problem.heads, blockH), list = problem.window + problem.selected;
    double waves = std::max(1.0, rows * groups / enoughBlocks);
    // Per block: products of all its heads, and decoding, which costs about as much as 16 heads.
    candidate.cost = waves * list * problem.cols * (blockH + 16);
    result.push_back(candidate);
  }
  return result;
}
