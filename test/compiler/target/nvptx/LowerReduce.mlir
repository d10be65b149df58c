// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// Lanes that share the dim are combined in pairs, nearest first; then the four warps' parts, written once and read in order.
// CHECK-LABEL: llvm.func @across_warps
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: nvvm.barrier
tile.kernel @across_warps grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x4096xf32>, %y: memref<?x1xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%b, %c0] : memref<?x4096xf32> -> !tile.tile<1x4096xf32>
  %s = tile.reduce add %t dim 1 : !tile.tile<1x4096xf32> -> !tile.tile<1x1xf32>
  tile.store %s, %y[%b, %c0] : !tile.tile<1x1xf32>, memref<?x1xf32>
  tile.return
}

// Few elements: every warp has all of them, and nobody waits.
// CHECK-LABEL: llvm.func @in_a_warp
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.barrier
tile.kernel @in_a_warp grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x256xi32>, %y: memref<?x1xi32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%b, %c0] : memref<?x256xi32> -> !tile.tile<1x256xi32>
  %s = tile.reduce min %t dim 1 : !tile.tile<1x256xi32> -> !tile.tile<1x1xi32>
  tile.store %s, %y[%b, %c0] : !tile.tile<1x1xi32>, memref<?x1xi32>
  tile.return
}
