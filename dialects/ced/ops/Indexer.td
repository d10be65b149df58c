//===- Indexer.td - index scores, block maxima, candidate blocks, top-k --------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_INDEXER
#define CEDILLA_DIALECTS_CED_OPS_INDEXER

include "dialects/ced/CedTypes.td"

def Ced_IndexScoresOp : Ced_Op<"index_scores", [Pure]> {
  let summary = "score of every cache entry for every row";
  let description = [{
    score[t, j] = bf16( sum_h bf16( w[t,h] * relu( bf16( q[t,h] . key_j ) ) ) ), dots and the sum over heads in f32 (heads
    ascending); entries j >= floor((position+1)/ratio) and, with a pool, entries outside its blocks are -inf. The ratio is the
    cache's. N, the second dim, is any number that covers every visible entry.

    C1: q is [T,H,D] f4E2M1FN 1x32 f8E8M0FNU; weights bf16 [T,H]; the cache's row has D columns of the same format.
    C2: the result is bf16 [T, ?]. C3: pool and block_size are given together; block_size >= 1.
  }];
  let arguments = (ins Ced_Scaled:$q, Ced_BF16Tensor:$weights, Ced_Paged:$keys, Ced_RowsI32:$positions, Ced_RowsI32:$slots,
                       Ced_PageTable:$pages, Optional<Ced_IndexSet>:$pool, OptionalAttr<I64Attr>:$block_size);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = [{
    $q `,` $weights `,` $keys `at` $positions `,` $slots `,` $pages (`pool` $pool^ `of` $block_size)? attr-dict
    `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ced_BlockMaxOp : Ced_Op<"block_max", [Pure]> {
  let summary = "the best score of every block of consecutive entries";
  let description = [{
    Visible entries: v = floor((position+1)/ratio). A block's score is the maximum of its visible entries' scores, -inf without
    any; the block of entry v-1 gets +inf: it always ranks first.

    C1: block_size >= 1, ratio >= 1. C2: scores is bf16 [T, N], the result bf16 [T, M], M = ceil(N / block_size) where N is known.
  }];
  let arguments = (ins Ced_BF16Tensor:$scores, Ced_RowsI32:$positions, I64Attr:$block_size, I64Attr:$ratio);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$scores `at` $positions `block` $block_size `ratio` $ratio attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_CandidateBlocksOp : Ced_Op<"candidate_blocks", [Pure]> {
  let summary = "the best k blocks of consecutive entries";
  let description = [{
    Among the blocks that hold the visible entries v = floor((position+1)/ratio), by the score of ced.block_max, equal scores to the
    lower block. Blocks of score -inf are never kept.

    C1: block_size >= 1, ratio >= 1. C2: maxima is bf16 [T, ?].
  }];
  let arguments = (ins Ced_BF16Tensor:$maxima, Ced_RowsI32:$positions, I64Attr:$block_size, I64Attr:$ratio);
  let results = (outs Ced_IndexSet:$result);
  let assemblyFormat = "$maxima `at` $positions `block` $block_size `ratio` $ratio attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_TopkOp : Ced_Op<"topk", [Pure]> {
  let summary = "the best min(k, visible) entries, ascending";
  let description = [{
    Among the visible entries j < v = floor((position+1)/ratio), by score, equal scores (also -inf) to the lower position:
    when a pool leaves fewer than k reachable entries the row is filled with visible ones outside it, lowest first.

    C1: ratio >= 1. C2: scores is bf16 [T, ?].
  }];
  let arguments = (ins Ced_BF16Tensor:$scores, Ced_RowsI32:$positions, I64Attr:$ratio);
  let results = (outs Ced_IndexSet:$result);
  let assemblyFormat = "$scores `at` $positions `ratio` $ratio attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

#endif
