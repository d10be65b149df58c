//===- Problem.cpp - compress: whether it can be built, and configs --------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/SingleOp.h"
#include "kernels-gen/compress/Compress.h"

using namespace mlir;
using namespace cedilla;

bool CompressFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::CompressOp>(body, reason) != nullptr;
}

SmallVector<Candidate> CompressFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &) const {
  // A block takes whole cache lines of a row. On a GPU many small blocks share the walk over the rows.
  Candidate only;
  only.config = chip.warp ? makeConfig(kernel.getContext(), {{"block_c", 32}, {"block_m", 32}, {"warps", 4}})
                          : makeConfig(kernel.getContext(), {{"block_c", 64}, {"block_m", 16}});
  return {only};
}
