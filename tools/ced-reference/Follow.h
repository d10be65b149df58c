//===- Follow.h - which op did a package compute wrongly? ------------------------------------------===//

#pragma once

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace cedilla {

/// Computes the recorded steps (`ced-run --record`) with the interpreter on the model's graph as it was imported,
/// compares every value that left a kernel, and goes on with the recorded one. Prints a table and the first op that
/// differs. 0: nothing does.
int followRecording(mlir::MLIRContext &context, const std::string &modelDir, const std::string &path);

} // namespace cedilla
