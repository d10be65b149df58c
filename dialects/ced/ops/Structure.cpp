//===- Structure.cpp - verifiers: weights, groups ---------------------------------------------===//
//
// The layer table's rules are in LayerTable.cpp.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/ced/Stacked.h"
#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult WeightOp::verify() {
  Type type = getResult().getType();
  // C1
  if (getNames().empty())
    return emitOpError("expected at least one name, got none");
  // C3, before C2: that one needs dims.
  std::optional<ArrayRef<int64_t>> dims = shapeOf(type);
  auto scaled = dyn_cast<ScaledType>(type);
  if (!dims || llvm::is_contained(*dims, ShapedType::kDynamic) ||
      (scaled && scaled.getPlacement() != Placement::Planar))
    return emitOpError("expected a static tensor or a static planar block-scaled type, got ") << type;
  // C2
  int64_t count = getNames().size();
  if (isStacked(*this) && (dims->empty() || dims->front() != count))
    return emitOpError("expected a first dim of ") << count << ", one for each name, got " << type;
  return success();
}

/// Values in one row (everything but the first dim), or nothing where a row has no fixed size.
static std::optional<int64_t> valuesPerRow(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() < 2 || ShapedType::isDynamicShape(tensor.getShape().drop_front()))
    return std::nullopt;
  return ShapedType::getNumElements(tensor.getShape().drop_front());
}

LogicalResult ReshapeOp::verify() {
  Type from = getX().getType(), to = getResult().getType();
  std::optional<int64_t> before = valuesPerRow(from), after = valuesPerRow(to);
  // C1
  if (!before || !after || *before != *after ||
      cast<RankedTensorType>(from).getDimSize(0) != cast<RankedTensorType>(to).getDimSize(0))
    return emitOpError("expected rows of equally many values and the same first dim, got ") << from << " -> " << to;
  return success();
}

LogicalResult GroupOp::verify() {
  Block &block = getBody().front();
  // C1
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("expected block arguments of the inputs' types (")
           << getInputs().getTypes() << "), got (" << block.getArgumentTypes() << ")";
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError("expected the body to end with 'ced.yield'");
  if (yield.getValues().getTypes() != getOutputs().getTypes()) {
    InFlightDiagnostic error = emitOpError("expected yielded values of the results' types (")
                               << getOutputs().getTypes() << "), got (" << yield.getValues().getTypes() << ")";
    error.attachNote(yield.getLoc()) << "yielded here";
    return error;
  }
  return success();
}
