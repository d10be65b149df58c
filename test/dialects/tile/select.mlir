// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @select
func.func @select(%scores: memref<?x4096xbf16>, %out: memref<?x512xi32>, %t: index, %c0: index, %n: index) {
  // CHECK: tile.select_topk 512 of %{{.*}}[%{{.*}}, %{{.*}}] count %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x4096xbf16>, memref<?x512xi32>
  tile.select_topk 512 of %scores[%t, %c0] count %n into %out[%t, %c0] : memref<?x4096xbf16>, memref<?x512xi32>
  // CHECK: tile.select_topk 8 of {{.*}} drop_lowest :
  tile.select_topk 8 of %scores[%t, %c0] count %n into %out[%t, %c0] drop_lowest : memref<?x4096xbf16>, memref<?x512xi32>
  return
}
