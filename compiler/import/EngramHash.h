//===- EngramHash.h - Engram's constants, derived from the configuration ------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"

#include <cstdint>
#include <vector>

namespace cedilla {

/// Odd multipliers of the layer's hash, one per token of the longest n-gram. `compressedVocab`
/// bounds them so that a product with a compressed id stays below 2^63.
std::vector<int64_t> engramMultipliers(int64_t layer, int64_t count, int64_t compressedVocab);

/// The first `count` primes that are at least `from`.
std::vector<int64_t> primesFrom(int64_t from, int64_t count);

/// Fills multipliers, primes, offsets and rows of every layer of `engram`. Primes are consecutive
/// over all layers, so that no two columns of the model share one.
void deriveEngram(EngramConfig &engram, int64_t tableVocab);

/// The same with tables of about `rows` rows each. Throws cedilla::Error, naming --engram-rows.
void shortenEngram(EngramConfig &engram, int64_t rows);

} // namespace cedilla
