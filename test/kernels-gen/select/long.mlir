// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2 --seeds=1
// RUN: ced-conformance %s --target=nvptx --rows=1 --seeds=1
// The released model's longest context (case 13).
// RUN: sed 's/max_context = 100000/max_context = 1048576/' %s > %t.mlir
// RUN: ced-conformance %t.mlir --target=nvptx --rows=1 --seeds=1
// RUN: ced-compile %data/configs/DeepSeek-V4.1-Flash.json --target nvptx:sm_90a --max-context 1048576 --max-batch 1 --to=schedule -o - | FileCheck %s
// The work is cut into as many parts as at any other length.
// CHECK: sched.kernel @index_scores_0 {{.*}}splits = 64 : i64
// CHECK: sched.kernel @select_0 {{.*}}warps = 16 : i64

// A long context: the pool of the released model does not hold every block, and blocks of the grid take many
// stretches each.

!keys = !ced.paged<ratio 1, page 64, !ced.scaled<64, f4E2M1FN, 1x32, f8E8M0FNU, row>>

module attributes {sched.limits = {max_rows = 2, max_batch = 2, max_context = 100000, page = 64}} {

func.func @indexer(%q: !ced.scaled<?x2x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x2xbf16>, %keys: !keys,
                   %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (!ced.index_set<2048>, !ced.index_set<512>, !ced.index_set<512>) {
  %all = ced.index_scores %q, %w, %keys at %p, %s, %t
    : !ced.scaled<?x2x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x2xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  %m = ced.block_max %all at %p block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> tensor<?x?xbf16>
  %pool = ced.candidate_blocks %m at %p block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<2048>
  %first = ced.topk %all at %p ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<512>
  %some = ced.index_scores %q, %w, %keys at %p, %s, %t pool %pool of 8
    : !ced.scaled<?x2x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x2xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<2048> -> tensor<?x?xbf16>
  %second = ced.topk %some at %p ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<512>
  return %pool, %first, %second : !ced.index_set<2048>, !ced.index_set<512>, !ced.index_set<512>
}

}
