// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// Two histograms in shared memory, counts per warp, and an ordered walk that needs no barrier.
// CHECK-LABEL: llvm.func @topk
// CHECK-SAME: tile.shared_bytes = 4128 : i64
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.atomicrmw add {{.*}} monotonic : !llvm.ptr<3>, i32
// CHECK: nvvm.barrier
// CHECK: nvvm.shfl.sync  up
// CHECK: llvm.atomicrmw add {{.*}} monotonic : !llvm.ptr<3>, i32
// CHECK: nvvm.shfl.sync  bfly
// CHECK: nvvm.barrier
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.shfl.sync  idx
// CHECK: llvm.return
tile.kernel @topk grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x4096xbf16>, %y: memref<?x64xi32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  tile.select_topk 64 of %x[%b, %c0] count %rows into %y[%b, %c0] : memref<?x4096xbf16>, memref<?x64xi32>
  tile.return
}
