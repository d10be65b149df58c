//===- Moe.cpp - verifiers: router, experts, combine ------------------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

/// An activation of `ced.linear`.
static LogicalResult expectActivation(Operation *op, StringRef name, ScaledType type) {
  if (type.isQ8())
    return success();
  return op->emitOpError("expected '") << name << "' of format f8E4M3FN 1x32 f8E8M0FNU, got " << type;
}

/// The stacked weights [E, N, K] of a layer's routed experts.
static LogicalResult expectExperts(Operation *op, StringRef name, ScaledType type) {
  if (type.isWeightFP4())
    return success();
  return op->emitOpError("expected '") << name << "' of format f4E2M1FN 1x32 f8E8M0FNU, got " << type;
}

LogicalResult RouteOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> logits, ids;
  // C1
  if (failed(shapes.expectRank("logits", getLogits().getType(), 2, logits)) ||
      failed(shapes.expectRank("ids", getIds().getType(), 2, ids)))
    return failure();
  int64_t experts = logits[1], k = ids[1];
  if (failed(shapes.expect("logits", getLogits().getType(), {kRows, experts})) ||
      failed(shapes.expect("bias", getBias().getType(), {experts})) ||
      failed(shapes.expect("bias_vl", getBiasVl().getType(), {experts})) ||
      failed(shapes.expectRows({{"kinds", getKinds()}})) ||
      failed(shapes.expect("ids", getIds().getType(), {kRows, k})) ||
      failed(shapes.expect("weights", getWeights().getType(), {kRows, k})))
    return failure();
  if (k < 1 || k > experts)
    return emitOpError("expected 1 to ") << experts << " chosen experts, got " << k;
  return success();
}

LogicalResult ExpertUpOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> ids, w;
  // C1
  if (failed(expectActivation(*this, "x", getX().getType())) ||
      failed(expectExperts(*this, "w1", getW1().getType())) ||
      failed(expectExperts(*this, "w3", getW3().getType())) ||
      failed(shapes.expectRank("ids", getIds().getType(), 2, ids)) ||
      failed(shapes.expectRank("w1", getW1().getType(), 3, w)))
    return failure();
  if (failed(shapes.expect("x", getX().getType(), {kRows, w[2]})) ||
      failed(shapes.expect("ids", getIds().getType(), {kRows, ids[1]})) ||
      failed(shapes.expect("weights", getWeights().getType(), {kRows, ids[1]})) ||
      failed(shapes.expect("w3", getW3().getType(), w)) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, ids[1], w[1]})))
    return failure();
  return success();
}

LogicalResult ExpertDownOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> ids, w;
  // C1
  if (failed(expectActivation(*this, "v", getV().getType())) ||
      failed(expectExperts(*this, "w2", getW2().getType())) ||
      failed(shapes.expectRank("ids", getIds().getType(), 2, ids)) ||
      failed(shapes.expectRank("w2", getW2().getType(), 3, w)))
    return failure();
  if (failed(shapes.expect("v", getV().getType(), {kRows, ids[1], w[2]})) ||
      failed(shapes.expect("ids", getIds().getType(), {kRows, ids[1]})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, ids[1], w[1]})))
    return failure();
  return success();
}

LogicalResult CombineOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> routed;
  // C1
  if (failed(shapes.expectRank("routed", getRouted().getType(), 3, routed)) ||
      failed(shapes.expect("routed", getRouted().getType(), {kRows, kAny, kAny})) ||
      failed(shapes.expect("ids", getIds().getType(), {kRows, routed[1]})) ||
      failed(shapes.expect("shared", getShared().getType(), {kRows, routed[2]})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, routed[2]})))
    return failure();
  return success();
}
