//===- Cache.cpp - verifiers: writing window rings and paged caches ---------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

/// `rows` is [T, D] in the format of the cache's rows. Equal size is not equal format.
static LogicalResult expectCacheRows(Shapes &shapes, Operation *op, ScaledType rows, ScaledType cacheRow) {
  if (failed(shapes.expect("rows", rows, {kRows, cacheRow.getCols()})))
    return failure();
  if (rows.hasSameFormat(cacheRow))
    return success();
  return op->emitOpError("expected 'rows' in the format of the cache's rows ") << cacheRow << ", got " << rows;
}

LogicalResult AppendWindowOp::verify() {
  Shapes shapes(*this);
  // C1
  if (failed(expectCacheRows(shapes, *this, getRows().getType(), getWindow().getType().getRow())))
    return failure();
  return shapes.expectRows({{"positions", getPositions()}, {"slots", getSlots()}});
}

LogicalResult AppendPagedOp::verify() {
  Shapes shapes(*this);
  // C1
  if (failed(expectCacheRows(shapes, *this, getRows().getType(), getCache().getType().getRow())))
    return failure();
  return shapes.expectRows({{"positions", getPositions()}, {"slots", getSlots()}});
}
