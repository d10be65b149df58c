//===- GoldenCheck.h - an engine against golden data --------------------------------------------------===//
//
// Two checks, and a table of both: every layer fed with captured inputs (exact up to rounding), and
// whole prompts end to end (statistical, because one flipped bit can move a selection). The tolerances
// are in Tolerances.h.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/check/GoldenSet.h"
#include "runtime/engine/Engine.h"

#include <optional>

namespace cedilla {

/// Prints the tables to stdout. True when everything is within tolerance. Fails when the set does not
/// belong to the model. `maxMedian` replaces the limit of the mean of medians.
bool checkGolden(Engine &engine, const GoldenSet &golden, std::optional<double> maxMedian);

} // namespace cedilla
