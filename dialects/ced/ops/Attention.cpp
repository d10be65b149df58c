//===- Attention.cpp - verifier: attention over window and selected entries -------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult AttentionOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> q;
  // C1
  if (failed(shapes.expectRank("q", getQ().getType(), 3, q)))
    return failure();
  int64_t heads = q[1], columns = q[2];
  ScaledType ring = getWindow().getType().getRow();
  if (failed(shapes.expect("q", getQ().getType(), {kRows, heads, columns})) ||
      failed(shapes.expect("sink", getSink().getType(), {heads})) ||
      failed(shapes.expectRows({{"positions", getPositions()}, {"slots", getSlots()}, {"starts", getStarts()}})))
    return failure();
  if (ring.getCols() != columns)
    return emitOpError("expected 'window' with rows of ") << columns << " columns, got " << ring;
  if (getMain() && getMain().getType().getRow().getCols() != columns)
    return emitOpError("expected 'main' with rows of ") << columns << " columns, got "
                                                        << getMain().getType().getRow();
  if (getFresh()) {
    ScaledType fresh = getFresh().getType();
    if (failed(shapes.expect("fresh", fresh, {kRows, columns})))
      return failure();
    if (!fresh.hasSameFormat(ring))
      return emitOpError("expected 'fresh' in the format of the window's rows ") << ring << ", got " << fresh;
  }
  // C2
  if (bool(getMain()) != bool(getIndex()))
    return emitOpError("expected 'main' and 'index' together, got only ") << (getMain() ? "'main'" : "'index'");
  // C3
  if (getResult().getType() != getQ().getType())
    return emitOpError("expected a result of q's type ") << getQ().getType() << ", got " << getResult().getType();
  return success();
}
