//===- BodyKey.h - when are two groups one kernel? ------------------------------------------------===//

#pragma once

#include "mlir/IR/Block.h"

#include <string>

namespace cedilla {

/// Bytes that two groups of one context share only if their family and bodies are equal, names of values and locations
/// aside. Types and attributes are one object each in their context, so their addresses stand for them: the text of every
/// body of a large model would take longer than all else. Good for looking up, not for an order.
std::string bodyKey(mlir::StringRef family, mlir::Block &body);

} // namespace cedilla
