//===- Candidates.cpp - linear: configs for a chip ---------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/linear/Linear.h"

using namespace mlir;
using namespace cedilla;

namespace {
struct Shape {
  int64_t blockN, blockM, blockK, warps, stages;
};
} // namespace

// On a CPU a block's decoded weight tile stays in the L1/L2 cache while the rows of x pass; on a GPU
// each warp owns 16 weight rows and the K loop is staged through shared memory.
static constexpr Shape cpuShapes[] = {{32, 16, 256, 0, 1}, {32, 4, 256, 0, 1}, {16, 1, 256, 0, 1}};
static constexpr Shape gpuShapes[] = {{64, 8, 128, 4, 4}, {64, 32, 128, 4, 4}, {64, 64, 128, 4, 3}};

/// Bytes of one stage of the K loop as it is stored, before decoding.
static int64_t stageBytes(const LinearProblem &p, const Shape &s) {
  auto bytesPerValue = [](Value value) {
    auto type = dyn_cast<ced::ScaledType>(value.getType());
    return !type ? 2.0 : type.isFP4() ? 0.5 : 1.0;
  };
  return s.blockN * s.blockK * bytesPerValue(p.w()) + s.blockM * s.blockK * bytesPerValue(p.x());
}

SmallVector<Candidate> LinearFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  LinearProblem problem = readLinearProblem(kernel.getBody().front());
  Builder b(kernel.getContext());
  SmallVector<Candidate> result;
  for (const Shape &shape : chip.warp ? ArrayRef<Shape>(gpuShapes) : ArrayRef<Shape>(cpuShapes)) {
    Candidate candidate;
    auto value = [&](int64_t v) { return b.getI64IntegerAttr(v); };
    // K beyond the end is loaded as zero, so a short K only needs a shorter block.
    int64_t blockK = std::min(shape.blockK, ceilDiv(problem.k, 32) * 32);
    candidate.config = b.getDictionaryAttr({
        b.getNamedAttr("block_n", value(shape.blockN)),
        b.getNamedAttr("block_m", value(shape.blockM)),
        b.getNamedAttr("block_k", value(blockK)),
        b.getNamedAttr("warps", value(shape.warps)),
        b.getNamedAttr("stages", value(shape.stages)),
    });
    int64_t shared = stageBytes(problem, shape) * shape.stages;
    if (shared > chip.sharedBytes)
      candidate.rejection = "needs " + std::to_string(shared) + " bytes of scratch, the chip has " +
                            std::to_string(chip.sharedBytes);
    // Every block of rows reads (and decodes) all weights once; that dominates.
    candidate.cost = double(problem.weightBytes()) * ceilDiv(limits.maxRows, shape.blockM) +
                     double(problem.n * problem.groups) * problem.k * limits.maxRows / 8;
    result.push_back(candidate);
  }
  return result;
}
