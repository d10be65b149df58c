//===- EngramHash.cpp - multipliers, primes, offsets ----------------------------------------------------===//

#include "compiler/import/EngramHash.h"

#include "compiler/import/NumpyRandom.h"
#include "runtime/base/Error.h"

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

static bool isPrime(int64_t number) {
  if (number < 4)
    return number > 1;
  if (number % 2 == 0)
    return false;
  for (int64_t divisor = 3; divisor * divisor <= number; divisor += 2)
    if (number % divisor == 0)
      return false;
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
    fail("--engram-rows: the model has no Engram");
  int64_t least = 2 * engram.columns(), most = engram.layers[0].rows;
  if (rows < least || rows > most)
    fail("--engram-rows: expected ", least, " to ", most, " (those of layer ", engram.layers[0].layer, "'s table), got ", rows);
  deriveEngram(engram, rows / engram.columns());
}

} // namespace cedilla
