//===- Problem.cpp - experts: what is asked, and whether it can be built ----------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/SingleOp.h"
#include "kernels-gen/experts/Experts.h"

using namespace mlir;
using namespace cedilla;

ExpertProblem cedilla::readExpertProblem(Block &body) {
  ExpertProblem p;
  p.op = &body.front();
  if (auto up = dyn_cast<ced::ExpertUpOp>(p.op)) {
    p.x = up.getX(), p.ids = up.getIds(), p.out = up.getResult(), p.routing = up.getWeights();
    p.w = {up.getW1(), up.getW3()};
    p.limit = up.getLimit().convertToDouble();
  } else {
    auto down = cast<ced::ExpertDownOp>(p.op);
    p.x = down.getV(), p.ids = down.getIds(), p.out = down.getResult();
    p.w = {down.getW2()};
    p.xPerSlot = true;
  }
  ArrayRef<int64_t> shape = cast<ced::ScaledType>(p.w[0].getType()).getShape();
  p.experts = shape[0], p.n = shape[1], p.k = shape[2];
  p.choices = cast<RankedTensorType>(p.ids.getType()).getShape()[1];
  return p;
}

bool ExpertsFamily::match(Block &body, std::string &reason) const {
  Operation *op = findSingleOp<ced::ExpertUpOp, ced::ExpertDownOp, ced::SwigluOp, ced::CombineOp>(body, reason);
  if (!op)
    return false;
  if (isa<ced::SwigluOp>(op) && cast<RankedTensorType>(op->getOperand(0).getType()).getRank() != 2) {
    reason = "expected ced.swiglu of two dims";
    return false;
  }
  return true;
}

SmallVector<MemRefType> ExpertsFamily::scratch(Block &body, const Limits &) const {
  if (!isa<ced::ExpertUpOp, ced::ExpertDownOp>(body.front()))
    return {};
  ExpertProblem p = readExpertProblem(body);
  return {MemRefType::get({ShapedType::kDynamic, p.choices}, IntegerType::get(body.front().getContext(), 32))};
}
