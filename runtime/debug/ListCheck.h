//===- ListCheck.h - are numbers that kernels index with what they must be? ------------------------===//

#pragma once

#include "runtime/engine/Engine.h"
#include "runtime/package/Manifest.h"

#include <optional>
#include <span>
#include <string>

namespace cedilla::debug {

/// The first element that breaks a rule.
struct ListFault {
  int64_t row, element;
  std::string expected, found;
};

/// Looks at the lists of a step's rows, `bytes` of a buffer, by the rules of HoldsInfo. Nothing of a kind that has no
/// rules here.
std::optional<ListFault> checkLists(const BufferInfo &buffer, std::span<const std::byte> bytes, const StepRows &rows,
                                    const EngramFacts &engram);

/// Page tables [slots, pages of each]: every page exists, and none has two owners. The row of the fault is the slot.
std::optional<ListFault> checkPages(std::span<const int32_t> pages, const ModelFacts &facts);

} // namespace cedilla::debug
