//===- Pattern.cpp - a piece of a synthetic weight in its stored format ---------------------------===//

#include "runtime/synthetic/Pattern.h"

#include "runtime/base/Error.h"
#include "runtime/synthetic/Random.h"
#include "runtime/synthetic/Statistics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace cedilla::synthetic {

//===------------------------------------------------------------------------------------------===//
// Codes of small floats
//===------------------------------------------------------------------------------------------===//

/// Sign, then the largest code whose magnitude is not above the value's; codes are in ascending order.
template <size_t N>
static uint8_t codeOf(float value, const float (&magnitudes)[N], uint8_t sign) {
  auto above = std::upper_bound(std::begin(magnitudes), std::end(magnitudes), std::fabs(value));
  auto code = static_cast<uint8_t>(std::max<ptrdiff_t>(above - std::begin(magnitudes) - 1, 0));
  return value < 0 ? code | sign : code;
}

static uint8_t codeOfE2M1(float value) {
  static constexpr float magnitudes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  return codeOf(value, magnitudes, 8);
}

static uint8_t codeOfE4M3(float value) {
  static const auto &magnitudes = *[] {
    static float table[127]; // 0x7F would be NaN
    for (int code = 0; code < 127; ++code)
      table[code] = code < 8 ? std::ldexp(float(code), -9)
                             : std::ldexp(float(8 + code % 8), code / 8 - 10);
    return &table;
  }();
  return codeOf(value, magnitudes, 0x80);
}

//===------------------------------------------------------------------------------------------===//
// One weight
//===------------------------------------------------------------------------------------------===//

namespace {
constexpr int64_t columnsPerScale = 32;

struct Filler {
  const BufferInfo &weight;
  Spread spread;
  Stream stream;
  std::vector<std::byte> &out;

  /// The scale's exponent with which E2M1, up to 6, holds three deviations; the rest is cut.
  int exponent() const {
    return std::clamp(int(std::ceil(std::log2(spread.deviation * 3 / 6))), -60, 10);
  }
  float value(uint64_t i) const { return spread.mean + spread.deviation * stream.normal(i); }

  template <typename Stored, typename Make>
  void each(Make make) {
    for (uint64_t i = 0; i < out.size() / sizeof(Stored); ++i) {
      Stored stored = make(i);
      std::memcpy(&out[i * sizeof(Stored)], &stored, sizeof(Stored));
    }
  }
};
} // namespace

static uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// A scale buffer does not know the format of its codes. Both therefore use the exponent that suits FP4;
/// FP8 has room enough around it.
static void fillCodes(Filler &f) {
  bool fp4 = f.weight.dtype == "I8";
  float unit = std::ldexp(f.spread.deviation, -f.exponent());
  if (fp4)
    return f.each<uint8_t>([&](uint64_t i) {
      return uint8_t(codeOfE2M1(unit * f.stream.normal(2 * i)) |
                     codeOfE2M1(unit * f.stream.normal(2 * i + 1)) << 4);
    });
  f.each<uint8_t>([&](uint64_t i) { return codeOfE4M3(unit * f.stream.normal(i)); });
}

static int64_t fanInOf(const BufferInfo &weight) {
  int64_t last = weight.tensorShape.empty() ? 1 : weight.tensorShape.back();
  if (weight.dtype == "F8_E8M0")
    return last * columnsPerScale;
  return weight.dtype == "I8" ? 2 * last : last;
}

std::vector<std::byte> makePattern(const BufferInfo &weight, uint64_t seed) {
  std::vector<std::byte> out(std::min(weight.bytes, patternBytes));
  const std::string &name = weight.tensors.front();
  int64_t fanIn = std::max<int64_t>(fanInOf(weight), 1);
  Filler f{weight, {0, 1 / std::sqrt(float(fanIn)), 0}, Stream(seed, name), out};
  findSpread(name, fanIn, f.spread);
  std::string_view dtype = weight.dtype;
  if (dtype == "F8_E8M0")
    f.each<uint8_t>([&](uint64_t) { return uint8_t(127 + f.exponent()); });
  else if (dtype == "F8_E4M3" || dtype == "I8")
    fillCodes(f);
  else if (dtype == "BF16")
    f.each<uint16_t>([&](uint64_t i) { return toBF16(f.value(i)); });
  else if (dtype == "F32")
    f.each<float>([&](uint64_t i) { return f.value(i); });
  else if (dtype == "I64" || dtype == "I32") {
    uint64_t limit = weight.tensorShape.empty() ? 1 : weight.tensorShape[0];
    auto id = [&](uint64_t i) { return scramble(seed + 1 + i) % limit; };
    if (dtype == "I64")
      f.each<int64_t>(id);
    else
      f.each<int32_t>(id);
  } else
    fail(Err::Values, "weight '", weight.name, "': no synthetic values of dtype ", dtype);
  return out;
}

} // namespace cedilla::synthetic
