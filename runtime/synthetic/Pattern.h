//===- Pattern.h - a piece of a synthetic weight in its stored format -----------------------------===//

#pragma once

#include "runtime/package/Manifest.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cedilla::synthetic {

/// Bytes after which a large weight repeats: 64 times a prime, so that rows differ although they repeat.
inline constexpr uint64_t patternBytes = 64 * 8191;

/// The first bytes of a weight buffer, all of it where it is not larger than patternBytes. Codes are never
/// NaN; a scale is one power of two for the whole weight; token maps stay inside their vocabulary. A
/// weight without statistics (another model's) is spread like a projection of gain 1.
std::vector<std::byte> makePattern(const BufferInfo &weight, uint64_t seed);

} // namespace cedilla::synthetic
