//===- Candidates.cpp - experts: configs for a chip ---------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/experts/Experts.h"

using namespace mlir;
using namespace cedilla;

/// A product on a CPU. Few rows at a time: an expert of a large model meets few rows of a step. The columns
/// of an expert are split so that the few experts of a single row still use all cores.
static Candidate cpuProduct(sched::KernelOp kernel, const ExpertProblem &p) {
  int64_t blockN = 32, blockK = std::min<int64_t>(128, ceilDiv(p.k, 32) * 32);
  Candidate candidate;
  candidate.config = makeConfig(kernel.getContext(), {{"block_m", 8},
                                                      {"block_n", blockN},
                                                      {"block_k", blockK},
                                                      {"splits", std::min<int64_t>(8, ceilDiv(p.n, blockN))},
                                                      {"warps", 0},
                                                      {"stages", 1}});
  return candidate;
}

/// Slots for each expert of the model up to which a block takes a slot (measured, README.md).
static constexpr int64_t mostSlotsPerExpert = 2;

// A product on a GPU: warps along k, whatever the rows, so that sums are the same in every program. By expert the rows
// of x are fetched by slot in every iteration, and nothing hides that. A warp takes 128 of k at a time, whose scales it reads as
// words. Sums of two weights have half the columns. More than 16 slots at a time spill.
static Candidate gpuProduct(sched::KernelOp kernel, const ExpertProblem &p, int64_t rows) {
  bool pair = p.w.size() > 1;
  int64_t k = ceilDiv(p.k, 32) * 32;
  int64_t warps = k >= 512 && k % 512 == 0 ? 4 : k >= 256 ? 2 : 1;
  int64_t blockK = warps > 1 ? 128 * warps : k;
  // With few slots a block for each slot finds work more often than one for each expert, and what it reads is known when it begins. Many
  // small blocks keep more bytes in flight than long rings. Slots that share an expert decode its weights anew, but find them in the L2.
  bool bySlot = rows * p.choices <= mostSlotsPerExpert * p.experts;
  int64_t blockN = bySlot ? (pair ? 16 : 32) : (pair ? 32 : 64);
  Candidate candidate;
  candidate.config = makeConfig(kernel.getContext(), {{"block_m", 16},
                                                      {"block_n", blockN},
                                                      {"block_k", blockK},
                                                      {"splits", std::min<int64_t>(18, ceilDiv(p.n, blockN))},
                                                      {"by_slot", bySlot},
                                                      {"listed", !bySlot},
                                                      {"warps", warps},
                                                      {"warps_k", warps},
                                                      {"stages", pair ? 3 : 4}});
  return candidate;
}

SmallVector<Candidate> ExpertsFamily::candidates(sched::KernelOp kernel, const Chip &chip,
                                                 const Limits &limits) const {
  if (isa<ced::ExpertUpOp, ced::ExpertDownOp>(kernel.getBody().front().front())) {
    ExpertProblem problem = readExpertProblem(kernel.getBody().front());
    return {chip.warp ? gpuProduct(kernel, problem, limits.maxRows) : cpuProduct(kernel, problem)};
  }
  Candidate elementwise;
  elementwise.config = makeConfig(kernel.getContext(), {{"block_m", 4}, {"block_c", 256}, {"warps", chip.warp ? 4 : 0}});
  return {elementwise};
}
