//===- Compare.cpp - two results of the same kernel -------------------------------------------===//

#include "tools/ced-bench/Compare.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace cedilla::bench {

namespace {
/// An element as bits that count upwards with the value, and as a number.
struct Element {
  uint32_t bits;
  int64_t rank;
  float value;
};
} // namespace

static Element read(std::span<const std::byte> from, uint64_t index, bool bf16) {
  uint32_t bits = 0;
  if (bf16) {
    uint16_t half;
    std::memcpy(&half, from.data() + index * 2, 2);
    bits = half;
  } else {
    std::memcpy(&bits, from.data() + index * 4, 4);
  }
  uint32_t sign = bf16 ? 0x8000 : 0x80000000;
  int64_t magnitude = bits & (sign - 1);
  return {bits, bits & sign ? -magnitude : magnitude,
          std::bit_cast<float>(bf16 ? bits << 16 : bits)};
}

static void compareElement(const Element &a, const Element &b, float largest, Comparison &result) {
  ++result.elements;
  if (a.bits == b.bits) {
    ++result.equal;
    return;
  }
  if (std::isnan(a.value) || std::isnan(b.value)) {
    ++(std::isnan(a.value) && std::isnan(b.value) ? result.equal : result.wrong);
    return;
  }
  int64_t ulps = std::abs(a.rank - b.rank);
  double error = largest > 0 ? std::abs(double(a.value) - b.value) / largest : 0;
  result.maxError = std::max(result.maxError, error);
  bool small = ulps > 1 && error < 0x1p-16;
  if (!small)
    result.maxUlps = std::max(result.maxUlps, ulps);
  ++(ulps <= 1 ? result.oneUlp : small ? result.small : result.wrong);
}

/// Integers are equal or wrong; any bits may be a result.
static Comparison compareIntegers(std::span<const std::byte> ours,
                                  std::span<const std::byte> theirs, uint64_t width,
                                  uint64_t elements) {
  Comparison result;
  result.elements = elements;
  for (uint64_t i = 0; i < elements; ++i)
    ++(std::memcmp(ours.data() + i * width, theirs.data() + i * width, width) == 0 ? result.equal
                                                                                 : result.wrong);
  for (uint64_t i = elements * width; i < ours.size(); ++i)
    result.poison += ours[i] != std::byte(0xFF);
  return result;
}

Comparison compareRows(std::span<const std::byte> ours, std::span<const std::byte> theirs,
                       std::string_view type, int64_t rows, int64_t columns) {
  for (auto [name, width] : {std::pair{"i8", 1}, {"i32", 4}, {"i64", 8}})
    if (type == name)
      return compareIntegers(ours, theirs, width, rows * columns);
  if (type != "bf16" && type != "f32")
    fail(Err::Values, "results of type '", type, "' are not compared: expected bf16, f32, i8, i32 or i64");
  bool bf16 = type == "bf16";
  uint64_t rowBytes = columns * (bf16 ? 2 : 4);
  Comparison result;
  for (int64_t row = 0; row < rows; ++row) {
    float largest = 0;
    for (int64_t col = 0; col < columns; ++col)
      if (float value = std::abs(read(theirs, row * columns + col, bf16).value); value > largest)
        largest = value;
    for (int64_t col = 0; col < columns; ++col) {
      Element a = read(ours, row * columns + col, bf16),
              b = read(theirs, row * columns + col, bf16);
      // All ones is no result of arithmetic: nobody wrote it.
      if (a.bits == (bf16 ? 0xFFFFu : 0xFFFFFFFFu))
        ++result.poison;
      compareElement(a, b, largest, result);
    }
  }
  for (uint64_t i = rows * rowBytes; i < ours.size(); ++i)
    result.poison += ours[i] != std::byte(0xFF);
  return result;
}

std::string Comparison::describe() const {
  char text[256];
  std::snprintf(text, sizeof text,
                "%s: %llu of %llu equal, %llu one ulp apart, %llu small, %llu wrong, %llu "
                "unwritten or overwritten; "
                "at most %lld ulp, %.2e of a row's largest",
                good() ? "ok" : "WRONG", static_cast<unsigned long long>(equal),
                static_cast<unsigned long long>(elements), static_cast<unsigned long long>(oneUlp),
                static_cast<unsigned long long>(small), static_cast<unsigned long long>(wrong),
                static_cast<unsigned long long>(poison), static_cast<long long>(maxUlps), maxError);
  return text;
}

} // namespace cedilla::bench
