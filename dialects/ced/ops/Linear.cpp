//===- Linear.cpp - verifiers: matrix products ------------------------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult LinearOp::verify() {
  Shapes shapes(*this);
  ScaledType x = getX().getType(), w = getW().getType();
  ArrayRef<int64_t> xDims, wDims;
  // C1
  if (failed(shapes.expectRank("x", x, 2, xDims)) || failed(shapes.expectRank("w", w, 2, wDims)))
    return failure();
  if (!x.isQ8())
    return emitOpError("expected 'x' of format f8E4M3FN 1x32 f8E8M0FNU, got ") << x;
  if (!w.isWeightFP8() && !w.isWeightFP4())
    return emitOpError("expected 'w' of format f8E4M3FN 32x32 f8E8M0FNU or f4E2M1FN 1x32 f8E8M0FNU, got ") << w;
  // C2
  if (failed(shapes.expect("x", x, {kRows, wDims[1]})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, wDims[0]})))
    return failure();
  return success();
}

LogicalResult MatmulOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> w;
  // C1
  if (failed(shapes.expectRank("w", getW().getType(), 2, w)) ||
      failed(shapes.expect("x", getX().getType(), {kRows, w[1]})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, w[0]})))
    return failure();
  return success();
}

LogicalResult GroupedLinearOp::verify() {
  Shapes shapes(*this);
  ScaledType w = getW().getType();
  ArrayRef<int64_t> dims;
  int64_t groups = getGroups();
  // C1
  if (groups < 1)
    return emitOpError("expected at least 1 group, got ") << groups;
  if (failed(shapes.expectRank("w", w, 2, dims)))
    return failure();
  if (!w.isWeightFP8())
    return emitOpError("expected 'w' of format f8E4M3FN 32x32 f8E8M0FNU, got ") << w;
  if (dims[0] % groups != 0)
    return emitOpError("expected the rows of 'w' to be a multiple of ") << groups << " groups, got " << dims[0];
  if (failed(shapes.expect("x", getX().getType(), {kRows, groups * dims[1]})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, dims[0]})))
    return failure();
  return success();
}
