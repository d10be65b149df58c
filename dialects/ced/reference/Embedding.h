//===- Embedding.h - ced.embed, engram_rows, engram_lookup, engram_inject ------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"
#include "runtime/engine/EngramHash.h"

namespace cedilla::reference {

/// ced.embed: rows of the table; ids outside it read as 0.
Array<BF16> embed(const Array<int32_t> &tokens, const Array<BF16> &table);

struct EngramRows {
  Array<int64_t> rows;    ///< [T, layers, orders * heads]
  Array<int32_t> history; ///< [slots, orders]: newest compressed ids first, -1 for a barrier
};

/// ced.engram_rows: hashed table rows of the n-grams that end at each token.
EngramRows engramRows(const Array<int32_t> &tokens, const Array<int32_t> &kinds,
                      const Array<int32_t> &tokenMap, const Array<int32_t> &history,
                      const Array<int32_t> &positions, const Array<int32_t> &slots,
                      const Array<int32_t> &starts, const EngramHash &hash);

/// ced.engram_lookup: one layer's table rows, decoded to bf16, side by side. `gathered`: the table holds
/// just these rows, in order.
Array<BF16> engramLookup(const Array<int64_t> &rows, const ScaledArray &table, int64_t index, bool gathered = false);

/// ced.engram_inject: X_j + gate_j * value; kv is n keys, then the value.
Array<BF16> engramInject(const Array<BF16> &stream, const Array<BF16> &kv,
                         const Array<BF16> &qWeight, const Array<BF16> &kWeight,
                         const Array<int32_t> &kinds, float eps);

} // namespace cedilla::reference
