//===- CompareLists.cpp - index lists, candidate blocks and expert ids -----------------------------===//

#include "runtime/check/CompareLists.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cedilla::check {

/// Scores of two valid implementations differ by an ulp where a sum is rounded the other way.
static constexpr double nearTieUlps = 2;

/// The valid entries of a list (they come first).
static std::vector<int32_t> validPart(std::span<const int32_t> list) {
  std::vector<int32_t> part;
  for (int32_t entry : list)
    if (entry >= 0)
      part.push_back(entry);
  return part;
}

static bool isNearTie(const std::vector<int32_t> &got, const std::vector<int32_t> &wanted,
                      std::span<const float> scores) {
  if (got.size() != wanted.size() || scores.empty())
    return false;
  double cut = INFINITY;
  for (int32_t entry : wanted)
    cut = std::min(cut, entry < int64_t(scores.size()) ? double(scores[entry]) : -INFINITY);
  if (!std::isfinite(cut))
    return false;
  double ulp = std::ldexp(1.0, (cut == 0 ? -126 : std::ilogb(cut)) - 7);
  std::vector<int32_t> different;
  std::set_symmetric_difference(got.begin(), got.end(), wanted.begin(), wanted.end(),
                                std::back_inserter(different));
  return std::all_of(different.begin(), different.end(), [&](int32_t entry) {
    return entry < int64_t(scores.size()) && std::fabs(scores[entry] - cut) <= nearTieUlps * ulp;
  });
}

void compareIndex(Lists &lists, std::span<const int32_t> got, std::span<const int32_t> wanted,
                  std::span<const float> scores) {
  std::vector<int32_t> gotPart = validPart(got), wantedPart = validPart(wanted);
  // Order and padding are part of the list's meaning: valid ones first, ascending.
  bool wellFormed = std::is_sorted(gotPart.begin(), gotPart.end()) &&
                    std::all_of(got.begin() + gotPart.size(), got.end(),
                                [](int32_t entry) { return entry == -1; });
  bool same = wellFormed && gotPart == wantedPart;
  lists.add(same);
  if (!same && wellFormed && isNearTie(gotPart, wantedPart, scores))
    ++lists.nearTies;
}

void compareCandidates(Lists &lists, std::span<const int32_t> got, std::span<const int32_t> wanted,
                       int64_t position, const LayerFacts &layer, int64_t blockSize) {
  int64_t visible = std::min<int64_t>((position + 1) / std::max<int64_t>(layer.ratio, 1),
                                      wanted.size());
  std::vector<int32_t> mask(wanted.size(), 0);
  for (int32_t block : got)
    for (int64_t j = block * blockSize; block >= 0 && j < (block + 1) * blockSize; ++j)
      if (j < visible)
        mask[j] = 1;
  lists.add(std::equal(mask.begin(), mask.begin() + visible, wanted.begin()));
}

void compareExperts(Lists &lists, std::span<const int32_t> got, std::span<const int32_t> wanted) {
  lists.add(std::equal(got.begin(), got.end(), wanted.begin(), wanted.end()));
}

} // namespace cedilla::check
