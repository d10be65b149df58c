//===- Judge.h - is a recorded value what the op gives? --------------------------------------------===//
//
// Both were computed from the same operands. Sums in another order may move an f32 a little, and through it the
// rounding of what is stored: a bf16 by an ulp, a code to its neighbour. Integers that select may not move at all.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"
#include "runtime/check/Numbers.h"

#include <functional>
#include <string>
#include <vector>

namespace cedilla {

inline constexpr double maxUlps = 1;          ///< of the row's largest value, bf16
inline constexpr double minEqual = 0.9;       ///< share of bf16 values; an op that truncates has half
inline constexpr double maxF32 = 1e-3;        ///< relative L2
inline constexpr double maxCodesMoved = 0.01; ///< share of FP8 and FP4 bytes and of their scales
inline constexpr int64_t freeCodes = 2;       ///< a few may always move

/// What was found of one value.
struct Verdict {
  bool wrong = false;
  check::Difference numbers;       ///< decoded, where the value is one of numbers
  int64_t items = 0, unequal = 0;  ///< codes and scales, integers, or list rows
  std::string unit;                ///< of these: "codes", "integers", "lists"
  int64_t row = -1;                ///< the first that differs
  std::string first;               ///< what differs there
  bool isList = false;
  int64_t sameScores = 0;          ///< of the unequal lists: those whose picks have the same scores

  std::string text() const;
};

/// Rows for which `counts` is false (padding) are not looked at. `scores` of the ops that select: [T, N], or null.
Verdict judge(const reference::HostValue &own, const reference::HostValue &theirs, const std::function<bool(int64_t)> &counts,
              const reference::Array<reference::BF16> *scores, bool isList);

/// Of a cache: bytes that neither side has changed from `before` do not count.
Verdict judgeCache(const reference::HostValue &before, const reference::HostValue &own, const reference::HostValue &theirs);

} // namespace cedilla
