//===- Select.h - what select_topk needs beside its memory ------------------------------------===//

#pragma once

#include <cstdint>

namespace cedilla::x86 {

/// Histograms of the two bytes of a 16-bit key.
constexpr int64_t selectHistogramEntries = 256;
constexpr int64_t selectHistogramBytes = selectHistogramEntries * 4;
/// Counting into several copies in turn keeps equal keys from waiting for each other.
constexpr int64_t selectCopies = 4;
constexpr int64_t selectScratchBytes = selectCopies * selectHistogramBytes;

} // namespace cedilla::x86
