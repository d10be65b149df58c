//===- Indexer.h - ced.index_scores, ced.block_max, ced.candidate_blocks, ced.topk ------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

/// Blocks of `blockSize` entries that a row may select from; blocks i32 [T,k], ascending, then -1.
struct Pool {
  const Array<int32_t> *blocks = nullptr;
  int64_t blockSize = 1;
};

/// ced.index_scores: score of every entry for every row, bf16 [T,N]; N is what the newest row may see.
/// Entries that are not visible, or outside the pool when there is one, are -inf.
Array<BF16> indexScores(const ScaledArray &q, const Array<BF16> &weights, const PagedCache &keys,
                        const Array<int32_t> &positions, const Array<int32_t> &slots,
                        const Array<int32_t> &pages, const Pool &pool = {});

/// ced.block_max: the best score of every block of `blockSize` entries, bf16 [T, ceil(N / blockSize)]; +inf for the newest block.
Array<BF16> blockMax(const Array<BF16> &scores, const Array<int32_t> &positions, int64_t blockSize, int64_t ratio);

/// ced.candidate_blocks: the best k blocks by the scores of ced.block_max, without those of -inf.
Array<int32_t> candidateBlocks(const Array<BF16> &maxima, const Array<int32_t> &positions,
                               int64_t k, int64_t blockSize, int64_t ratio);

/// ced.topk: the best min(k, visible) entries, ascending, then -1.
Array<int32_t> topk(const Array<BF16> &scores, const Array<int32_t> &positions, int64_t k,
                    int64_t ratio);

} // namespace cedilla::reference
