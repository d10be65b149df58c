// RUN: ced-opt %s -sched-select-configs -tile-build-kernels | FileCheck %s

// The family's tile.kernel takes the place of the sched.kernel: same name, the chosen config, memory arguments in the
// order of the signature (codes and scales of x, of w, then the result).
// CHECK-LABEL: tile.kernel @linear_0
// CHECK-SAME: config {block_k = 96 : i64
// CHECK-SAME: class "batch"
// CHECK-NEXT: ^bb0(%{{.*}}: memref<?x96xi8>, %{{.*}}: memref<?x3xi8>, %{{.*}}: memref<33x96xi8>, %{{.*}}: memref<2x3xi8>, %{{.*}}: memref<?x33xbf16>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index):
// CHECK: scf.for
// CHECK: tile.decode {{.*}} block 32 x 32
// CHECK: tile.decode {{.*}} block 1 x 32
// CHECK: tile.mma
// CHECK: tile.store {{.*}} dims [1, 0]
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.kernel @linear_0 family "linear" config {} {
  ^bb0(%x: !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<33x96, f8E4M3FN, 32x32, f8E8M0FNU>):
    %y = ced.linear %x, %w : !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<33x96, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x33xbf16>
    sched.result %y : tensor<?x33xbf16>
  }
}
