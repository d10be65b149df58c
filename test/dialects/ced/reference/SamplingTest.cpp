//===- SamplingTest.cpp - sample: ties, infinities, NaN, padding, temperatures -------------------------===//

#include "dialects/ced/reference/Sampling.h"
#include "runtime/engine/Gumbel.h"
#include "test/dialects/ced/reference/Golden.h"

#include <bit>
#include <limits>

namespace cedilla::reference {

static constexpr float inf = std::numeric_limits<float>::infinity();

void checkSampling(Report &report) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Array<float> logits({7, 4}, {1, 3, 3, 2, //
                               -inf, -inf, -inf, -inf, //
                               -0.0f, 0, -1, -0.0f, //
                               1, inf, 9, inf, //
                               5, 1, nan, 7, //
                               9, 9, 9, 9, // padding
                               0.5f, 0, 0.25f, 1});
  Array<int32_t> positions({7}, {0, 4, 9, 2, 3, -1, 7}), slots({7}, {0, 0, 1, 1, 1, 99, 2});
  int32_t warm = std::bit_cast<int32_t>(0.5f);
  Array<int32_t> sampling({3, 2}, {0, 7, 0, 8, warm, 9}), chosen({3, 5}, std::vector<int32_t>(15, -9));
  Sampled sampled = sample(logits, sampling, chosen, positions, slots);

  // The last row: the largest logit / 0.5 + noise of its position to come.
  HostNumbers host;
  uint32_t row = gumbelRow(host, 9u, 8u);
  int32_t drawn = 0;
  for (int32_t id = 1; id < 4; ++id)
    if (gumbelScore(logits[24 + id], 0.5f, row, id) > gumbelScore(logits[24 + drawn], 0.5f, row, drawn))
      drawn = id;
  report.exact("sample", "tokens", sampled.tokens, Array<int32_t>({7}, {1, 0, 0, 1, 0, 0, drawn}));
  report.exact("sample", "next", sampled.next, Array<int32_t>({7}, {1, 5, 10, 3, 4, -1, 8}));
  // Position p at p mod 5; -1 for NaN.
  report.exact("sample", "chosen", sampled.chosen,
               Array<int32_t>({3, 5}, {0, 1, -9, -9, -9, 0, -9, -9, 1, -1, -9, -9, -9, drawn, -9}));
  // The numbers themselves, so that no machine and no edit changes them unseen.
  report.exact("gumbel", "bits", Array<int32_t>({1}, {std::bit_cast<int32_t>(gumbel(host, gumbelRow(host, 9u, 8u), 3u))}),
               Array<int32_t>({1}, {0x3fdcf046}));
}

} // namespace cedilla::reference
