//===- CompareLists.h - index lists, candidate blocks and expert ids -------------------------------===//

#pragma once

#include "runtime/check/Report.h"
#include "runtime/engine/Facts.h"

#include <span>

namespace cedilla::check {

/// Adds whether the selected entries are the same. Where they differ and the row's captured scores are
/// given, a swap among scores within two bf16 ulps of the last selected one counts as a near tie.
void compareIndex(Lists &lists, std::span<const int32_t> got, std::span<const int32_t> wanted,
                  std::span<const float> scores);

/// `got`: kept block numbers; `wanted`: one value per entry. Only entries the row can see count.
void compareCandidates(Lists &lists, std::span<const int32_t> got, std::span<const int32_t> wanted,
                       int64_t position, const LayerFacts &layer, int64_t blockSize);

/// Expert ids, in order.
void compareExperts(Lists &lists, std::span<const int32_t> got, std::span<const int32_t> wanted);

} // namespace cedilla::check
