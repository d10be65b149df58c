//===- Problem.cpp - norm_cast: what is asked, and whether it can be built -------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/norm_cast/NormCast.h"

using namespace mlir;
using namespace cedilla;

/// [T,D] or [T,H,D] of a tensor or a block-scaled value.
static ArrayRef<int64_t> shapeOf(Value value) {
  if (auto scaled = dyn_cast<ced::ScaledType>(value.getType()))
    return scaled.getShape();
  return cast<RankedTensorType>(value.getType()).getShape();
}

NormCastProblem cedilla::readNormCastProblem(Block &body) {
  NormCastProblem problem;
  ArrayRef<int64_t> shape = shapeOf(body.front().getResult(0));
  problem.heads = shape.size() == 3 ? shape[1] : 0;
  problem.cols = shape.back();
  if (auto collapse = dyn_cast<ced::HcCollapseOp>(body.front()))
    problem.streams = shapeOf(collapse.getStream())[1];
  return problem;
}

static std::string reasonAgainst(Operation &op, ArrayRef<int64_t> shape) {
  if (!isa<ced::HcCollapseOp, ced::RmsNormOp, ced::QuantizeOp, ced::DequantizeOp, ced::ScaleOp>(op))
    return "expected hc_collapse, rms_norm, quantize, dequantize or scale, got " + op.getName().getStringRef().str();
  if (shapeOf(op.getResult(0)) != shape)
    return "expected all ops on the same rows";
  if (auto dequantize = dyn_cast<ced::DequantizeOp>(op)) {
    auto type = cast<ced::ScaledType>(dequantize.getX().getType());
    if (type.getBlockRows() != 1 || type.getPlacement() != ced::Placement::Planar)
      return "expected planar codes with one row per scale to dequantise";
    if (!isa<BlockArgument>(dequantize.getX()))
      return "expected no quantize and dequantize in one group";
  }
  if (auto quantize = dyn_cast<ced::QuantizeOp>(op)) {
    if (cast<ced::ScaledType>(quantize.getResult().getType()).getPlacement() != ced::Placement::Planar)
      return "expected a planar result of quantize";
    if (!llvm::is_contained(quantize->getUsers(), op.getBlock()->getTerminator()))
      return "expected the group to yield what it quantises";
  }
  return "";
}

bool NormCastFamily::match(Block &body, std::string &reason) const {
  ArrayRef<int64_t> shape = shapeOf(body.front().getResult(0));
  if (shape.size() != 2 && shape.size() != 3)
    reason = "expected values of rank 2 or 3, got rank " + std::to_string(shape.size());
  else if (!ShapedType::isDynamic(shape[0]))
    reason = "expected one row per row of the step";
  for (Operation &op : body.without_terminator())
    if (reason.empty())
      reason = reasonAgainst(op, shape);
  return reason.empty();
}
