//===- CacheCheck.h - caches after a prefill against captured ones ---------------------------------===//

#pragma once

#include "runtime/check/GoldenSet.h"
#include "runtime/check/Report.h"
#include "runtime/engine/Engine.h"

namespace cedilla::check {

/// De-quantises the slot's window rings, main KV and index keys, and adds how far they and the open
/// groups are from the prompt's captures, where it has any.
void compareCaches(Engine &engine, const GoldenSet &golden, const GoldenPrompt &prompt,
                   int64_t slot, FedReport &report);

} // namespace cedilla::check
