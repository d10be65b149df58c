//===- Problem.cpp - linear: what is asked, and whether it can be built ----------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/linear/Linear.h"

using namespace mlir;
using namespace cedilla;

static ced::ScaledType scaled(Value value) { return dyn_cast<ced::ScaledType>(value.getType()); }

static ArrayRef<int64_t> shapeOf(Value value) {
  if (auto type = scaled(value))
    return type.getShape();
  return cast<RankedTensorType>(value.getType()).getShape();
}

int64_t LinearProblem::weightBytes() const {
  if (auto type = scaled(w()))
    return groups * n * type.getBytesPerRow();
  return groups * n * k * 2;
}

LinearProblem cedilla::readLinearProblem(Block &body) {
  LinearProblem problem;
  problem.op = &body.front();
  problem.scaledX = bool(scaled(problem.x()));
  problem.scaledW = bool(scaled(problem.w()));
  if (auto grouped = dyn_cast<ced::GroupedLinearOp>(problem.op))
    problem.groups = grouped.getGroups();
  problem.n = shapeOf(problem.w())[0] / problem.groups;
  problem.k = shapeOf(problem.w())[1];
  return problem;
}

bool LinearFamily::match(Block &body, std::string &reason) const {
  if (!isa<ced::LinearOp, ced::MatmulOp, ced::GroupedLinearOp>(body.front())) {
    reason = "expected one ced.linear, ced.matmul or ced.grouped_linear";
    return false;
  }
  if (&body.front() != body.getTerminator()->getPrevNode()) {
    reason = "expected nothing fused to the product";
    return false;
  }
  LinearProblem problem = readLinearProblem(body);
  // A tile of weight rows must start on a row of scale blocks.
  if (problem.groups > 1 && problem.n % 32 != 0) {
    reason = "expected a multiple of 32 output channels per group, got " + std::to_string(problem.n);
    return false;
  }
  return true;
}
