//===- Candidates.cpp - experts: configs for a chip ---------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/experts/Experts.h"

using namespace mlir;
using namespace cedilla;

/// A product. Few rows at a time on a CPU: an expert of a large model meets few rows of a step. The columns
/// of an expert are split so that the few experts of a single row still use all cores.
static Candidate productConfig(sched::KernelOp kernel, const Chip &chip) {
  ExpertProblem p = readExpertProblem(kernel.getBody().front());
  bool gpu = chip.warp != 0;
  int64_t blockN = gpu ? 64 : 32, blockK = std::min<int64_t>(128, ceilDiv(p.k, 32) * 32);
  int64_t splits = std::min<int64_t>(gpu ? 18 : 8, ceilDiv(p.n, blockN));
  Candidate candidate;
  SmallVector<std::pair<StringRef, int64_t>> members = {{"block_m", gpu ? 16 : 8},
                                                        {"block_n", blockN},
                                                        {"block_k", blockK},
                                                        {"splits", splits},
                                                        {"warps", gpu ? 4 : 0},
                                                        {"stages", gpu ? 3 : 1}};
  if (gpu && p.w.size() > 1) // parts of two sums would not leave registers for anything else
    members.push_back({"warps_k", 1});
  candidate.config = makeConfig(kernel.getContext(), members);
  return candidate;
}

SmallVector<Candidate> ExpertsFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &) const {
  if (isa<ced::ExpertUpOp, ced::ExpertDownOp>(kernel.getBody().front().front()))
    return {productConfig(kernel, chip)};
  Candidate elementwise;
  elementwise.config = makeConfig(kernel.getContext(), {{"block_m", 4}, {"block_c", 256}, {"warps", chip.warp ? 4 : 0}});
  return {elementwise};
}
