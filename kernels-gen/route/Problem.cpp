//===- Problem.cpp - route: whether it can be built, and configs ------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/SingleOp.h"
#include "kernels-gen/route/Route.h"

using namespace mlir;
using namespace cedilla;

bool RouteFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::RouteOp>(body, reason) != nullptr;
}

SmallVector<Candidate> RouteFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &) const {
  Candidate only;
  only.config = makeConfig(kernel.getContext(), {{"block_m", 4}, {"warps", chip.warp ? 4 : 0}});
  return {only};
}
