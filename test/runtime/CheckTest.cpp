//===- CheckTest.cpp - decoding and comparing of the golden check ------------------------------------===//

#include "runtime/check/CompareLists.h"
#include "runtime/check/Numbers.h"
#include "test/runtime/Expect.h"

#include <cmath>
#include <vector>

namespace cedilla::test {
using namespace check;

/// Values from the formats' definitions, edges included.
static void testFormats() {
  EXPECT(e8m0ToFloat(127) == 1 && e8m0ToFloat(134) == 128 && e8m0ToFloat(0) == std::ldexp(1.0f, -127));
  EXPECT(std::isnan(e8m0ToFloat(255)));
  EXPECT(e4m3ToFloat(0x7E) == 448 && e4m3ToFloat(0x01) == std::ldexp(1.0f, -9));
  EXPECT(e4m3ToFloat(0x08) == std::ldexp(1.0f, -6) && e4m3ToFloat(0xB8) == -1);
  EXPECT(std::isnan(e4m3ToFloat(0x7F)) && std::isnan(e4m3ToFloat(0xFF)));
  EXPECT(e2m1ToFloat(7) == 6 && e2m1ToFloat(15) == -6 && e2m1ToFloat(1) == 0.5f);
  EXPECT(std::signbit(e2m1ToFloat(8)));
  EXPECT(floatToBf16(1.0f) == 0x3F80 && bf16ToFloat(0x3F80) == 1);
  // Ties go to the even neighbour.
  EXPECT(floatToBf16(1.0f + 0x1p-8f) == 0x3F80 && floatToBf16(1.0f + 0x3p-8f) == 0x3F82);
  EXPECT(std::isnan(bf16ToFloat(floatToBf16(NAN))));
}

static void testDifference() {
  Difference d;
  // The row's largest is 4, so an ulp is 2^-5.
  d.addRow(std::vector<float>{1, 4}, std::vector<float>{1 + 0x1p-5f, 4});
  EXPECT(d.elements == 2 && d.equal == 1 && d.worstUlps == 1 && d.worstAbsolute == 0x1p-5);
  EXPECT(std::fabs(d.relativeL2() - 0x1p-5 / std::sqrt((1 + 0x1p-5) * (1 + 0x1p-5) + 16)) < 1e-12);
  Difference nan;
  nan.addRow(std::vector<float>{NAN}, std::vector<float>{1});
  EXPECT(std::isinf(nan.worstUlps) && std::isinf(nan.relativeL2()) && nan.equal == 0);
  Difference same;
  same.addRow(std::vector<float>{0, NAN}, std::vector<float>{0, NAN});
  EXPECT(same.equal == 2 && same.relativeL2() == 0);
}

static void testPositions() {
  PositionDifference d;
  for (float off : {0.0f, 0.5f, 0.0f}) {
    Difference position;
    position.addRow(std::vector<float>{2 + off, 1}, std::vector<float>{2, 1});
    d.addPosition(position);
  }
  EXPECT(d.positions == 3 && d.equal == 5 && d.worst.equal == 1 && d.worst.elements == 2);
  EXPECT(std::fabs(d.relativeL2() - 0.5 / std::sqrt(15.0)) < 1e-12 && std::fabs(d.worst.relativeL2() - 0.5 / std::sqrt(5.0)) < 1e-12);
  Difference rest = d.withoutWorst();
  EXPECT(rest.elements == 4 && rest.equal == 4 && rest.relativeL2() == 0 && rest.worstUlps == d.worstUlps);
  Difference nan;
  nan.addRow(std::vector<float>{NAN}, std::vector<float>{1});
  d.addPosition(nan);
  EXPECT(std::isinf(d.worst.relativeL2()) && std::isinf(d.withoutWorst().worstUlps));
}

static Lists indexLists(std::vector<int32_t> got, std::vector<int32_t> wanted,
                        std::vector<float> scores = {}) {
  Lists lists;
  compareIndex(lists, got, wanted, scores);
  return lists;
}

static void testLists() {
  EXPECT(indexLists({1, 4, -1}, {1, 4, -1}).equal == 1);
  EXPECT(indexLists({1, 4, -1}, {1, 5, -1}).unexplained() == 1);
  EXPECT(indexLists({4, 1, -1}, {1, 4, -1}).unexplained() == 1); // not ascending
  EXPECT(indexLists({1, -1, 4}, {1, 4, -1}).unexplained() == 1); // padding in between
  EXPECT(indexLists({1, 4, 7}, {1, 4, -1}).unexplained() == 1);
  // 4 and 5 scored the same up to an ulp; 2 did not.
  std::vector<float> scores = {0, 3, 0.5f, 0, 1, 1 + 0x1p-7f};
  EXPECT(indexLists({1, 4}, {1, 5}, scores).nearTies == 1);
  EXPECT(indexLists({1, 2}, {1, 5}, scores).unexplained() == 1);

  LayerFacts layer;
  layer.ratio = 1;
  Lists masks;
  // At position 4 entries 0 .. 4 can be seen; blocks of 2: 0 and 2 are kept.
  compareCandidates(masks, std::vector<int32_t>{0, 2, -1}, std::vector<int32_t>{1, 1, 0, 0, 1, 1}, 4,
                    layer, 2);
  EXPECT(masks.equal == 1);
  compareCandidates(masks, std::vector<int32_t>{0, 1, -1}, std::vector<int32_t>{1, 1, 0, 0, 1, 1}, 4,
                    layer, 2);
  EXPECT(masks.total == 2 && masks.equal == 1);
}

void testCheck() {
  testFormats();
  testDifference();
  testPositions();
  testLists();
}

} // namespace cedilla::test
