//===- Memory.cpp - verifiers of loads and stores ---------------------------------------------===//

#include "dialects/tile/Tile.h"

using namespace mlir;
using namespace cedilla::tile;

MemoryDims cedilla::tile::getMemoryDims(MemRefType memory, std::optional<ArrayRef<int64_t>> dims) {
  if (dims)
    return {(*dims)[0], (*dims)[1]};
  return {memory.getRank() - 2, memory.getRank() - 1}; // rank 1: [-1, 0]
}

/// C1 to C3, common to all four.
template <typename Op>
static LogicalResult verifyAccess(Op op, TileType tile) {
  auto memory = cast<MemRefType>(op.getMemory().getType());
  int64_t rank = memory.getRank();
  // C1
  if (rank == 0 || int64_t(op.getOffsets().size()) != rank)
    return op.emitOpError("expected one offset for each of the ")
           << rank << " dims of " << memory << ", got " << op.getOffsets().size();

  // C2
  if (op.getDims() && op.getDims()->size() != 2)
    return op.emitOpError("expected 2 dims, got ") << op.getDims()->size();
  MemoryDims dims = getMemoryDims(memory, op.getDims());
  for (int64_t dim : {dims.rows, dims.cols})
    if (dim < -1 || dim >= rank)
      return op.emitOpError("expected dims from -1 to ") << rank - 1 << ", got " << dim;
  if (dims.rows == dims.cols && dims.rows != -1)
    return op.emitOpError("expected two different dims, got ") << dims.rows << " twice";
  if ((dims.rows == -1 && tile.getRows() != 1) || (dims.cols == -1 && tile.getCols() != 1))
    return op.emitOpError("expected dim -1 only where the tile's dim is 1, got ") << tile;

  // C3
  if (memory.getElementType() != tile.getElement())
    return op.emitOpError("expected memory of element ")
           << tile.getElement() << ", got " << memory.getElementType();
  return success();
}

/// C2's rest and C4 of gather and scatter.
template <typename Op>
static LogicalResult verifyIndexed(Op op, TileType tile) {
  if (failed(verifyAccess(op, tile)))
    return failure();
  auto memory = cast<MemRefType>(op.getMemory().getType());
  if (getMemoryDims(memory, op.getDims()).rows == -1)
    return op.emitOpError("expected a memref dim for the rows, got -1");

  // C4
  auto index = cast<TileType>(op.getIndex().getType());
  if (index.getRows() != tile.getRows() || index.getCols() != 1)
    return op.emitOpError("expected an index tile of ")
           << tile.getRows() << "x1, got " << index.getRows() << "x" << index.getCols();
  if (!index.getElement().isInteger(32) && !index.getElement().isInteger(64))
    return op.emitOpError("expected an index tile of i32 or i64, got ") << index.getElement();
  return success();
}

LogicalResult LoadOp::verify() { return verifyAccess(*this, getResult().getType()); }
LogicalResult StoreOp::verify() { return verifyAccess(*this, getValue().getType()); }
LogicalResult GatherOp::verify() { return verifyIndexed(*this, getResult().getType()); }
LogicalResult ScatterOp::verify() { return verifyIndexed(*this, getValue().getType()); }
