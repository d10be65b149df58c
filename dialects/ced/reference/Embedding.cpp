//===- Embedding.cpp - ced.embed, engram_rows, engram_lookup, engram_inject ----------------------===//

#include "dialects/ced/reference/Embedding.h"
#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Norm.h"
#include "dialects/ced/reference/Quantize.h"
#include "runtime/base/Error.h"

#include <algorithm>
#include <cmath>

namespace cedilla::reference {

Array<BF16> embed(const Array<int32_t> &tokens, const Array<BF16> &table) {
  int64_t d = table.cols();
  Array<BF16> result({tokens.size(), d});
  BF16 *out = result.mutableData();
  for (int64_t t = 0; t < tokens.size(); ++t) {
    bool known = tokens[t] >= 0 && tokens[t] < table.dim(0);
    std::copy_n(table(known ? tokens[t] : 0), d, out + t * d);
  }
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Row numbers
//===------------------------------------------------------------------------------------------===//

namespace {
/// Compressed ids of the tokens around the rows of a step.
struct Context {
  const Array<int32_t> &tokens, &kinds, &tokenMap, &history, &positions, &slots, &starts;

  int32_t compressed(int64_t token) const {
    if (token < 0 || token >= tokenMap.size())
      fail(Err::Interpreter, "tokens: expected an id below ", tokenMap.size(), ", got ", token);
    return tokenMap[token];
  }
  int32_t idOfRow(int64_t t) const { return kinds[t] == 1 ? engramBarrier : compressed(tokens[t]); }

  /// The token `back` positions before row t: of this step, of the history, or before the start.
  int32_t idBefore(int64_t t, int64_t back) const {
    int64_t position = positions[t] - back;
    if (position < 0)
      return engramBarrier;
    if (position >= starts[t])
      return idOfRow(t - back);
    return history(slots[t])[starts[t] - 1 - position];
  }
};
} // namespace

/// The ids of row t and of those before it, up to the longest n-gram.
static std::vector<int32_t> lookBack(const Context &context, int64_t t, const EngramHash &hash) {
  std::vector<int32_t> ids;
  for (int64_t back = 0; back <= hash.orders; ++back)
    ids.push_back(context.idBefore(t, back));
  return ids;
}

EngramRows engramRows(const Array<int32_t> &tokens, const Array<int32_t> &kinds,
                      const Array<int32_t> &tokenMap, const Array<int32_t> &history,
                      const Array<int32_t> &positions, const Array<int32_t> &slots,
                      const Array<int32_t> &starts, const EngramHash &hash) {
  int64_t rowCount = tokens.size(), width = hash.layers * hash.orders * hash.heads;
  Context context{tokens, kinds, tokenMap, history, positions, slots, starts};
  EngramRows result{Array<int64_t>({rowCount, hash.layers, hash.orders * hash.heads}), history};
  int64_t *rows = result.rows.mutableData();
  int32_t *newHistory = result.history.mutableData(); // detached: the context reads the old one
  for (int64_t t = 0; t < rowCount; ++t) {
    if (positions[t] < 0)
      continue;
    checkSlot(slots[t], history.dim(0));
    hashEngramRow(hash, lookBack(context, t, hash), context.compressed(hash.pad), rows + t * width);
    // Every row leaves the history as it is after it; the sequence's last row comes last.
    for (int64_t back = 0; back < hash.orders; ++back)
      newHistory[slots[t] * hash.orders + back] = context.idBefore(t, back);
  }
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Lookup and injection
//===------------------------------------------------------------------------------------------===//

Array<BF16> engramLookup(const Array<int64_t> &rows, const ScaledArray &table, int64_t index,
                         bool gathered) {
  int64_t layers = rows.dim(1), columns = rows.dim(2), d = table.cols();
  Array<BF16> result({rows.dim(0), columns * d});
  BF16 *out = result.mutableData();
  std::vector<float> codes(d);
  for (int64_t t = 0; t < rows.dim(0); ++t)
    for (int64_t c = 0; c < columns; ++c) {
      int64_t row = gathered ? t * columns + c : rows[(t * layers + index) * columns + c];
      if (row < 0 || row >= table.rows())
        fail(Err::Interpreter, "engram rows: expected a table row below ", table.rows(), ", got ", row);
      decodeCodes(table.format, table.codes(row), d, codes.data());
      for (int64_t k = 0; k < d; ++k) {
        float scale = decodeScale(table.format, table.scales(row)[k / table.format.blockCols]);
        out[(t * columns + c) * d + k] = toBF16(codes[k] * scale);
      }
    }
  return result;
}

/// The score carries its sign through: +0 gives sigmoid(+0.001), not sigmoid(0).
static float gateOf(float score) {
  float root = std::copysign(std::sqrt(std::max(std::fabs(score), 1e-6f)), score);
  return 1.0f / (1.0f + std::exp(-root));
}

Array<BF16> engramInject(const Array<BF16> &stream, const Array<BF16> &kv,
                         const Array<BF16> &qWeight, const Array<BF16> &kWeight,
                         const Array<int32_t> &kinds, float eps) {
  int64_t rows = stream.dim(0), n = stream.dim(1), d = stream.dim(2);
  std::vector<float> x = widen(stream), keysAndValue = widen(kv);
  std::vector<float> weighted(d);
  const float width = float(1.0 / std::sqrt(double(d)));
  Array<BF16> result(stream.shape());
  BF16 *out = result.mutableData();
  for (int64_t t = 0; t < rows; ++t) {
    const float *keys = &keysAndValue[t * (n + 1) * d], *value = keys + n * d;
    for (int64_t j = 0; j < n; ++j) {
      const float *xj = &x[(t * n + j) * d], *key = keys + j * d;
      for (int64_t k = 0; k < d; ++k)
        weighted[k] = xj[k] * (toFloat(qWeight(j)[k]) * toFloat(kWeight(j)[k]));
      float score = dot(weighted.data(), key, d) * inverseRms(xj, d, eps) * inverseRms(key, d, eps) * width;
      float gate = kinds[t] == 1 ? 0.0f : gateOf(score);
      for (int64_t k = 0; k < d; ++k)
        out[(t * n + j) * d + k] = toBF16(xj[k] + gate * value[k]);
    }
  }
  return result;
}

} // namespace cedilla::reference
