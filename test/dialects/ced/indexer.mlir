// RUN: ced-opt %s | ced-opt | FileCheck %s

!q = !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x32, f8E8M0FNU, row>>

// CHECK-LABEL: func @select
func.func @select(%q: !q, %w: tensor<?x8xbf16>, %keys: !keys, %positions: tensor<?xi32>, %slots: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // CHECK: %[[S:.*]] = ced.index_scores %{{.*}}, %{{.*}}, %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}} : !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x8xbf16>, !ced.paged<{{.*}}>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  %s = ced.index_scores %q, %w, %keys at %positions, %slots, %pages
    : !q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  // CHECK: %[[M:.*]] = ced.block_max %[[S]] at %{{.*}} block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> tensor<?x?xbf16>
  %m = ced.block_max %s at %positions block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> tensor<?x?xbf16>
  // CHECK: %[[P:.*]] = ced.candidate_blocks %[[M]] at %{{.*}} block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> <4>
  %pool = ced.candidate_blocks %m at %positions block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<4>
  // CHECK: ced.index_scores %{{.*}}, %{{.*}}, %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}} pool %[[P]] of 8 : {{.*}}, !ced.index_set<4> -> tensor<?x?xbf16>
  %s2 = ced.index_scores %q, %w, %keys at %positions, %slots, %pages pool %pool of 8
    : !q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<4> -> tensor<?x?xbf16>
  // CHECK: ced.topk %{{.*}} at %{{.*}} ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> <16>
  %i = ced.topk %s2 at %positions ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<16>
  return
}
