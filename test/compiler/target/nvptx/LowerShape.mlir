// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// Neighbours lie in one thread, so even and odd columns part and meet in registers. A table lies in global memory.
// CHECK: llvm.mlir.global internal constant @turn_table0(dense<{{.*}}> : tensor<32xf32>) {addr_space = 1 : i32
// CHECK-LABEL: llvm.func @turn
// CHECK: llvm.mlir.addressof @turn_table0
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
tile.kernel @turn grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 1 : i64} class "phase" {
^bb0(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%b, %c0] : memref<?x64xf32> -> !tile.tile<1x64xf32>
  %even, %odd = tile.deinterleave %t : !tile.tile<1x64xf32> -> !tile.tile<1x32xf32>
  %f = tile.constant dense<[[0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15., 0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.]]> : tensor<1x32xf32> -> !tile.tile<1x32xf32>
  %m = tile.map ins(%even, %f : !tile.tile<1x32xf32>, !tile.tile<1x32xf32>) -> !tile.tile<1x32xf32> {
  ^bb0(%a: f32, %c: f32):
    %p = arith.mulf %a, %c : f32
    tile.yield %p : f32
  }
  %z = tile.interleave %odd, %m : !tile.tile<1x32xf32> -> !tile.tile<1x64xf32>
  tile.store %z, %y[%b, %c0] : !tile.tile<1x64xf32>, memref<?x64xf32>
  tile.return
}

// The one element of a tile is in every thread.
// CHECK-LABEL: llvm.func @only
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
tile.kernel @only grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?xi32>, %y: memref<?x64xf32>, %z: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%b] : memref<?xi32> -> !tile.tile<1x1xi32>
  %e = tile.extract %t[%c0, %c0] : !tile.tile<1x1xi32> -> i32
  %row = arith.index_cast %e : i32 to index
  %u = tile.load %y[%row, %c0] : memref<?x64xf32> -> !tile.tile<1x64xf32>
  tile.store %u, %z[%b, %c0] : !tile.tile<1x64xf32>, memref<?x64xf32>
  tile.return
}
