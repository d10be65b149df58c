//===- EngramHash.cpp - which table rows the n-grams before a token have ---------------------------===//

#include "runtime/engine/EngramHash.h"

#include <vector>

namespace cedilla {

static std::vector<int64_t> withPads(std::span<const int32_t> ids, int64_t pad) {
  std::vector<int64_t> result(ids.size(), pad);
  for (size_t i = 0; i < ids.size() && ids[i] != engramBarrier; ++i)
    result[i] = ids[i];
  return result;
}

void hashEngramRow(const EngramHash &hash, std::span<const int32_t> newest, int64_t pad, int64_t *rows) {
  std::vector<int64_t> ids = withPads(newest, pad);
  for (int64_t layer = 0; layer < hash.layers; ++layer) {
    const int64_t *multipliers = &hash.multipliers[layer * (hash.orders + 1)];
    // Products wrap; the unsigned type makes that defined.
    uint64_t mixed = uint64_t(ids[0]) * uint64_t(multipliers[0]);
    for (int64_t order = 0; order < hash.orders; ++order) {
      mixed ^= uint64_t(ids[order + 1]) * uint64_t(multipliers[order + 1]);
      for (int64_t head = 0; head < hash.heads; ++head) {
        int64_t column = layer * hash.columns() + order * hash.heads + head;
        int64_t prime = hash.primes[column], remainder = int64_t(mixed) % prime;
        rows[column] = (remainder < 0 ? remainder + prime : remainder) + hash.offsets[column];
      }
    }
  }
}

} // namespace cedilla
