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

/// Blocks of the grid that keep a large chip busy, and heads of each.
static constexpr int64_t wantedBlocks = 132, headsTogether = 16;

int64_t AttentionProblem::splits(const Limits &limits) const {
  if (manyRows)
    return 1;
  int64_t others = std::min(limits.maxRows, limits.maxBatch) * ((heads + headsTogether - 1) / headsTogether);
  return std::clamp<int64_t>(wantedBlocks / others, 1, blocks());
}

SmallVector<MemRefType> AttentionFamily::scratch(Block &body, const Limits &limits) const {
  AttentionProblem p = readAttentionProblem(body);
  int64_t splits = p.splits(limits), rows = ShapedType::kDynamic;
  if (splits == 1)
    return {};
  Type f32 = Float32Type::get(body.front().getContext());
  return {MemRefType::get({rows, splits, p.heads, p.cols}, f32), MemRefType::get({rows, splits, p.heads, 2}, f32)};
}
