//===- HyperConnection.cpp - verifiers: single-pass mHC ---------------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult HcExpandOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> stream;
  // C1
  if (failed(shapes.expectRank("stream", getStream().getType(), 3, stream)) ||
      failed(shapes.expect("stream", getStream().getType(), {kRows, kAny, kAny})) ||
      failed(shapes.expect("x", getX().getType(), {kRows, stream[2]})) ||
      failed(shapes.expect("pre", getPre().getType(), {kRows, stream[1]})))
    return failure();
  return success();
}

LogicalResult HcMixOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> stream;
  // C1
  if (failed(shapes.expectRank("stream", getStream().getType(), 3, stream)))
    return failure();
  int64_t n = stream[1], d = stream[2], mixes = 2 * n + n * n;
  if (failed(shapes.expect("stream", getStream().getType(), {kRows, n, d})) ||
      failed(shapes.expect("fn", getFn().getType(), {mixes, n * d})) ||
      failed(shapes.expect("scale", getScale().getType(), {3})) ||
      failed(shapes.expect("base", getBase().getType(), {mixes})) ||
      failed(shapes.expect("pre", getPre().getType(), {kRows, n})) ||
      failed(shapes.expect("post", getPost().getType(), {kRows, n})) ||
      failed(shapes.expect("comb", getComb().getType(), {kRows, n, n})))
    return failure();
  // C2
  if (getIters() < 1)
    return emitOpError("expected at least 1 iteration, got ") << int64_t(getIters());
  return success();
}

LogicalResult HcCollapseOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> stream;
  // C1
  if (failed(shapes.expectRank("stream", getStream().getType(), 3, stream)) ||
      failed(shapes.expect("stream", getStream().getType(), {kRows, kAny, kAny})) ||
      failed(shapes.expect("pre", getPre().getType(), {kRows, stream[1]})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, stream[2]})))
    return failure();
  return success();
}

LogicalResult HcPostOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> stream;
  // C1
  if (failed(shapes.expectRank("stream", getStream().getType(), 3, stream)))
    return failure();
  int64_t n = stream[1], d = stream[2];
  if (failed(shapes.expect("stream", getStream().getType(), {kRows, n, d})) ||
      failed(shapes.expect("y", getY().getType(), {kRows, d})) ||
      failed(shapes.expect("post", getPost().getType(), {kRows, n})) ||
      failed(shapes.expect("comb", getComb().getType(), {kRows, n, n})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, n, d})))
    return failure();
  return success();
}
