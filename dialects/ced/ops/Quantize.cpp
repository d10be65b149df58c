//===- Quantize.cpp - verifiers: to and from block-scaled values ------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

/// The dims of a block-scaled value with the first one standing for the rows of the step.
static SmallVector<int64_t> rowsOf(ScaledType type) {
  SmallVector<int64_t> dims(type.getShape());
  if (dims.size() > 1)
    dims.front() = kRows;
  return dims;
}

/// Both values have the same dims, the first being T.
static LogicalResult expectSameShape(Operation *op, StringRef tensorName, Type tensor, StringRef scaledName,
                                     ScaledType scaled) {
  Shapes shapes(op);
  SmallVector<int64_t> dims = rowsOf(scaled);
  return failure(failed(shapes.expect(scaledName, scaled, dims)) || failed(shapes.expect(tensorName, tensor, dims)));
}

LogicalResult QuantizeOp::verify() {
  ScaledType type = getResult().getType();
  // C1
  if (failed(expectSameShape(*this, "x", getX().getType(), "result", type)))
    return failure();
  // C2
  if (!type.isQ8() && !type.isQ4Index() && !type.isQ4Main())
    return emitOpError("expected a result of format f8E4M3FN 1x32 f8E8M0FNU, f4E2M1FN 1x32 f8E8M0FNU or "
                       "f4E2M1FN 1x16 f8E4M3FN, got ")
           << type;
  return success();
}

LogicalResult DequantizeOp::verify() {
  // C1
  return expectSameShape(*this, "result", getResult().getType(), "x", getX().getType());
}
