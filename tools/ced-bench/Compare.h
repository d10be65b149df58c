//===- Compare.h - two results of the same kernel ---------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cedilla::bench {

struct Comparison {
  uint64_t elements = 0;
  uint64_t equal = 0;  ///< same bits
  uint64_t oneUlp = 0; ///< neighbours in their type
  uint64_t small = 0;  ///< further apart, but by less than the sum's own rounding (see below)
  uint64_t wrong = 0;  ///< everything else, and NaN beside a number
  uint64_t poison = 0; ///< rows in use that were not written, rows out of use that were
  int64_t maxUlps = 0; ///< of elements that are not `small`
  double maxError = 0; ///< largest difference as a part of its row's largest value

  bool good() const { return wrong == 0 && poison == 0; }
  std::string describe() const;
};

/// Compares rows [0, rows) of two [*, columns] results of `type` ("bf16", "f32", or integers, which
/// must be equal); rows behind them must still hold the poison 0xFF. Both sides add the same products in another order in f32,
/// so a result that cancels may differ by many of its own ulps: differences below 2^-16 of the
/// row's largest value are `small`.
Comparison compareRows(std::span<const std::byte> ours, std::span<const std::byte> theirs,
                       std::string_view type, int64_t rows, int64_t columns);

} // namespace cedilla::bench
