// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// What one op of a kernel stores and another one reads, other threads may have stored.
// CHECK-LABEL: llvm.func @store_then_load
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<1>
tile.kernel @store_then_load grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<64x1xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x1xf32> -> !tile.tile<64x1xf32>
  tile.store %t, %y[%c0, %c0] : !tile.tile<64x1xf32>, memref<64x64xf32>
  %u = tile.load %y[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  tile.store %u, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// Columns that are certainly others need no barrier.
// CHECK-LABEL: llvm.func @apart
// CHECK-NOT: nvvm.barrier
tile.kernel @apart grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 2 : i64} class "phase" {
^bb0(%y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %y[%b, %c0] : memref<?x64xf32> -> !tile.tile<16x1xf32>
  tile.store %t, %y[%b, %c1] : !tile.tile<16x1xf32>, memref<?x64xf32>
  tile.return
}

// A loop whose stores move on does not wait; one that writes the same place again does, in every iteration.
// CHECK-LABEL: llvm.func @moves_on
// CHECK-NOT: nvvm.barrier
// CHECK-LABEL: llvm.func @stays
// CHECK: scf.for
// CHECK: nvvm.barrier
tile.kernel @moves_on grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 2 : i64} class "phase" {
^bb0(%y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %t = tile.splat %zero : f32 -> !tile.tile<16x64xf32>
  scf.for %i = %c0 to %rows step %c16 {
    tile.store %t, %y[%i, %c0] : !tile.tile<16x64xf32>, memref<?x64xf32>
  }
  tile.return
}
tile.kernel @stays grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 2 : i64} class "phase" {
^bb0(%y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %t = tile.splat %zero : f32 -> !tile.tile<16x64xf32>
  scf.for %i = %c0 to %rows step %c16 {
    tile.store %t, %y[%b, %c0] : !tile.tile<16x64xf32>, memref<?x64xf32>
  }
  tile.return
}

// The scratch of an exchange in a loop may still be read when the next iteration writes it.
// CHECK-LABEL: llvm.func @exchange_in_loop
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
tile.kernel @exchange_in_loop grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x64xf32>, %y: memref<?xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %t = tile.load %x[%i, %c0] : memref<?x64xf32> -> !tile.tile<1x64xf32>
    %e = tile.extract %t[%c0, %b] : !tile.tile<1x64xf32> -> f32
    %s = tile.splat %e : f32 -> !tile.tile<1x1xf32>
    tile.store %s, %y[%i] : !tile.tile<1x1xf32>, memref<?xf32>
  }
  tile.return
}
