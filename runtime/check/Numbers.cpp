//===- Numbers.cpp - decoding of small floats, and comparing ----------------------------------------===//

#include "runtime/check/Numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace cedilla::check {

float bf16ToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

uint16_t floatToBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return uint16_t(bits >> 16) | 0x40;
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

float e4m3ToFloat(uint8_t code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  float magnitude = exponent == 15 && mantissa == 7 ? std::numeric_limits<float>::quiet_NaN()
                    : exponent == 0                 ? std::ldexp(float(mantissa), -9)
                                    : std::ldexp(float(8 + mantissa), exponent - 10);
  return code & 0x80 ? -magnitude : magnitude;
}

float e8m0ToFloat(uint8_t code) {
  return code == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, code - 127);
}

float e2m1ToFloat(uint8_t code) {
  static constexpr float magnitudes[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  float magnitude = magnitudes[code & 7];
  return code & 8 ? -magnitude : magnitude;
}

/// The distance of neighbouring bf16 values of this magnitude.
static double bf16Ulp(float magnitude) {
  if (magnitude == 0)
    return std::ldexp(1.0, -133);
  return std::ldexp(1.0, std::max(std::ilogb(magnitude), -126) - 7);
}

void Difference::addRow(std::span<const float> got, std::span<const float> wanted) {
  float largest = 0;
  for (float value : wanted)
    largest = std::max(largest, std::isfinite(value) ? std::fabs(value) : 0.0f);
  double ulp = bf16Ulp(largest);
  for (size_t i = 0; i < wanted.size(); ++i) {
    bool same = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]));
    double distance = same ? 0.0 : std::fabs(double(got[i]) - wanted[i]);
    if (std::isnan(distance))
      distance = std::numeric_limits<double>::infinity();
    equal += same;
    worstAbsolute = std::max(worstAbsolute, distance);
    worstUlps = std::max(worstUlps, distance / ulp);
    squares += distance * distance;
    wantedSquares += std::isfinite(wanted[i]) ? double(wanted[i]) * wanted[i] : 0.0;
  }
  elements += wanted.size();
}

void Difference::add(const Difference &other) {
  elements += other.elements, equal += other.equal;
  worstUlps = std::max(worstUlps, other.worstUlps);
  worstAbsolute = std::max(worstAbsolute, other.worstAbsolute);
  squares += other.squares, wantedSquares += other.wantedSquares;
}

void PositionDifference::addPosition(const Difference &position) {
  add(position);
  if (++positions == 1 || position.squares > worst.squares)
    worst = position;
}

Difference PositionDifference::withoutWorst() const {
  Difference rest = *this;
  rest.elements -= worst.elements, rest.equal -= worst.equal;
  rest.wantedSquares -= worst.wantedSquares;
  rest.squares = std::isinf(worst.squares) ? worst.squares : std::max(0.0, rest.squares - worst.squares);
  return rest;
}

double Difference::relativeL2() const {
  if (squares == 0)
    return 0;
  return wantedSquares == 0 ? std::numeric_limits<double>::infinity()
                            : std::sqrt(squares / wantedSquares);
}

} // namespace cedilla::check
