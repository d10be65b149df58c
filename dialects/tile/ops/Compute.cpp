//===- Compute.cpp - verifiers of maps, reductions, matrix products ---------------------------===//

#include "dialects/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cedilla::tile;

/// "16x32", for messages.
static std::string shapeOf(TileType tile) {
  return std::to_string(tile.getRows()) + "x" + std::to_string(tile.getCols());
}

static bool sameShape(TileType a, TileType b) {
  return a.getRows() == b.getRows() && a.getCols() == b.getCols();
}

//===------------------------------------------------------------------------------------------===//
// constant
//===------------------------------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  // C1
  TileType tile = getResult().getType();
  auto attribute = cast<ShapedType>(getValue().getType());
  if (!attribute.hasStaticShape({tile.getRows(), tile.getCols()}))
    return emitOpError("expected a constant of shape ") << shapeOf(tile) << ", got " << attribute;
  if (attribute.getElementType() != tile.getElement())
    return emitOpError("expected a constant of element ")
           << tile.getElement() << ", got " << attribute.getElementType();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// map
//===------------------------------------------------------------------------------------------===//

static LogicalResult verifyMapShapes(MapOp map) {
  // C1
  if (map.getOutputs().empty())
    return map.emitOpError("expected at least one result");
  auto shape = cast<TileType>(map.getOutputs().front().getType());
  for (Type type : map.getResultTypes())
    if (!sameShape(cast<TileType>(type), shape))
      return map.emitOpError("expected all results of shape ")
             << shapeOf(shape) << ", got " << shapeOf(cast<TileType>(type));
  for (auto [i, type] : llvm::enumerate(map.getInputs().getTypes())) {
    auto input = cast<TileType>(type);
    bool rows = input.getRows() == 1 || input.getRows() == shape.getRows();
    bool cols = input.getCols() == 1 || input.getCols() == shape.getCols();
    if (!rows || !cols)
      return map.emitOpError("expected input #")
             << i << " to broadcast to " << shapeOf(shape) << ", got " << shapeOf(input);
  }
  return success();
}

static LogicalResult verifyMapTypes(MapOp map) {
  // C2
  Block &body = map.getBody().front();
  if (body.getNumArguments() != map.getInputs().size())
    return map.emitOpError("expected ")
           << map.getInputs().size() << " region arguments, got " << body.getNumArguments();
  for (auto [i, input, argument] :
       llvm::enumerate(map.getInputs().getTypes(), body.getArgumentTypes()))
    if (argument != cast<TileType>(input).getElement())
      return map.emitOpError("expected region argument #")
             << i << " of " << cast<TileType>(input).getElement() << ", got " << argument;

  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return map.emitOpError("expected the region to end with tile.yield");
  if (yield.getValues().size() != map.getOutputs().size())
    return map.emitOpError("expected ")
           << map.getOutputs().size() << " yielded values, got " << yield.getValues().size();
  for (auto [i, output, value] :
       llvm::enumerate(map.getResultTypes(), yield.getValues().getTypes()))
    if (value != cast<TileType>(output).getElement())
      return map.emitOpError("expected yielded value #")
             << i << " of " << cast<TileType>(output).getElement() << ", got " << value;
  return success();
}

LogicalResult MapOp::verify() {
  if (failed(verifyMapShapes(*this)) || failed(verifyMapTypes(*this)))
    return failure();
  // C3
  for (Operation &op : getBody().front().without_terminator()) {
    bool allowed = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op.getDialect()) ||
                   isa<CoordOp>(op);
    if (!allowed)
      return op.emitOpError("expected only arith, math and tile.coord ops inside tile.map")
                 .attachNote(getLoc())
             << "the map is here";
    for (Type type : op.getResultTypes())
      if (!type.isIntOrIndexOrFloat())
        return op.emitOpError("expected scalars inside tile.map, got ") << type;
  }
  return success();
}

//===------------------------------------------------------------------------------------------===//
// reduce, mma
//===------------------------------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  // C1
  TileType value = getValue().getType(), result = getResult().getType();
  int64_t rows = getDim() == 0 ? 1 : value.getRows();
  int64_t cols = getDim() == 1 ? 1 : value.getCols();
  if (result.getRows() != rows || result.getCols() != cols)
    return emitOpError("expected a result of ")
           << rows << "x" << cols << ", got " << shapeOf(result);
  if (result.getElement() != value.getElement())
    return emitOpError("expected a result of element ")
           << value.getElement() << ", got " << result.getElement();
  Type element = value.getElement();
  if (!element.isF32() && !element.isInteger(32) && !element.isInteger(64))
    return emitOpError("expected an element of f32, i32 or i64, got ") << element;
  return success();
}

LogicalResult MmaOp::verify() {
  // C1
  TileType a = getA().getType(), b = getB().getType(), acc = getAcc().getType();
  int64_t k = getKn() ? b.getRows() : b.getCols();
  int64_t n = getKn() ? b.getCols() : b.getRows();
  if (a.getCols() != k)
    return emitOpError("expected a and b to agree in K, got ") << a.getCols() << " and " << k;
  if (acc.getRows() != a.getRows() || acc.getCols() != n)
    return emitOpError("expected an accumulator of ")
           << a.getRows() << "x" << n << ", got " << shapeOf(acc);
  if (a.getElement() != b.getElement() || !(a.getElement().isF32() || a.getElement().isBF16()))
    return emitOpError("expected a and b both f32 or both bf16, got ")
           << a.getElement() << " and " << b.getElement();
  if (!acc.getElement().isF32())
    return emitOpError("expected an accumulator of f32, got ") << acc.getElement();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// deinterleave, interleave
//===------------------------------------------------------------------------------------------===//

/// `whole` has the rows and element of `half` and twice its columns.
static LogicalResult verifyHalves(Operation *op, TileType whole, TileType half) {
  if (whole.getRows() != half.getRows() || whole.getCols() != 2 * half.getCols() ||
      whole.getElement() != half.getElement())
    return op->emitOpError("expected ")
           << whole << " to have twice the columns of " << half << " and the same rows and element";
  return success();
}

LogicalResult DeinterleaveOp::verify() {
  return verifyHalves(*this, getValue().getType(), getEven().getType());
}

LogicalResult InterleaveOp::verify() {
  return verifyHalves(*this, getResult().getType(), getEven().getType());
}
