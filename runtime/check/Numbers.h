//===- Numbers.h - decoding of small floats, and comparing ------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cedilla::check {

float bf16ToFloat(uint16_t bits);
uint16_t floatToBf16(float value); ///< nearest, ties to even
float e4m3ToFloat(uint8_t code);
float e8m0ToFloat(uint8_t code);
float e2m1ToFloat(uint8_t code); ///< the low four bits

/// How far values are from what they should be, over any number of rows.
struct Difference {
  int64_t elements = 0, equal = 0;
  double worstUlps = 0; ///< |difference| in bf16 ulps of the row's largest wanted value
  double worstAbsolute = 0;
  double squares = 0, wantedSquares = 0;

  /// A NaN on one side only counts as infinitely far.
  void addRow(std::span<const float> got, std::span<const float> wanted);
  void add(const Difference &other);
  double equalShare() const { return elements ? double(equal) / elements : 1; }
  double relativeL2() const;
};

/// The same, with the position that is furthest off by itself.
struct PositionDifference : Difference {
  int64_t positions = 0;
  Difference worst; ///< by the sum of squares

  void addPosition(const Difference &position);
  /// All other positions; largest distances stay those of all.
  Difference withoutWorst() const;
};

} // namespace cedilla::check
