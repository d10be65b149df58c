//===- Norm.cpp - verifier: RMS norm ----------------------------------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult RmsNormOp::verify() {
  // C1
  std::optional<ArrayRef<int64_t>> x = shapeOf(getX().getType());
  if (!x || x->empty() || ShapedType::isDynamic(x->back()))
    return emitOpError("expected 'x' with a static last dim, got ") << getX().getType();
  return Shapes(*this).expect("w", getW().getType(), {x->back()});
}
