//===- Sampling.cpp - verifiers: from logits to the rows of the next step ----------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult SampleOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> logits;
  // C1
  if (failed(shapes.expectRank("logits", getLogits().getType(), 2, logits)) ||
      failed(shapes.expect("logits", getLogits().getType(), {kRows, logits[1]})) ||
      failed(shapes.expectRows({{"positions", getPositions()},
                                {"slots", getSlots()},
                                {"tokens", getTokens()},
                                {"next", getNext()}})))
    return failure();
  // C2
  auto settings = StateType::get(getContext(), {2}, IntegerType::get(getContext(), 32));
  if (getSampling().getType() != settings)
    return emitOpError("expected 'sampling' of type ") << settings << ", got " << getSampling().getType();
  // C3
  StateType list = getChosen().getType();
  if (list.getShape().size() != 1 || !list.getElement().isInteger(32))
    return emitOpError("expected 'chosen' to be a list of i32 for each slot, got ") << list;
  return success();
}
