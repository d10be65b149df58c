//===- Random.h - random numbers that are a function of a counter
//------------------------------------------===//
//
// A value depends on the seed, the tensor and the element's number alone: any order of generation,
// any machine and any number of threads give the same bits. Integer arithmetic up to the last
// multiplication.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstdint>
#include <string_view>

namespace cedilla::synthetic {

/// Scrambles 64 bits (three rounds of shift, xor and odd multiplication).
inline uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 31) * 0xd6e8feb86659fd93u;
  x = (x ^ x >> 29) * 0xc2b2ae3d27d4eb4fu;
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 30;
}

/// The stream of one tensor.
class Stream {
public:
  Stream(uint64_t seed, std::string_view tensor) : key(scramble(seed + 1)) {
    for (char c : tensor)
      key = scramble(key ^ static_cast<unsigned char>(c));
  }

  /// About normally distributed, mean 0, variance 1, within ±4.9: the sum of eight 16-bit uniform
  /// values.
  float normal(uint64_t element) const {
    uint64_t a = scramble(key ^ scramble(2 * element)),
             b = scramble(key ^ scramble(2 * element + 1));
    int64_t sum = 0;
    for (int shift = 0; shift < 64; shift += 16)
      sum += static_cast<int64_t>((a >> shift & 0xffff) + (b >> shift & 0xffff));
    // Mean 8 * 65535 / 2; standard deviation sqrt(8 * (65536^2 - 1) / 12) = 53509.9…
    return static_cast<float>((sum - 262140) * (1 / 53509.97));
  }

private:
  uint64_t key;
};

} // namespace cedilla::synthetic
