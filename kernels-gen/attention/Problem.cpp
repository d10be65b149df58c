//===- Problem.cpp - attention: what is asked, and whether it can be built ---------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/attention/Attention.h"
#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

AttentionProblem cedilla::readAttentionProblem(Block &body) {
  AttentionProblem problem;
  problem.op = cast<ced::AttentionOp>(body.front());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(problem.op.getQ().getType()).getShape();
  problem.heads = shape[1];
  problem.cols = shape[2];
  problem.window = problem.op.getWindow().getType().getSize();
  if (problem.op.getIndex())
    problem.selected = problem.op.getIndex().getType().getK();
  return problem;
}

bool AttentionFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::AttentionOp>(body, reason) != nullptr;
}
