// RUN: ced-opt %s -sched-plan-limits | FileCheck %s

// CHECK-LABEL: func.func @scores
// CHECK-SAME: tensor<2x4xi32>
// CHECK: ced.index_scores {{.*}} -> tensor<?x128xbf16>
// The group's own types follow.
// CHECK: ced.group "select"{{.*}} : (tensor<?x128xbf16>, tensor<?xi32>) -> !ced.index_set<8>
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<?x128xbf16>
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 256 : i64, page = 64 : i64}} {
  func.func @scores(%q: !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x4xbf16>,
                    %keys: !ced.paged<ratio 2, page 64, !ced.scaled<64, f4E2M1FN, 1x32, f8E8M0FNU, row>>,
                    %positions: tensor<?xi32>, %slots: tensor<?xi32>, %pages: tensor<?x?xi32>) -> !ced.index_set<8> {
    %s = ced.index_scores %q, %w, %keys at %positions, %slots, %pages : !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x4xbf16>, !ced.paged<ratio 2, page 64, !ced.scaled<64, f4E2M1FN, 1x32, f8E8M0FNU, row>>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
    %i = ced.group "select" (%s, %positions) : (tensor<?x?xbf16>, tensor<?xi32>) -> !ced.index_set<8> {
    ^bb0(%a: tensor<?x?xbf16>, %b: tensor<?xi32>):
      %t = ced.topk %a at %b ratio 2 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<8>
      ced.yield %t : !ced.index_set<8>
    }
    return %i : !ced.index_set<8>
  }
}
