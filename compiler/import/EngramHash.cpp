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

/// Primes of [2, limit], by crossing out.
static std::vector<int64_t> primesTo(int64_t limit) {
  std::vector<bool> crossed(limit + 1);
  std::vector<int64_t> primes;
  for (int64_t number = 2; number <= limit; ++number) {
    if (crossed[number])
      continue;
    primes.push_back(number);
    for (int64_t multiple = number * number; multiple <= limit; multiple += number)
      crossed[multiple] = true;
  }
  return primes;
}

static int64_t ceilRoot(int64_t number) {
  int64_t root = 1;
  while (root * root < number)
    ++root;
  return root;
}

/// Crosses out piece by piece: a test of every number by itself takes minutes for the largest tables that a
/// configuration can ask for.
std::vector<int64_t> primesFrom(int64_t from, int64_t count) {
  constexpr int64_t piece = 1 << 15;
  std::vector<int64_t> primes;
  for (int64_t begin = std::max<int64_t>(from, 2); static_cast<int64_t>(primes.size()) < count; begin += piece) {
    std::vector<bool> crossed(piece);
    for (int64_t prime : primesTo(ceilRoot(begin + piece))) {
      int64_t first = std::max(prime, (begin + prime - 1) / prime) * prime;
      for (int64_t multiple = first; multiple < begin + piece; multiple += prime)
        crossed[multiple - begin] = true;
    }
    for (int64_t i = 0; i < piece && static_cast<int64_t>(primes.size()) < count; ++i)
      if (!crossed[i])
        primes.push_back(begin + i);
  }
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
