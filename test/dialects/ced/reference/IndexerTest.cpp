//===- IndexerTest.cpp - candidates, index scores ------------------------------------------------------===//

#include "dialects/ced/reference/Indexer.h"
#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Quantize.h"
#include "test/dialects/ced/reference/Golden.h"

#include <algorithm>
#include <limits>

namespace cedilla::reference {

/// Kept blocks as a mask over visible entries, as captured.
static Array<uint8_t> maskOf(const Array<int32_t> &blocks, const Array<int32_t> &visible,
                             int64_t blockSize, const Shape &shape) {
  Array<uint8_t> mask(shape);
  for (int64_t t = 0; t < shape[0]; ++t)
    for (int64_t j = 0; j < shape[1]; ++j)
      for (int64_t b = 0; b < blocks.cols(); ++b)
        if (blocks(t)[b] == j / blockSize)
          mask.mutableData()[t * shape[1] + j] = 1;
  return mask;
}

//===------------------------------------------------------------------------------------------===//
// index_scores
//===------------------------------------------------------------------------------------------===//

/// Multiples of 1/unit without a visible pattern. With unit 8 products and sums of quantised values are
/// exact in f32, so their order does not matter; they still have more bits than bf16.
static Array<BF16> grid(Shape shape, int64_t step, float unit = 8) {
  Array<float> values(std::move(shape));
  for (int64_t i = 0; i < values.size(); ++i)
    values.mutableData()[i] = float((i * step + i * i / 7) % 29 - 14) / unit;
  return roundToBF16(values);
}

/// Scores from the definition, one row of two sequences whose pages lie mixed.
static void checkScores(Report &report, bool withPool) {
  constexpr int64_t entries = 61, heads = 5, cols = 64, blockSize = 8, rows = 4, ratio = 2;
  const int32_t position[rows] = {0, 87, 122, -1}; // sees 0, 44, 61 entries; padding
  Array<int32_t> positions({rows}, {position, position + rows}), slots({rows}, {0, 1, 1, 0});
  Array<int32_t> pages({2, 16});
  for (int32_t i = 0; i < 32; ++i)
    pages.mutableData()[i] = i * 13 % 32;
  ScaledArray q = quantize(grid({rows, heads, cols}, 5), formatQ4i);
  Array<BF16> weights = grid({rows, heads}, 3, 11);

  // The keys of slot 1, appended by the rows that close their groups.
  ScaledArray keys = quantize(grid({entries * ratio, cols}, 11), formatQ4i);
  std::vector<int32_t> at;
  for (int32_t p = 0; p < entries * ratio; ++p)
    at.push_back(p);
  PagedCache cache{ratio, 8, cols, formatQ4i, Array<uint8_t>({32, 4, formatQ4i.rowBytes(cols)})};
  cache = appendPaged(cache, keys, Array<int32_t>({entries * ratio}, at),
                      Array<int32_t>({entries * ratio}, std::vector<int32_t>(at.size(), 1)), pages);
  Array<int32_t> blocks({rows, 2}, {-1, -1, 0, 5, 1, 7, -1, -1});

  std::vector<float> query = widen(dequantize(q)), key = widen(dequantize(keys)),
                     weight = widen(weights);
  Array<float> expected({rows, entries});
  for (int64_t t = 0; t < rows; ++t)
    for (int64_t j = 0; j < entries; ++j) {
      bool inPool = !withPool || std::count(blocks(t), blocks(t) + 2, j / blockSize) > 0;
      float sum = 0;
      for (int64_t h = 0; h < heads; ++h) {
        double product = 0;
        for (int64_t k = 0; k < cols; ++k)
          product += double(query[(t * heads + h) * cols + k]) * key[(j * ratio + 1) * cols + k];
        float rounded = toFloat(toBF16(float(product)));
        sum += toFloat(toBF16(weight[t * heads + h] * (rounded > 0 ? rounded : 0)));
      }
      bool visible = (j + 1) * ratio <= position[t] + 1;
      expected.mutableData()[t * entries + j] =
          visible && inPool ? sum : -std::numeric_limits<float>::infinity();
    }
  Pool pool = withPool ? Pool{&blocks, blockSize} : Pool{};
  report.exact("index_scores", withPool ? "with a pool" : "all visible",
               indexScores(q, weights, cache, positions, slots, pages, pool), roundToBF16(expected));
}

/// A block without any reachable entry is dropped even when there is room for it.
static void checkUnreachableBlock(Report &report) {
  const float none = -std::numeric_limits<float>::infinity();
  Array<BF16> scores = roundToBF16(Array<float>({1, 6}, {1, none, none, none, none, none}));
  Array<int32_t> position({1}, {5});
  Array<int32_t> kept = candidateBlocks(blockMax(scores, position, 2, 1), position, 3, 2, 1);
  report.exact("candidates", "a block of -inf", kept, Array<int32_t>({1, 3}, {0, 2, -1}));
}

void checkIndexer(const Golden &golden, Report &report) {
  checkUnreachableBlock(report);
  checkScores(report, false);
  checkScores(report, true);
  for (const auto &[kind, parameters] : golden.cases()["candidates"].items()) {
    std::string name = "candidates." + kind;
    Array<BF16> score = golden.bf16(name + ".score");
    Array<int32_t> visible = golden.i32(name + ".visible");
    Array<int32_t> positions(visible.shape());
    for (int64_t t = 0; t < visible.size(); ++t)
      positions.mutableData()[t] = visible[t] - 1; // ratio 1: entries up to its own
    int64_t blockSize = parameters["block_size"];
    Array<int32_t> blocks = candidateBlocks(blockMax(score, positions, blockSize, 1), positions, parameters["blocks"], blockSize, 1);
    report.exact("candidates", name + ".keep", maskOf(blocks, visible, blockSize, score.shape()),
                 golden.boolean(name + ".keep"));
  }
}

} // namespace cedilla::reference
