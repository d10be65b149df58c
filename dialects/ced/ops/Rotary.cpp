//===- Rotary.cpp - verifier: rotary position embedding ---------------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult RopeOp::verify() {
  Shapes shapes(*this);
  Type type = getX().getType();
  // C1
  std::optional<ArrayRef<int64_t>> x = shapeOf(type);
  if (!x || (x->size() != 2 && x->size() != 3))
    return emitOpError("expected 'x' of shape [T, D] or [T, H, D], got ") << type;
  ArrayRef<int64_t> dims;
  if (failed(shapes.expectRank("x", type, x->size(), dims)))
    return failure();
  if (dims.back() < getRope().getDim())
    return emitOpError("expected 'x' with at least rope.dim = ") << getRope().getDim() << " columns, got " << type;
  SmallVector<int64_t> expected(dims);
  expected.front() = kRows;
  if (failed(shapes.expect("x", type, expected)) || failed(shapes.expectRows({{"positions", getPositions()}})))
    return failure();
  // C2
  if (getGroup() < 1)
    return emitOpError("expected group to be at least 1, got ") << int64_t(getGroup());
  return success();
}
