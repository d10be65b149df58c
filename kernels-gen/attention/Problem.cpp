//===- Problem.cpp - attention: what is asked, and whether it can be built ---------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/attention/Attention.h"
#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

AttentionProblem cedilla::readAttentionProblem(Block &body) {
  AttentionProblem problem;
  problem.caches = dyn_cast<ced::AttentionOp>(body.front());
  problem.gathered = dyn_cast<ced::AttendOp>(body.front());
  Operation &op = body.front();
  problem.q = op.getOperand(0), problem.sink = op.getOperand(1), problem.result = op.getResult(0);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(problem.q.getType()).getShape();
  problem.heads = shape[1];
  problem.cols = shape[2];
  if (problem.gathered) {
    problem.window = problem.gathered.getWindow();
    problem.selected = cast<RankedTensorType>(problem.gathered.getList().getType()).getDimSize(1) - problem.window;
    problem.rowBytes = 2 * problem.cols;
    problem.manyRows = true;
    return problem;
  }
  auto window = cast<ced::WindowType>(problem.caches.getWindow().getType());
  problem.window = window.getSize();
  problem.rowBytes = window.getRow().getBytesPerRow();
  problem.manyRows = bool(problem.caches.getFresh());
  if (problem.caches.getIndex())
    problem.selected = cast<ced::IndexSetType>(problem.caches.getIndex().getType()).getK();
  return problem;
}

bool AttentionFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::AttentionOp, ced::AttendOp>(body, reason) != nullptr;
}
