//===- EngramTest.cpp - engram, inject -----------------------------------------------------------------===//

#include "dialects/ced/reference/Embedding.h"
#include "dialects/ced/reference/Linear.h"
#include "dialects/ced/reference/Quantize.h"
#include "test/dialects/ced/reference/Golden.h"

#include <algorithm>
#include <numeric>

namespace cedilla::reference {

static Array<int32_t> filled(int64_t count, int32_t value) {
  return Array<int32_t>({count}, std::vector<int32_t>(count, value));
}

static Array<int32_t> part(const Array<int32_t> &values, int64_t begin, int64_t end) {
  return Array<int32_t>({end - begin}, {values.data() + begin, values.data() + end});
}

/// Row numbers of a sequence that is run in steps of `chunk` tokens.
static Array<int64_t> rowsInSteps(const Array<int32_t> &ids, const Array<int32_t> &kinds,
                                  const EngramHash &hash, int64_t chunk) {
  // The captured ids are compressed already: the map is the identity.
  std::vector<int32_t> identity(100000);
  std::iota(identity.begin(), identity.end(), 0);
  Array<int32_t> tokenMap({100000}, identity), history({1, hash.orders});
  std::vector<int64_t> rows;
  for (int64_t begin = 0; begin < ids.size(); begin += chunk) {
    int64_t end = std::min(begin + chunk, ids.size());
    Array<int32_t> positions({end - begin});
    std::iota(positions.mutableData(), positions.mutableData() + (end - begin), begin);
    EngramRows step = engramRows(part(ids, begin, end), part(kinds, begin, end), tokenMap, history,
                                 positions, filled(end - begin, 0), filled(end - begin, begin), hash);
    history = step.history;
    rows.insert(rows.end(), step.rows.data(), step.rows.data() + step.rows.size());
  }
  return Array<int64_t>({ids.size(), hash.layers, hash.orders * hash.heads}, rows);
}

static void checkRows(const Golden &golden, Report &report) {
  Array<int64_t> multipliers = golden.i64("engram.multipliers"),
                 primes = golden.i64("engram.primes"), offsets = golden.i64("engram.offsets");
  auto span = [](const Array<int64_t> &a) { return std::span(a.data(), a.size()); };
  EngramHash hash{2, 3, 8, golden.i32("engram.pad")[0], span(multipliers), span(primes),
                  span(offsets)};
  for (const char *sequence : {"random", "repeat", "single", "pads", "extreme", "image"}) {
    std::string name = std::string("engram.") + sequence;
    Array<int32_t> ids = golden.i32(name + ".compressed"), kinds = filled(ids.size(), 0);
    if (name == "engram.image") {
      Array<uint8_t> isText = golden.boolean(name + ".text_mask");
      for (int64_t t = 0; t < kinds.size(); ++t)
        kinds.mutableData()[t] = !isText[t];
    }
    for (int64_t chunk : {ids.size(), int64_t(1), int64_t(2), int64_t(3), int64_t(7)})
      report.exact("engram", name + ".rows", rowsInSteps(ids, kinds, hash, chunk),
                   golden.i64(name + ".rows"));
  }
}

/// Lookup, quantise, project and inject, as a layer does.
static void checkInject(const Golden &golden, Report &report) {
  Array<int32_t> captured = golden.i32("inject.rows");
  Array<int64_t> rows({captured.dim(0), 1, captured.dim(1)},
                      {captured.data(), captured.data() + captured.size()});
  Array<BF16> values =
      engramLookup(rows, golden.scaled("inject.table", "inject.table_s", formatQ8), 0);
  Array<BF16> kv = linear(quantize(values, formatQ8),
                          golden.scaled("inject.wkv", "inject.wkv_s", formatWeight8));
  Array<BF16> x = golden.bf16("inject.x"), q = golden.bf16("inject.q_weight"),
              k = golden.bf16("inject.k_weight");
  Array<int32_t> kinds = filled(x.dim(0), 0);
  report.ulps("inject", "inject.y", engramInject(x, kv, q, k, kinds, 1e-20f),
              golden.bf16("inject.y"), 1);
  Array<uint8_t> isText = golden.boolean("inject.text_mask");
  for (int64_t t = 0; t < kinds.size(); ++t)
    kinds.mutableData()[t] = !isText[t];
  report.ulps("inject", "inject.y_masked", engramInject(x, kv, q, k, kinds, 1e-20f),
              golden.bf16("inject.y_masked"), 1);
}

void checkEngram(const Golden &golden, Report &report) {
  checkRows(golden, report);
  checkInject(golden, report);
}

} // namespace cedilla::reference
