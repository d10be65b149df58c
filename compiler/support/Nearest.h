//===- Nearest.h - the field that decides a miss, and its nearest value that works ----------------------===//

#pragma once

#include "compiler/support/Support.h"

#include <set>

namespace cedilla {

/// What checkSupport says before values are looked for. Where `only` is given, kernels of other kinds ("family: ops") count as
/// built once a config fits.
SupportReport lookOnce(mlir::MLIRContext &context, const SupportRequest &request, const std::set<std::string> *only = nullptr);

/// Fills in `field`, `value` and `works` of the report's misses by running the check again with other values of one number
/// of the configuration, or of one limit, at a time.
void findNearest(mlir::MLIRContext &context, const SupportRequest &request, SupportReport &report);

} // namespace cedilla
