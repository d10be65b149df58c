//===- TwinReport.h - where two devices differ, by what a dispatch computes -----------------------===//

#pragma once

#include "runtime/check/Numbers.h"

#include <cstdint>
#include <map>
#include <string>

namespace cedilla::twin {

/// Limits of a fed kernel. Sums in another order move an f32 a little, and through it the rounding of what is
/// stored: a bf16 by one ulp, a code to its neighbour.
inline constexpr double maxUlps = 1;         ///< of the row's largest value, bf16
inline constexpr double maxF32 = 1e-3;       ///< relative L2
inline constexpr double maxCodesMoved = 0.01; ///< share of FP8 and FP4 bytes that differ
inline constexpr double maxPickUlps = 1;     ///< of the scores that decided a differing pick, bf16

/// Rows of a selection.
struct Picks {
  int64_t rows = 0, equal = 0;
  int64_t withinUlp = 0; ///< of the others: see maxPickUlps
  double worstUlps = 0;  ///< of the scores of picks that differ
};

/// What all dispatches of one name gave.
struct Entry {
  int64_t dispatches = 0;
  check::Difference bf16, f32;
  int64_t bytes = 0, bytesMoved = 0; ///< codes, scales, cache rows that the dispatch wrote
  int64_t exact = 0, exactWrong = 0; ///< integers, fed
  Picks picks;                       ///< from the device's own scores
};

class TwinReport {
public:
  Entry &of(const std::string &dispatch) { return entries[dispatch]; }
  /// Prints the table to stdout. True when every kernel is within its limits.
  bool print() const;

private:
  std::map<std::string, Entry> entries;
};

} // namespace cedilla::twin
