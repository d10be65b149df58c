//===- EngramHash.h - which table rows the n-grams before a token have -----------------------------===//
//
// The one definition in plain C++: the reference interpreter evaluates ced.engram_rows with it, and a session
// that gathers rows on the host finds them with it. The kernel is compared with the interpreter.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstdint>
#include <span>

namespace cedilla {

/// Stands for an image token and for what lies before the sequence.
inline constexpr int32_t engramBarrier = -1;

/// Attributes of ced.engram_rows; the spans are row-major [layer][..].
struct EngramHash {
  int64_t layers, orders, heads;
  int64_t pad;                          ///< a token id; its compressed id stands beyond a barrier
  std::span<const int64_t> multipliers; ///< [layers][orders + 1]
  std::span<const int64_t> primes;      ///< [layers][orders * heads]
  std::span<const int64_t> offsets;     ///< [layers][orders * heads]

  int64_t columns() const { return orders * heads; }
};

/// Table rows of one token, [layers][columns]. `ids`: compressed ids of the token and of the `orders` before
/// it, newest first, or engramBarrier; from the first barrier on they count as `pad`, a compressed id.
void hashEngramRow(const EngramHash &hash, std::span<const int32_t> ids, int64_t pad, int64_t *rows);

} // namespace cedilla
