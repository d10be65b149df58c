//===- StateTest.cpp - caches and state: what a step is cut into must not matter -----------------===//
//
// No captured data: the same tokens run whole, in chunks, beside another sequence, and with pages at other
// places, and must give the same bits.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/ced/reference/Attention.h"
#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Compressor.h"
#include "dialects/ced/reference/Indexer.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Quantize.h"
#include "runtime/base/Error.h"
#include "test/dialects/ced/reference/Golden.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cedilla::reference {

//===------------------------------------------------------------------------------------------===//
// Material
//===------------------------------------------------------------------------------------------===//

/// Values in [-1, 1), the same on every machine.
static Array<float> noise(Shape shape, uint32_t seed) {
  Array<float> result(std::move(shape));
  for (int64_t i = 0; i < result.size(); ++i) {
    uint32_t x = (uint32_t(i) + 1) * 2654435761u ^ seed * 40503u;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    result.mutableData()[i] = float(int32_t(x ^ x >> 16)) * 0x1p-31f;
  }
  return result;
}

template <typename T>
static Array<T> rowsOf(const Array<T> &a, int64_t begin, int64_t end) {
  Shape shape = a.shape();
  int64_t width = a.size() / shape[0];
  shape[0] = end - begin;
  return Array<T>(shape, {a.data() + begin * width, a.data() + end * width});
}

template <typename T>
static Array<T> joined(const std::vector<Array<T>> &parts) {
  Shape shape = parts[0].shape();
  std::vector<T> values;
  shape[0] = 0;
  for (const Array<T> &part : parts) {
    shape[0] += part.dim(0);
    values.insert(values.end(), part.data(), part.data() + part.size());
  }
  return Array<T>(shape, values);
}

/// Row tensors of positions [begin, end) of one slot.
struct Rows {
  Rows(int64_t begin, int64_t end, int32_t slot) {
    std::vector<int32_t> position, slots(end - begin, slot), start(end - begin, begin);
    for (int64_t p = begin; p < end; ++p)
      position.push_back(p);
    positions = Array<int32_t>({end - begin}, position);
    this->slots = Array<int32_t>({end - begin}, slots);
    starts = Array<int32_t>({end - begin}, start);
  }
  Rows(const Rows &a, const Rows &b)
      : positions(joined<int32_t>({a.positions, b.positions})),
        slots(joined<int32_t>({a.slots, b.slots})), starts(joined<int32_t>({a.starts, b.starts})) {}
  Array<int32_t> positions, slots, starts;
};

/// Calls step(begin, end) over [0, count) in steps of `chunk`.
template <typename Step>
static void inChunks(int64_t count, int64_t chunk, const Step &step) {
  for (int64_t begin = 0; begin < count; begin += chunk)
    step(begin, std::min(begin + chunk, count));
}

//===------------------------------------------------------------------------------------------===//
// compress
//===------------------------------------------------------------------------------------------===//

static void checkCompress(Report &report, int64_t ratio) {
  constexpr int64_t tokens = 23, channels = 5;
  Array<float> latent = noise({tokens, channels}, 1), gate = noise({tokens, channels}, 2);
  auto run = [&](int64_t chunk) {
    Array<float> open({2, ratio - 1, 2, channels});
    std::vector<Array<BF16>> parts;
    inChunks(tokens, chunk, [&](int64_t begin, int64_t end) {
      Rows rows(begin, end, 1);
      Compressed step = compress(rowsOf(latent, begin, end), rowsOf(gate, begin, end), open,
                                 rows.positions, rows.slots, rows.starts, ratio);
      open = step.open;
      parts.push_back(step.result);
    });
    return joined(parts);
  };
  Array<BF16> whole = run(tokens);
  for (int64_t chunk : {1, 2, 3, 7})
    report.exact("compress", "chunks of " + std::to_string(chunk), run(chunk), whole);

  // The definition, in f64.
  Array<BF16> expected(whole.shape());
  for (int64_t t = ratio - 1; t < tokens; t += ratio)
    for (int64_t k = 0; k < channels; ++k) {
      double sum = 0, mean = 0;
      for (int64_t i = t - ratio + 1; i <= t; ++i) {
        double weight = std::exp(double(gate(i)[k]));
        sum += weight;
        mean += weight * latent(i)[k];
      }
      expected.mutableData()[t * channels + k] = toBF16(float(mean / sum));
    }
  report.ulps("compress", "definition", whole, expected, 1);
}

