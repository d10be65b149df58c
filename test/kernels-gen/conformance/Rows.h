//===- Rows.h - single rows of values -----------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/HostValue.h"

namespace cedilla::conformance {

/// Whether a value of this type has one element of its first dim per row of the step.
bool isPerRow(mlir::Type type);

/// The element `row` of the first dim, as a value of one row.
reference::HostValue rowOf(const reference::HostValue &value, int64_t row);

} // namespace cedilla::conformance
