//===- Indexer.cpp - verifiers: index scores, block maxima, candidate blocks, top-k ----------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult IndexScoresOp::verify() {
  Shapes shapes(*this);
  ScaledType q = getQ().getType(), key = getKeys().getType().getRow();
  ArrayRef<int64_t> dims;
  // C1
  if (failed(shapes.expectRank("q", q, 3, dims)))
    return failure();
  if (!q.isQ4Index())
    return emitOpError("expected 'q' of format f4E2M1FN 1x32 f8E8M0FNU, got ") << q;
  if (failed(shapes.expect("q", q, {kRows, dims[1], dims[2]})) ||
      failed(shapes.expect("weights", getWeights().getType(), {kRows, dims[1]})) ||
      failed(shapes.expectRows({{"positions", getPositions()}, {"slots", getSlots()}})))
    return failure();
  if (!key.hasSameFormat(q) || key.getCols() != dims[2])
    return emitOpError("expected 'keys' with rows of ") << dims[2] << " columns in the format of 'q', got " << key;
  // C2
  if (failed(shapes.expect("result", getResult().getType(), {kRows, kAny})))
    return failure();
  // C3
  if (bool(getPool()) != getBlockSize().has_value())
    return emitOpError("expected 'pool' and 'block_size' together, got only ")
           << (getPool() ? "'pool'" : "'block_size'");
  if (getBlockSize() && int64_t(*getBlockSize()) < 1)
    return emitOpError("expected block_size to be at least 1, got ") << int64_t(*getBlockSize());
  return success();
}

static LogicalResult verifyBlocks(Operation *op, int64_t blockSize, int64_t ratio) {
  if (blockSize < 1)
    return op->emitOpError("expected block_size to be at least 1, got ") << blockSize;
  if (ratio < 1)
    return op->emitOpError("expected ratio to be at least 1, got ") << ratio;
  return success();
}

LogicalResult BlockMaxOp::verify() {
  Shapes shapes(*this);
  // C1
  if (failed(verifyBlocks(*this, getBlockSize(), getRatio())))
    return failure();
  // C2
  if (failed(shapes.expect("scores", getScores().getType(), {kRows, kAny})))
    return failure();
  int64_t entries = getScores().getType().getShape()[1], size = getBlockSize();
  int64_t blocks = entries == ShapedType::kDynamic ? kAny : (entries + size - 1) / size;
  if (failed(shapes.expect("result", getResult().getType(), {kRows, blocks})))
    return failure();
  return shapes.expectRows({{"positions", getPositions()}});
}

LogicalResult CandidateBlocksOp::verify() {
  Shapes shapes(*this);
  // C1
  if (failed(verifyBlocks(*this, getBlockSize(), getRatio())))
    return failure();
  // C2
  if (failed(shapes.expect("maxima", getMaxima().getType(), {kRows, kAny})))
    return failure();
  return shapes.expectRows({{"positions", getPositions()}});
}

LogicalResult TopkOp::verify() {
  Shapes shapes(*this);
  // C1
  if (int64_t(getRatio()) < 1)
    return emitOpError("expected ratio to be at least 1, got ") << int64_t(getRatio());
  // C2
  if (failed(shapes.expect("scores", getScores().getType(), {kRows, kAny})))
    return failure();
  return shapes.expectRows({{"positions", getPositions()}});
}
