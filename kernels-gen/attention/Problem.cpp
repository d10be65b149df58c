//===- Problem.cpp - attention: what is asked, and whether it can be built ---------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/attention/Attention.h"

using namespace mlir;
using namespace cedilla;

static bool isAttention(Operation &op) { return isa<ced::AttentionOp, ced::AttendOp>(op); }

AttentionProblem cedilla::readAttentionProblem(Block &body) {
  AttentionProblem problem;
  Operation &op = *llvm::find_if(body, isAttention);
  problem.caches = dyn_cast<ced::AttentionOp>(op);
  problem.gathered = dyn_cast<ced::AttendOp>(op);
  problem.q = op.getOperand(0), problem.sink = op.getOperand(1), problem.result = op.getResult(0);
  if ((problem.turnQuery = problem.q.getDefiningOp<ced::RopeOp>()))
    problem.q = problem.turnQuery.getX();
  if ((problem.turnResult = dyn_cast<ced::RopeOp>(*op.getNextNode())))
    problem.result = problem.turnResult.getResult();
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
  auto op = llvm::find_if(body, isAttention);
  if (op == body.end()) {
    reason = "expected ced.attention or ced.attend, got " + body.front().getName().getStringRef().str();
    return false;
  }
  Operation *terminator = body.getTerminator();
  for (Operation &other : body.without_terminator()) {
    if (&other == &*op)
      continue;
    auto rope = dyn_cast<ced::RopeOp>(other);
    bool before = rope && &other == &body.front() && op->getOperand(0) == rope.getResult() && rope->hasOneUse();
    bool behind = rope && other.getNextNode() == terminator && rope.getX() == op->getResult(0) && op->hasOneUse();
    if (!before && !behind) {
      reason = "expected nothing fused to attention but rotations of its query and of its result, got " + other.getName().getStringRef().str();
      return false;
    }
    if (ArrayRef<int64_t> shape = cast<RankedTensorType>(rope.getX().getType()).getShape(); (shape.back() - rope.getRope().getDim()) % 2) {
      reason = "expected an even number of columns that do not turn";
      return false;
    }
  }
  return true;
}

/// Blocks of the grid that a large chip works off well, a few for each multiprocessor, and heads of each: one block of slots takes
/// about 5 us, mostly waiting, so more parts than run at once still pay.
static constexpr int64_t wantedBlocks = 4 * 132, headsTogether = 16;

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