//===------------------------------------------------------------------------------------------===//
// attention over ring, fresh rows and pages
//===------------------------------------------------------------------------------------------===//

namespace {
// Window and selection together are longer than a block of 64 list slots.
constexpr int64_t tokens = 81, heads = 3, cols = 64, window = 60, slack = 4, ratio = 2, page = 4;
constexpr int64_t picks = 12, slotPages = 21;

struct AttentionCase {
  Array<BF16> q = roundToBF16(noise({tokens, heads, cols}, 3));
  ScaledArray kv = quantize(roundToBF16(noise({tokens, cols}, 4)), formatQ8);
  ScaledArray entries = quantize(roundToBF16(noise({tokens, cols}, 5)), formatQ4m);
  Array<float> sink = noise({heads}, 6);

  WindowCache ring() const {
    return {window, slack, cols, formatQ8,
            Array<uint8_t>({2, window + slack, formatQ8.rowBytes(cols)})};
  }
  PagedCache paged() const {
    return {ratio, page, cols, formatQ4m,
            Array<uint8_t>({2 * slotPages, page / ratio, formatQ4m.rowBytes(cols)})};
  }
  /// Pages of both slots, ascending or descending.
  Array<int32_t> pages(bool descending) const {
    Array<int32_t> table({2, slotPages});
    for (int64_t i = 0; i < table.size(); ++i)
      table.mutableData()[i] = descending ? table.size() - 1 - i : i;
    return table;
  }
  /// Every third visible entry; `hole` fills the slots that select nothing.
  Array<int32_t> index(int64_t begin, int64_t end, int32_t hole) const {
    Array<int32_t> sets({end - begin, picks});
    for (int64_t t = 0; t < end - begin; ++t)
      for (int64_t i = 0; i < picks; ++i) {
        bool visible = 3 * i < visibleEntries(begin + t, ratio);
        sets.mutableData()[t * picks + i] = visible ? int32_t(3 * i) : hole;
      }
    return sets;
  }
  ScaledArray rows(const ScaledArray &a, int64_t begin, int64_t end) const {
    ScaledArray part = a;
    part.codes = rowsOf(a.codes, begin, end);
    part.scales = rowsOf(a.scales, begin, end);
    part.shape[0] = end - begin;
    return part;
  }

  /// All tokens in chunks; `attendFirst`: before the ring is written, with the step's rows beside it.
  Array<BF16> run(int64_t chunk, bool attendFirst, bool descending = false,
                  int32_t hole = -1) const {
    WindowCache windowCache = ring();
    PagedCache main = paged();
    Array<int32_t> table = pages(descending);
    std::vector<Array<BF16>> parts;
    inChunks(tokens, chunk, [&](int64_t begin, int64_t end) {
      Rows at(begin, end, 1);
      ScaledArray fresh = rows(kv, begin, end);
      main = appendPaged(main, rows(entries, begin, end), at.positions, at.slots, table);
      WindowCache written = appendWindow(windowCache, fresh, at.positions, at.slots);
      Array<int32_t> sets = index(begin, end, hole);
      AttentionSources sources{attendFirst ? windowCache : written, attendFirst ? &fresh : nullptr,
                               &main, &sets};
      parts.push_back(attention(rowsOf(q, begin, end), sink, sources, at.positions, at.slots,
                                at.starts, table));
      windowCache = written;
    });
    return joined(parts);
  }
};
} // namespace

/// A second sequence and padding rows in the same step.
static Array<BF16> runBesideOthers(const AttentionCase &c) {
  Rows both(Rows(0, tokens, 1), Rows(0, 3, 0));
  int32_t *positions = both.positions.mutableData();
  positions[tokens + 1] = positions[tokens + 2] = -1;
  ScaledArray kv = quantize(
      joined<BF16>({dequantize(c.kv), roundToBF16(noise({3, cols}, 9))}), formatQ8);
  ScaledArray entries = quantize(
      joined<BF16>({dequantize(c.entries), roundToBF16(noise({3, cols}, 10))}), formatQ4m);
  Array<int32_t> table = c.pages(false);
  PagedCache main = appendPaged(c.paged(), entries, both.positions, both.slots, table);
  Array<int32_t> sets = joined<int32_t>({c.index(0, tokens, -1), c.index(0, 3, -1)});
  WindowCache empty = c.ring();
  Array<BF16> q = joined<BF16>({c.q, roundToBF16(noise({3, heads, cols}, 11))});
  return attention(q, c.sink, {empty, &kv, &main, &sets}, both.positions, both.slots, both.starts,
                   table);
}

