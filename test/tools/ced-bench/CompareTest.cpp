//===- CompareTest.cpp - planted differences are found, inputs are the same everywhere --------===//

#include "dialects/ced/reference/Quantize.h"
#include "tools/ced-bench/Compare.h"
#include "tools/ced-bench/Difference.h"
#include "tools/ced-bench/Inputs.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace cedilla::bench;

static int failures = 0;

static void expect(bool condition, const char *what) {
  if (condition)
    return;
  std::printf("failed: %s\n", what);
  ++failures;
}

namespace {
/// Two results of 2 rows of 4 bf16, one row in use: 1, -2, 0.5, 256.
struct Results {
  std::vector<uint16_t> ours, theirs;
  Results() : ours(8, 0xFFFF), theirs(8, 0xFFFF) {
    const uint16_t values[] = {0x3F80, 0xC000, 0x3F00, 0x4380};
    std::memcpy(ours.data(), values, sizeof values);
    std::memcpy(theirs.data(), values, sizeof values);
  }
  Comparison compare() const {
    return compareRows(std::as_bytes(std::span(ours)), std::as_bytes(std::span(theirs)), "bf16", 1, 4);
  }
};
} // namespace

static void checkCompare() {
  Results same;
  expect(same.compare().good() && same.compare().equal == 4, "equal results are equal");

  Results ulp;
  ulp.ours[1] = 0xC001;
  expect(ulp.compare().good() && ulp.compare().oneUlp == 1, "neighbours are one ulp apart");

  Results zero; // -0 and the smallest number are neighbours of 0
  zero.theirs[2] = 0x0000, zero.ours[2] = 0x8001;
  expect(zero.compare().oneUlp == 1, "ulps are counted across zero");

  Results cancelled; // 2^-9 of 256 = 2^-17 of the row's largest
  cancelled.theirs[2] = 0x0000, cancelled.ours[2] = 0x3B00;
  expect(cancelled.compare().good() && cancelled.compare().small == 1, "what cancels may differ a little");

  Results wrong;
  wrong.ours[2] = 0x3F10;
  expect(!wrong.compare().good() && wrong.compare().wrong == 1, "a difference of 16 ulps is wrong");

  Results nan;
  nan.ours[0] = 0x7FC0;
  expect(!nan.compare().good(), "NaN beside a number is wrong");
  nan.theirs[0] = 0x7FC0;
  expect(nan.compare().good(), "NaN beside NaN is right");

  Results unwritten;
  unwritten.ours[3] = 0xFFFF;
  expect(unwritten.compare().poison == 1, "an unwritten element is found");
  Results beyond;
  beyond.ours[5] = 0;
  expect(beyond.compare().poison == 2, "bytes written behind the last row are found");
}

/// With the widest tolerance that a case has, wrong layouts are still found (case 56).
static void checkLayouts() {
  using namespace cedilla::reference;
  std::vector<float> values(4 * 512);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(int(hashBits(3, 1, i) % 2001) - 1000) * (i / 32 % 4 ? 0.01f : 0.04f);
  using Format = ScaledFormat;
  const Format formats[] = {{Format::Element::E4M3, 1, 32, Format::Scale::UE8M0},
                            {Format::Element::E2M1, 1, 32, Format::Scale::UE8M0},
                            {Format::Element::E2M1, 1, 16, Format::Scale::E4M3}};
  for (const Format &format : formats) {
    const ScaledArray right = quantize(roundToBF16(Array<float>({4, 512}, values)), format);
    auto seen = [&](auto change) {
      ScaledArray found = right;
      change(found.codes.mutableData(), found.codes.size(), found.scales.mutableData(), found.scales.size());
      return !compare(right, found, {0, 0, 0.02}, {}).where.empty();
    };
    expect(!seen([](uint8_t *, int64_t, uint8_t *, int64_t) {}), "equal codes are equal");
    expect(seen([](uint8_t *codes, int64_t count, uint8_t *, int64_t) {
             std::for_each(codes, codes + count, [](uint8_t &b) { b = uint8_t(b >> 4 | b << 4); });
           }), "swapped nibbles are found");
    expect(seen([](uint8_t *, int64_t, uint8_t *scales, int64_t count) { std::reverse(scales, scales + count); }),
           "permuted scales are found");
    expect(seen([](uint8_t *, int64_t, uint8_t *scales, int64_t count) { std::rotate(scales, scales + 1, scales + count); }),
           "scales one group further are found");
  }
}

/// The same bits whatever machine and number of threads made them.
static void checkInputs() {
  expect(hashBits(1, 2, 3) == hashBits(1, 2, 3) && hashBits(1, 2, 3) != hashBits(1, 2, 4) &&
             hashBits(1, 2, 3) != hashBits(1, 3, 3) && hashBits(1, 2, 3) != hashBits(2, 2, 3),
         "every part of the counter matters");
  std::vector<std::byte> codes(1 << 20);
  fillInput(codes, "F8_E4M3", InputRange::Usual, 7, 1);
  bool seen[256] = {};
  for (std::byte code : codes)
    seen[std::to_integer<int>(code)] = true;
  for (int code = 0; code < 256; ++code)
    expect(seen[code] == ((code & 0x7F) != 0x7F), "usual codes are all but NaN");
  fillInput(codes, "F8_E8M0", InputRange::Usual, 7, 1);
  for (std::byte code : codes)
    expect(code >= std::byte(117) && code <= std::byte(124), "usual scales are 2^-10 to 2^-3");
}

int main() {
  checkCompare();
  checkLayouts();
  checkInputs();
  std::printf(failures ? "%d failures\n" : "all checks passed\n", failures);
  return failures != 0;
}
