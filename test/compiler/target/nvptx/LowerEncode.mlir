// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// Four columns per lane, eight lanes to a group of 32: they find the largest magnitude together, and the first one writes the scale.
// CHECK-LABEL: llvm.func @q8
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: scf.if
// CHECK: llvm.store {{.*}} : i8, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
tile.kernel @q8 grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 1 : i64} class "phase" {
^bb0(%x: memref<?x128xf32>, %c: memref<?x128xi8>, %s: memref<?x4xi8>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%b, %c0] : memref<?x128xf32> -> !tile.tile<1x128xf32>
  %q, %e = tile.encode %t element f8E4M3FN scale f8E8M0FNU group 32 : !tile.tile<1x128xf32> -> !tile.tile<1x128xi8>, !tile.tile<1x4xi8>
  tile.store %q, %c[%b, %c0] : !tile.tile<1x128xi8>, memref<?x128xi8>
  tile.store %e, %s[%b, %c0] : !tile.tile<1x4xi8>, memref<?x4xi8>
  tile.return
}
