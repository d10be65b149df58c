//===- SamplerTest.cpp - greedy ties, temperature, top-p ----------------------------------------------===//

#include "runtime/driver/Sampler.h"
#include "runtime/engine/Gumbel.h"
#include "test/runtime/Expect.h"

#include <cmath>
#include <vector>

namespace cedilla::test {

static std::vector<int> countSamples(const std::vector<float> &logits, SamplerSettings settings,
                                     int draws) {
  std::vector<int> counts(logits.size(), 0);
  for (int i = 0; i < draws; ++i)
    ++counts[sample(logits, settings, 0, i)];
  return counts;
}

void testSampler() {
  EXPECT(greedy(std::vector<float>{1, 3, 3, 2}) == 1);
  EXPECT(greedy(std::vector<float>{-INFINITY, -INFINITY}) == 0);
  EXPECT(greedy(std::vector<float>{0, INFINITY}) == 1);
  try {
    greedy(std::vector<float>{1, NAN});
    EXPECT(!"NaN is refused");
  } catch (const Error &error) {
    EXPECT(error.status() == Status::Internal);
  }

  // ln 1, ln 2, ln 4: shares 1/7, 2/7, 4/7; 20000 draws are within 2 % of them.
  std::vector<float> logits = {0, std::log(2.0f), std::log(4.0f)};
  EXPECT(sample(logits, {0, 1, 5}, 0, 0) == 2);
  std::vector<int> all = countSamples(logits, {1.0, 1.0, 5}, 20000);
  EXPECT(std::abs(all[0] / 20000.0 - 1 / 7.0) < 0.02);
  EXPECT(std::abs(all[1] / 20000.0 - 2 / 7.0) < 0.02);
  // The best two hold 6/7: with 0.8 the third never comes, with 0.5 only the first does.
  std::vector<int> two = countSamples(logits, {1.0, 0.8, 5}, 20000);
  EXPECT(two[0] == 0 && std::abs(two[1] / 20000.0 - 1 / 3.0) < 0.02);
  EXPECT(countSamples(logits, {1.0, 0.5, 5}, 100)[2] == 100);
  EXPECT(countSamples(logits, {1.0, 0.0, 5}, 100)[2] == 100);
  // Temperature 2 takes square roots of the shares: 1, 1.41, 2.
  std::vector<int> warm = countSamples(logits, {2.0, 1.0, 5}, 20000);
  EXPECT(std::abs(warm[2] / 20000.0 - 2 / 4.414) < 0.02);

  // What it takes to choose the same token elsewhere; a share needs the logits sorted.
  EXPECT(isOnePass({0, 0.5, 1}) && isOnePass({1, 1, 1}) && !isOnePass({1, 0.9, 1}));
  EXPECT(keyOf({1, 1, 5}, 0) == keyOf({2, 0.5, 5}, 0) && keyOf({1, 1, 5}, 0) != keyOf({1, 1, 5}, 1));
  HostNumbers host;
  for (int i = 0; i < 50; ++i) {
    uint32_t row = gumbelRow(host, keyOf({2, 1, 5}, 3), i);
    int32_t best = 0;
    for (int32_t id = 1; id < 3; ++id)
      if (gumbelScore(logits[id], 2, row, id) > gumbelScore(logits[best], 2, row, best))
        best = id;
    EXPECT(sample(logits, {2, 1, 5}, 3, i) == best);
  }

  // The same counter gives the same token; another seed, sequence or index another stream.
  int differ[3] = {};
  for (int i = 0; i < 200; ++i) {
    int32_t token = sample(logits, {1, 1, 5}, 0, i);
    EXPECT(token == sample(logits, {1, 1, 5}, 0, i));
    differ[0] += token != sample(logits, {1, 1, 6}, 0, i);
    differ[1] += token != sample(logits, {1, 1, 5}, 1, i);
    differ[2] += token != sample(logits, {1, 1, 5}, 0, i + 1);
  }
  EXPECT(differ[0] > 50 && differ[1] > 50 && differ[2] > 50);
}

} // namespace cedilla::test
