//===- NumbersTest.cpp - every code of every small format ------------------------------------------===//

#include "dialects/ced/reference/Numbers.h"
#include "dialects/ced/reference/Quantize.h"
#include "test/dialects/ced/reference/Golden.h"

#include <cmath>
#include <limits>

namespace cedilla::reference {

/// The nearest finite code by trying all of them: an independent statement of round-to-nearest-even.
static uint8_t nearestByTrial(float x, int codes, float (*value)(uint8_t)) {
  int best = 0;
  for (int code = 1; code < codes; ++code) {
    double here = std::fabs(double(value(code)) - std::fabs(x));
    double there = std::fabs(double(value(best)) - std::fabs(x));
    if (here < there || (here == there && code % 2 == 0))
      best = code;
  }
  return best + (std::signbit(x) ? codes == 127 ? 128 : codes : 0);
}

static void checkE4M3(Report &report) {
  const char *group = "numbers";
  for (int code = 0; code < 256; ++code)
    if ((code & 0x7f) != nanE4M3)
      report.holds(group, "E4M3 round trip", toE4M3(fromE4M3(code)) == code);
    else
      report.holds(group, "E4M3 NaN", std::isnan(fromE4M3(code)));
  report.holds(group, "E4M3 of NaN", toE4M3(std::nanf("")) == nanE4M3);
  report.holds(group, "E4M3 saturates", toE4M3(1e9f) == 0x7e && toE4M3(-1e9f) == 0xfe);
  // Every midpoint of neighbours, and the floats just beside it.
  for (int code = 0; code < 0x7e; ++code) {
    float middle = (fromE4M3(code) + fromE4M3(code + 1)) / 2;
    for (float x : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)})
      for (float signedX : {x, -x})
        report.holds(group, "E4M3 rounding",
                     toE4M3(signedX) == nearestByTrial(signedX, 127, fromE4M3));
  }
}

static void checkE2M1(Report &report) {
  const char *group = "numbers";
  for (int code = 0; code < 16; ++code)
    report.holds(group, "E2M1 round trip", toE2M1(fromE2M1(code)) == code);
  for (int code = 0; code < 7; ++code) {
    float middle = (fromE2M1(code) + fromE2M1(code + 1)) / 2;
    for (float x : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)})
      for (float signedX : {x, -x})
        report.holds(group, "E2M1 rounding",
                     toE2M1(signedX) == nearestByTrial(signedX, 8, fromE2M1));
  }
}

static void checkUE8M0(Report &report) {
  const char *group = "numbers";
  for (int code = 0; code < 255; ++code)
    report.holds(group, "UE8M0 value", fromUE8M0(code) == std::ldexp(1.0f, code - 127));
  report.holds(group, "UE8M0 NaN", std::isnan(fromUE8M0(255)));
  report.holds(group, "UE8M0 byte 134 is 128", fromUE8M0(134) == 128.0f);
  for (int code = 1; code < 254; ++code) {
    float power = fromUE8M0(code);
    report.holds(group, "UE8M0 of a power", ceilUE8M0(power) == code);
    report.holds(group, "UE8M0 rounds up", ceilUE8M0(std::nextafter(power, 1e38f * 10)) == code + 1);
  }
  report.holds(group, "UE8M0 of infinity",
               ceilUE8M0(std::numeric_limits<float>::infinity()) == nanUE8M0);
}

static void checkBF16(Report &report) {
  const char *group = "numbers";
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    BF16 x{static_cast<uint16_t>(bits)};
    float value = toFloat(x);
    report.holds(group, "bf16 round trip", std::isnan(value) ? std::isnan(toFloat(toBF16(value)))
                                                             : toBF16(value) == x);
    if ((bits & 0x7fff) >= 0x7f80)
      continue;
    float next = toFloat({static_cast<uint16_t>(bits + 1)});
    if (std::isinf(next))
      continue;
    float middle = value / 2 + next / 2;
    report.holds(group, "bf16 tie", (toBF16(middle).bits & 1) == 0 || value / 2 + next / 2 == value);
    report.holds(group, "bf16 below tie", toBF16(std::nextafter(middle, value)) == x);
  }
  float beyond = std::numeric_limits<float>::max();
  report.holds(group, "bf16 overflow", std::isinf(toFloat(toBF16(beyond))));
}

/// Bytes of the released checkpoint: element order inside a byte and the meaning of the scale byte.
static void checkReleasedBytes(Report &report) {
  const uint8_t fp8[] = {0xd8, 0x71, 0xf2, 0x79, 0x70, 0x69, 0xf0, 0xe5, 0x73};
  const float fp8Values[] = {-0.00390625f, 0.03515625f, -0.0390625f, 0.0703125f,
                             0.03125f, 0.017578125f, -0.03125f, -0.0126953125f};
  const uint8_t fp4[] = {0xa0, 0xa8, 0xec, 0x4a, 0xad, 0xaf, 0x42, 0xaa, 0x78};
  const float fp4Values[] = {0, -0.0078125f, 0, -0.0078125f, -0.015625f, -0.03125f,
                             -0.0078125f, 0.015625f, -0.0234375f, -0.0078125f, -0.046875f,
                             -0.0078125f, 0.0078125f, 0.015625f, -0.0078125f, -0.0078125f};
  float row[16];
  decodeRow(formatQ8, fp8, 8, row);
  report.holds("numbers", "released FP8 bytes", std::equal(row, row + 8, fp8Values));
  decodeRow(formatQ4i, fp4, 16, row);
  report.holds("numbers", "released FP4 bytes", std::equal(row, row + 16, fp4Values));
}

void checkNumbers(Report &report) {
  checkE4M3(report);
  checkE2M1(report);
  checkUE8M0(report);
  checkBF16(report);
  checkReleasedBytes(report);
}

} // namespace cedilla::reference
