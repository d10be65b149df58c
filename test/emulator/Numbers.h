//===- Numbers.h - the GPU's small float formats ----------------------------------------------===//

#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace cedilla::emulator {

struct Format {
  int mantissa, smallest; ///< bits; exponent of the smallest normal number
  uint32_t largest;       ///< code of the largest finite number
  bool infinite;          ///< the code behind `largest` is infinity; otherwise NaN
  uint32_t nan;
  uint32_t sign; ///< the sign's bit
};
constexpr Format f16 = {10, -14, 0x7BFF, true, 0x7FFF, 0x8000};
constexpr Format bf16 = {7, -126, 0x7F7F, true, 0x7FFF, 0x8000};
constexpr Format e4m3 = {3, -6, 0x7E, false, 0x7F, 0x80};

inline double decode(uint32_t code, const Format &format) {
  uint32_t magnitude = code & (format.sign - 1), one = 1u << format.mantissa;
  double sign = code & format.sign ? -1 : 1;
  if (magnitude > format.largest)
    return format.infinite && magnitude == format.largest + 1 ? sign * INFINITY : NAN;
  uint32_t exponent = magnitude >> format.mantissa, digits = magnitude % one;
  if (exponent)
    digits += one, --exponent;
  return sign * std::ldexp(digits, int(exponent) + format.smallest - format.mantissa);
}

/// Rounded to nearest, ties to even. What is too large becomes infinity or, on demand and where
/// there is none, the largest number.
inline uint32_t encode(double value, const Format &format, bool saturate = false) {
  if (std::isnan(value))
    return format.nan;
  uint32_t sign = std::signbit(value) ? format.sign : 0;
  double magnitude = std::fabs(value);
  int exponent = format.smallest;
  if (magnitude > 0 && std::isfinite(magnitude))
    exponent = std::max(std::ilogb(magnitude), exponent);
  uint64_t code = UINT32_MAX;
  if (exponent < 128 && std::isfinite(magnitude))
    code = (uint64_t(exponent - format.smallest) << format.mantissa) +
           uint64_t(std::nearbyint(std::ldexp(magnitude, format.mantissa - exponent)));
  if (code > format.largest)
    code = saturate || !format.infinite ? format.largest : format.largest + 1;
  return sign | static_cast<uint32_t>(code);
}

/// x * y + z, exact but for a last bit that says that there is more: rounding it to a format of less
/// than half as many digits gives what rounding the exact sum would.
inline double fusedToOdd(double x, double y, double z) {
  double product = x * y, sum = product + z; // the product of two small formats is exact
  double back = sum - product, rest = (product - (sum - back)) + (z - back);
  auto bits = std::bit_cast<uint64_t>(sum);
  if (rest == 0 || !std::isfinite(sum) || bits & 1)
    return sum;
  return std::bit_cast<double>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

inline float toFloat(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
inline uint64_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

} // namespace cedilla::emulator
