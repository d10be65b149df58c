//===- Register.h - all dialects of the project in one call -----------------------------------===//
//
// Tools call this instead of naming dialects, so a new dialect is one line in Register.cpp.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/DialectRegistry.h"

namespace cedilla {

/// Adds `ced`, `sched` and `tile` to `registry`; nothing is loaded yet.
void registerCedillaDialects(mlir::DialectRegistry &registry);

} // namespace cedilla
