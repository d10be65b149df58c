//===- Traffic.h - the bytes a dispatch must move -----------------------------------------------===//

#pragma once

#include "runtime/package/Manifest.h"
#include "tools/ced-bench/Step.h"

#include <map>

namespace cedilla::bench {

/// What a step chose: per layer, how many different experts its rows went to.
using ExpertCounts = std::map<int64_t, int64_t>;

/// Bytes of a dispatch, every operand once: rows in use, weights whole, stacked weights (experts) as many as
/// the step chose, tables one row per block, ring buffers up to the window, selected entries, keys up to
/// the context. An estimate from shapes; scratch that a kernel reads again is not in it.
double bytesOf(const Manifest &manifest, const StepInfo &step, const StepShape &shape,
               const ExpertCounts &experts);

} // namespace cedilla::bench
