//===- Traffic.h - the bytes a dispatch must move -----------------------------------------------===//

#pragma once

#include "runtime/package/Manifest.h"
#include "tools/ced-bench/Step.h"

#include <map>

namespace cedilla::bench {

/// What a step chose: per layer, how many different experts its rows went to.
using ExpertCounts = std::map<int64_t, int64_t>;

/// Bytes of a dispatch as the compiler wrote them into the package (StepInfo::cost), with the experts the step
/// chose. A package without them: every operand once, as many rows as there are.
double bytesOf(const Manifest &manifest, const StepInfo &step, const StepShape &shape,
               const ExpertCounts &experts);

} // namespace cedilla::bench
