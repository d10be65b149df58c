//===- Compressor.cpp - verifier: gated pooling of token groups -------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult CompressOp::verify() {
  Shapes shapes(*this);
  // C2, first: the shape of the open group hangs on it.
  int64_t ratio = getRatio();
  if (ratio < 2)
    return emitOpError("expected ratio to be at least 2, got ") << ratio;
  // C1
  ArrayRef<int64_t> latent;
  if (failed(shapes.expectRank("latent", getLatent().getType(), 2, latent)))
    return failure();
  int64_t d = latent[1];
  if (failed(shapes.expect("latent", getLatent().getType(), {kRows, d})) ||
      failed(shapes.expect("gate", getGate().getType(), {kRows, d})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, d})) ||
      failed(shapes.expectRows({{"positions", getPositions()}, {"slots", getSlots()}, {"starts", getStarts()}})))
    return failure();
  auto open = StateType::get(getContext(), {ratio - 1, 2, d}, Float32Type::get(getContext()));
  if (getOpen().getType() != open)
    return emitOpError("expected 'open' of type ") << open << ", got " << getOpen().getType();
  if (getNewOpen().getType() != open)
    return emitOpError("expected 'new_open' of type ") << open << ", got " << getNewOpen().getType();
  return success();
}
