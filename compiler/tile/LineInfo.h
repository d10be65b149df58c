//===- LineInfo.h - tile ops get lines of a file ------------------------------------------------------------===//

#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace cedilla {

/// Writes the module's text to `file`, each op's line with the ced op it is there for (`tile-build-kernels{name-ops}`) as a
/// comment, and makes its line there the location of every op: what a target turns into line information, a profiler can show.
/// Throws cedilla::Error where it cannot be written.
void attachLines(mlir::ModuleOp module, const std::string &file);

} // namespace cedilla
