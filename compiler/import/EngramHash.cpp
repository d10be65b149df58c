//===- EngramHash.cpp - multipliers, primes, offsets ----------------------------------------------------===//

#include "compiler/import/EngramHash.h"

#include "compiler/import/NumpyRandom.h"
#include "runtime/base/Error.h"

#include <algorithm>
#include <cstdint>

namespace cedilla {

/// The generator of layer l is seeded with this number times l.
static constexpr uint32_t kLayerSeed = 10007;

std::vector<int64_t> engramMultipliers(int64_t layer, int64_t count, int64_t compressedVocab) {
  NumpyRandom random(kLayerSeed * static_cast<uint32_t>(layer));
  uint64_t bound = static_cast<uint64_t>(INT64_MAX / compressedVocab / 2);
  std::vector<int64_t> multipliers;
  for (int64_t i = 0; i < count; ++i)
    multipliers.push_back(static_cast<int64_t>(random.below(bound) * 2 + 1));
  return multipliers;
}

static uint64_t powerModulo(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = static_cast<unsigned __int128>(result) * base % modulus;
    base = static_cast<unsigned __int128>(base) * base % modulus;
  }
  return result;
}

/// Miller and Rabin's test; with these bases it is right for all numbers below 3.4e14. Tables of many columns ask for
/// thousands of primes beyond 2^32, each of which would take tens of thousands of divisions.
static bool isPrime(int64_t number) {
  static constexpr int64_t bases[] = {2, 3, 5, 7, 11, 13, 17};
  if (number < 2)
    return false;
  for (int64_t base : bases)
    if (number % base == 0)
      return number == base;
  uint64_t n = number, odd = n - 1, halves = 0;
  for (; odd % 2 == 0; odd /= 2)
    ++halves;
  for (uint64_t base : bases) {
    uint64_t x = powerModulo(base, odd, n);
    bool passes = x == 1 || x == n - 1;
    for (uint64_t i = 1; i < halves && !passes; ++i)
      passes = (x = static_cast<unsigned __int128>(x) * x % n) == n - 1;
    if (!passes)
      return false;
  }
  return true;
}

std::vector<int64_t> primesFrom(int64_t from, int64_t count) {
  std::vector<int64_t> primes;
  for (int64_t number = from; static_cast<int64_t>(primes.size()) < count; ++number)
    if (isPrime(number))
      primes.push_back(number);
  return primes;
}

void deriveEngram(EngramConfig &engram, int64_t tableVocab) {
  int64_t columns = engram.columns();
  std::vector<int64_t> primes =
      primesFrom(tableVocab, columns * static_cast<int64_t>(engram.layers.size()));
  auto next = primes.begin();
  for (EngramLayer &layer : engram.layers) {
    layer.multipliers = engramMultipliers(layer.layer, engram.orders + 1, engram.compressedVocab);
    layer.primes.assign(next, next + columns);
    layer.offsets.clear();
    layer.rows = 0;
    next += columns;
    for (int64_t prime : layer.primes) {
      layer.offsets.push_back(layer.rows);
      layer.rows += prime;
    }
  }
}

void shortenEngram(EngramConfig &engram, int64_t rows) {
  if (engram.layers.empty())
    fail(Err::EngramRows, "--engram-rows: the model has no Engram");
  int64_t least = 2 * engram.columns(), most = engram.layers[0].rows;
  if (rows < least || rows > most)
    fail(Err::EngramRows, "--engram-rows: expected ", least, " to ", most, " (those of layer ", engram.layers[0].layer, "'s table), got ", rows);
  deriveEngram(engram, rows / engram.columns());
}

} // namespace cedilla
