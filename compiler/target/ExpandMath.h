//===- ExpandMath.h - our own transcendental functions ----------------------------------------===//

#pragma once

#include "mlir/IR/Operation.h"

namespace cedilla {

/// Does ced-expand-math know this op (asked of its name alone, not of its types)?
bool canExpandMath(mlir::Operation *op);

} // namespace cedilla
