//===- Numbers.h - conversions between f32 and the small formats ---------------------------------===//
//
// bf16, E4M3 (fn), E2M1 and UE8M0, exact for every code: round to nearest even, saturating where the
// format says so, NaN kept where the format has one.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <bit>
#include <cstdint>

namespace cedilla::reference {

struct BF16 {
  uint16_t bits = 0;
  bool operator==(const BF16 &) const = default;
};

inline float toFloat(BF16 x) { return std::bit_cast<float>(uint32_t(x.bits) << 16); }

/// Nearest bf16, ties to even; overflow gives infinity, NaN stays NaN.
inline BF16 toBF16(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return {static_cast<uint16_t>((bits >> 16) | 0x40)}; // keep the sign, make it quiet
  return {static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}

inline float roundToBF16(float x) { return toFloat(toBF16(x)); }

constexpr float maxE4M3 = 448.0f;
constexpr float maxE2M1 = 6.0f;
constexpr uint8_t nanE4M3 = 0x7f;
constexpr uint8_t nanUE8M0 = 0xff;

/// Nearest E4M3 code, ties to even, saturating at +-448; NaN gives the NaN code; the sign of zero is kept.
uint8_t toE4M3(float x);
float fromE4M3(uint8_t code);

/// Nearest E2M1 code (0..15, bit 3 = sign), ties to even, saturating at +-6. The format has no NaN: NaN
/// gives 0, and the block's NaN scale carries it.
uint8_t toE2M1(float x);
float fromE2M1(uint8_t code);

/// 2^(code - 127); 255 is NaN.
float fromUE8M0(uint8_t code);
/// The code of 2^ceil(log2 x) for a positive normal x, read from the bits of x; infinity and NaN give NaN.
uint8_t ceilUE8M0(float x);

} // namespace cedilla::reference
