//===- BuildKernels.cpp - let each family build its kernels ---------------------------------------------===//

#include "compiler/tile/Passes.h"
#include "kernels-gen/common/Family.h"

namespace cedilla {
#define GEN_PASS_DEF_TILEBUILDKERNELS
#include "compiler/tile/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static LogicalResult buildKernel(sched::KernelOp kernel, const Limits &limits) {
  const Family *family = findFamily(kernel.getFamily());
  if (!family)
    return kernel.emitOpError("expected a kernel family, got '") << kernel.getFamily() << "'";
  std::string reason;
  if (!family->match(kernel.getBody().front(), reason))
    return kernel.emitOpError("the family '") << kernel.getFamily() << "' cannot build this kernel: " << reason;
  // A family stores what nobody in the body takes: without a result there is no place for it.
  for (Operation &op : kernel.getBody().front().without_terminator())
    for (OpResult result : op.getResults())
      if (result.use_empty())
        return op.emitOpError("result ") << result.getResultNumber() << " is neither used in kernel '"
                                         << kernel.getSymName() << "' nor among its sched.result";
  OpBuilder b(kernel);
  if (failed(family->build(b, kernel, limits)))
    return failure();
  kernel.erase();
  return success();
}

namespace {
struct BuildKernels : cedilla::impl::TileBuildKernelsBase<BuildKernels> {
  void runOnOperation() override {
    FailureOr<Limits> limits = getLimits(getOperation());
    if (failed(limits))
      return signalPassFailure();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<sched::KernelOp>()))
      if (failed(buildKernel(kernel, *limits)))
        return signalPassFailure();
  }
};
} // namespace
