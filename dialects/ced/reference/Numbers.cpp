//===- Numbers.cpp - conversions between f32 and the small formats -------------------------------===//

#include "dialects/ced/reference/Numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cedilla::reference {

uint8_t toE4M3(float x) {
  uint8_t sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x))
    return sign | nanE4M3;
  float magnitude = std::min(std::fabs(x), maxE4M3);
  // Below 2^-6 the step is 2^-9 and the exponent field 0; above, eight steps per power of two. A
  // mantissa that rounds up to the next power of two carries into the exponent field by itself.
  if (magnitude < 0x1p-6f)
    return sign | static_cast<uint8_t>(std::nearbyint(magnitude * 0x1p9f));
  int exponent = std::ilogb(magnitude);
  int eighths = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 3 - exponent)));
  return sign | static_cast<uint8_t>((exponent + 7) * 8 + (eighths - 8));
}

float fromE4M3(uint8_t code) {
  int exponent = (code >> 3) & 15, mantissa = code & 7;
  if ((code & 0x7f) == nanE4M3)
    return std::numeric_limits<float>::quiet_NaN();
  float magnitude = exponent == 0 ? std::ldexp(float(mantissa), -9)
                                  : std::ldexp(float(8 + mantissa), exponent - 10);
  return code & 0x80 ? -magnitude : magnitude;
}

uint8_t toE2M1(float x) {
  uint8_t sign = std::signbit(x) ? 8 : 0;
  float magnitude = std::fabs(x);
  // Midpoints of 0 .5 1 1.5 2 3 4 6; a tie goes to the even code, so every second midpoint rounds up.
  uint8_t code = (magnitude > 0.25f) + (magnitude >= 0.75f) + (magnitude > 1.25f) +
                 (magnitude >= 1.75f) + (magnitude > 2.5f) + (magnitude >= 3.5f) +
                 (magnitude > 5.0f);
  return sign | code;
}

float fromE2M1(uint8_t code) {
  static constexpr float values[8] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
  float magnitude = values[code & 7];
  return code & 8 ? -magnitude : magnitude;
}

float fromUE8M0(uint8_t code) {
  if (code == nanUE8M0)
    return std::numeric_limits<float>::quiet_NaN();
  return std::ldexp(1.0f, int(code) - 127);
}

uint8_t ceilUE8M0(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  uint32_t exponent = (bits >> 23) & 0xff;
  bool isPowerOfTwo = (bits & 0x7fffff) == 0;
  return static_cast<uint8_t>(std::min<uint32_t>(exponent + !isPowerOfTwo, nanUE8M0));
}

} // namespace cedilla::reference
