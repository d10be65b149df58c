//===- Indexer.cpp - ced.index_scores, ced.block_max, ced.candidate_blocks, ced.topk -------------------------===//

#include "dialects/ced/reference/Indexer.h"
#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Quantize.h"
#include "dialects/ced/reference/TopK.h"

namespace cedilla::reference {

static constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

//===------------------------------------------------------------------------------------------===//
// Scores
//===------------------------------------------------------------------------------------------===//

/// Which of the `visible` entries the row's pool holds; all of them without a pool.
static std::vector<bool> poolMembers(const Pool &pool, int64_t t, int64_t visible) {
  std::vector<bool> member(visible, pool.blocks == nullptr);
  if (!pool.blocks)
    return member;
  for (int64_t b = 0; b < pool.blocks->cols(); ++b) {
    int64_t block = (*pool.blocks)(t)[b];
    if (block < 0)
      continue;
    int64_t end = std::min(visible, (block + 1) * pool.blockSize);
    for (int64_t j = block * pool.blockSize; j < end; ++j)
      member[j] = true;
  }
  return member;
}

/// Rounds where the model rounds: each dot product, each weighted term, and the sum over heads.
static float scoreEntry(const float *q, const float *weights, int64_t heads, const float *key,
                        int64_t cols) {
  float sum = 0.0f;
  for (int64_t h = 0; h < heads; ++h) {
    float product = roundToBF16(dot(q + h * cols, key, cols));
    sum += roundToBF16(weights[h] * std::max(product, 0.0f));
  }
  return sum;
}

Array<BF16> indexScores(const ScaledArray &q, const Array<BF16> &weights, const PagedCache &keys,
                        const Array<int32_t> &positions, const Array<int32_t> &slots,
                        const Array<int32_t> &pages, const Pool &pool) {
  int64_t rows = q.shape[0], heads = q.shape[1], cols = q.cols(), entries = 0;
  for (int64_t t = 0; t < rows; ++t)
    entries = std::max(entries, visibleEntries(positions[t], keys.ratio));
  std::vector<float> query = widen(dequantize(q)), weight = widen(weights);
  Array<BF16> result({rows, entries});
  BF16 *out = result.mutableData();
  parallelFor(rows, entries * heads * cols, [&](int64_t t) {
    int64_t visible = visibleEntries(positions[t], keys.ratio);
    std::vector<bool> member = poolMembers(pool, t, visible);
    std::vector<float> key(cols);
    for (int64_t j = 0; j < entries; ++j) {
      float score = minusInfinity;
      if (j < visible && member[j]) {
        const uint8_t *row = keys.bytes.data() + pagedOffset(keys, pages, slots[t], j);
        decodeRow(keys.format, row, cols, key.data());
        score = scoreEntry(&query[t * heads * cols], &weight[t * heads], heads, key.data(), cols);
      }
      out[t * entries + j] = toBF16(score);
    }
  });
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Selection
//===------------------------------------------------------------------------------------------===//

/// Scores of the row's visible entries.
static std::vector<float> visibleScores(const Array<BF16> &scores, int64_t t, int64_t position,
                                        int64_t ratio) {
  std::vector<float> row(std::min(visibleEntries(position, ratio), scores.cols()));
  for (size_t j = 0; j < row.size(); ++j)
    row[j] = toFloat(scores(t)[j]);
  return row;
}

/// Writes the chosen positions ascending; the rest of the row stays -1.
static void writeAscending(std::vector<int32_t> chosen, int32_t *out) {
  std::sort(chosen.begin(), chosen.end());
  std::copy(chosen.begin(), chosen.end(), out);
}

static Array<int32_t> emptyIndexSet(int64_t rows, int64_t k) {
  return Array<int32_t>({rows, k}, std::vector<int32_t>(rows * k, -1));
}

Array<BF16> blockMax(const Array<BF16> &scores, const Array<int32_t> &positions, int64_t blockSize, int64_t ratio) {
  int64_t blocks = (scores.cols() + blockSize - 1) / blockSize;
  std::vector<float> result(scores.dim(0) * blocks, minusInfinity);
  for (int64_t t = 0; t < scores.dim(0); ++t) {
    std::vector<float> row = visibleScores(scores, t, positions[t], ratio);
    float *best = result.data() + t * blocks;
    for (size_t j = 0; j < row.size(); ++j)
      best[j / blockSize] = std::max(best[j / blockSize], row[j]);
    if (!row.empty())
      best[(row.size() - 1) / blockSize] = -minusInfinity; // the newest block is always kept
  }
  return roundToBF16(Array<float>({scores.dim(0), blocks}, std::move(result)));
}

Array<int32_t> candidateBlocks(const Array<BF16> &maxima, const Array<int32_t> &positions,
                               int64_t k, int64_t blockSize, int64_t ratio) {
  Array<int32_t> result = emptyIndexSet(maxima.dim(0), k);
  int32_t *out = result.mutableData();
  for (int64_t t = 0; t < maxima.dim(0); ++t) {
    int64_t blocks = (visibleEntries(positions[t], ratio) + blockSize - 1) / blockSize;
    std::vector<float> best(std::min(blocks, maxima.cols()));
    for (size_t j = 0; j < best.size(); ++j)
      best[j] = toFloat(maxima(t)[j]);
    std::vector<int32_t> chosen = bestPositions(best, k);
    std::erase_if(chosen, [&](int32_t block) { return best[block] == minusInfinity; });
    writeAscending(std::move(chosen), out + t * k);
  }
  return result;
}

Array<int32_t> topk(const Array<BF16> &scores, const Array<int32_t> &positions, int64_t k,
                    int64_t ratio) {
  Array<int32_t> result = emptyIndexSet(scores.dim(0), k);
  int32_t *out = result.mutableData();
  for (int64_t t = 0; t < scores.dim(0); ++t)
    writeAscending(bestPositions(visibleScores(scores, t, positions[t], ratio), k), out + t * k);
  return result;
}

} // namespace cedilla::reference
