//===- Tolerances.h - what two valid implementations may differ by ---------------------------------===//
//
// Measured with independent implementations of the same model (other orders of addition) on the
// published tiny models; the limit is the looser set's number with the margin given beside it.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstdint>

namespace cedilla::check {

/// A layer that got the captured input.
inline constexpr double minStreamEqual = 0.98; ///< seen 0.987; share of equal bf16 values, per layer
inline constexpr double maxStreamUlps = 1;     ///< seen 1; ulps of the row's largest value
inline constexpr double maxStreamL2 = 8e-4;    ///< seen 6e-4
inline constexpr double maxPre = 2e-3;         ///< seen 2e-4, 2e-3 at worst
inline constexpr double maxSublayerL2 = 5e-3;  ///< seen 4e-3: a flipped FP8 code of the SwiGLU output
inline constexpr double maxWeights = 5e-3;     ///< of an expert, 1.5 in all; follows an ulp of its input
inline constexpr double minCacheEqual = 0.99;  ///< seen 1; a bf16 ulp can move an FP4 code
inline constexpr double maxOpenL2 = 1e-5;      ///< f32 sums of one step
inline constexpr double maxLogitsL2 = 2e-3;    ///< seen 1e-6; a bf16 ulp of the head's input is 2e-3
inline constexpr double maxListsUnequal = 0.01; ///< seen 0; of those no near tie explains

/// Shares and means say little of few positions: bf16 results in another order of addition differ by an ulp now and then, the ulp moves
/// an FP8 code by up to an eighth, and that is a hundredth of a sublayer's result in one position: 1/8 * (4 of the codes' rms) / sqrt(n)
/// of the n codes that its last product sums (seen 7e-3 and 2e-2 with 384 and 288; 4e-3 at the released size), after which all of the
/// position's stream is an ulp off. Below so many positions (2 % of them are less than one) the one furthest off is judged alone.
inline constexpr int64_t fewPositions = 50;
inline constexpr double maxPositionL2 = 0.1; ///< of 25 codes; with fewer it is still a place for one mistake, not for the kind that moves every position

/// The whole model: mean over the prompts of the median over positions of max |dlogit|. Deeper models
/// amplify more: seen 0.18 with 6 layers and 0.42 with 40; mistakes gave 0.45 and 0.7 upward on
/// each longer prompt.
struct MedianLimit {
  int64_t layers; ///< up to this many
  double limit;
};
inline constexpr MedianLimit medianLimits[] = {{12, 0.30}, {INT64_MAX, 0.60}};

} // namespace cedilla::check
