//===- Body.cpp - experts: which kernel ------------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/experts/Experts.h"

using namespace mlir;
using namespace cedilla;

FailureOr<tile::KernelOp> ExpertsFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  Operation &op = kernel.getBody().front().front();
  if (isa<ced::SwigluOp>(op))
    return buildSwiglu(builder, kernel, limits);
  if (isa<ced::CombineOp>(op))
    return buildCombine(builder, kernel, limits);
  return buildExpertProduct(builder, kernel, limits);
}