/// Row by row from the definition: positions max(0, i-W+1) .. i, holes up to W, then the selected entries.
static Array<BF16> attentionByDefinition(const AttentionCase &c) {
  std::vector<float> q = widen(c.q), kv = widen(dequantize(c.kv)),
                     entries = widen(dequantize(c.entries));
  Array<int32_t> sets = c.index(0, tokens, -1);
  Array<BF16> result(c.q.shape());
  for (int64_t i = 0; i < tokens; ++i) {
    std::vector<const float *> list;
    for (int64_t p = 0; p <= i; ++p)
      if (i - p < window)
        list.push_back(&kv[p * cols]);
    list.resize(window);
    for (int64_t n = 0; n < sets.cols(); ++n) // entry j was written by the row that closed its group
      list.push_back(sets(i)[n] < 0 ? nullptr : &entries[(sets(i)[n] * ratio + ratio - 1) * cols]);
    attendList(&q[i * heads * cols], heads, cols, c.sink.data(), list,
               result.mutableData() + i * heads * cols);
  }
  return result;
}

static void checkAttentionState(Report &report) {
  AttentionCase c;
  const char *group = "attention";
  Array<BF16> whole = c.run(tokens, true);
  report.exact(group, "definition", whole, attentionByDefinition(c));
  for (int64_t chunk : {1, 5, 17})
    report.exact(group, "chunks of " + std::to_string(chunk), c.run(chunk, true), whole);
  for (int64_t chunk : {1, 3, 5}) // at most slack + 1 rows once the ring is written first
    report.exact(group, "ring first, chunks of " + std::to_string(chunk), c.run(chunk, false), whole);
  report.exact(group, "pages elsewhere", c.run(tokens, true, true), whole);
  for (int32_t hole : {std::numeric_limits<int32_t>::max(), int32_t(tokens / ratio + 1), -7})
    report.exact(group, "hole " + std::to_string(hole), c.run(tokens, true, false, hole), whole);
  Array<BF16> beside = runBesideOthers(c);
  report.exact(group, "beside another sequence", rowsOf(beside, 0, tokens), whole);
  report.exact(group, "padding rows", rowsOf(beside, tokens + 1, tokens + 3),
               Array<BF16>({2, heads, cols}));
}

//===------------------------------------------------------------------------------------------===//
// topk
//===------------------------------------------------------------------------------------------===//

static Array<int32_t> list(std::vector<int32_t> values) {
  int64_t count = values.size();
  return Array<int32_t>({1, count}, std::move(values));
}

static void checkTopk(Report &report) {
  const float none = -std::numeric_limits<float>::infinity();
  auto best = [&](std::vector<float> scores, int32_t visible, int64_t k) {
    int64_t count = scores.size();
    return topk(roundToBF16(Array<float>({1, count}, std::move(scores))),
                Array<int32_t>({1}, {visible - 1}), k, 1);
  };
  const char *group = "topk";
  report.exact(group, "ascending", best({1, 5, 3, 4, 9}, 5, 3), list({1, 3, 4}));
  report.exact(group, "equal scores", best({0, 2, 0, 0, 0}, 5, 3), list({0, 1, 2}));
  report.exact(group, "more than visible", best({3, 1, 9, 9, 9}, 2, 4), list({0, 1, -1, -1}));
  report.exact(group, "nothing visible", best({3, 1}, 0, 2), list({-1, -1}));
  report.exact(group, "beyond the pool", best({none, 4, none, none}, 3, 3), list({0, 1, 2}));
  report.exact(group, "no score at all", best({}, 0, 2), list({-1, -1}));
}

/// Enough work for several threads: the first failure of any of them is the loop's.
static void checkParallelFailure(Report &report) {
  bool caught = false;
  try {
    parallelFor(64, 1 << 20, [](int64_t i) {
      if (i == 63)
        fail(Err::Unnumbered, "the last one");
    });
  } catch (const Error &error) {
    caught = std::string(error.what()) == "the last one";
  }
  report.holds("threads", "failure is passed on", caught);
}

void checkState(Report &report) {
  checkParallelFailure(report);
  for (int64_t ratio : {2, 3, 4})
    checkCompress(report, ratio);
  checkAttentionState(report);
  checkTopk(report);
}

} // namespace cedilla::reference
