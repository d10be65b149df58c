// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// A negative index is a row of zeros; rows are counted in 64 bits (cases 22, 93). The index is made where it is needed.
// CHECK-LABEL: llvm.func @gather
// CHECK: %[[NAMED:.*]] = arith.cmpi sge, %[[ROW:.*]], %{{.*}} : i64
// CHECK: scf.if %[[NAMED]]
// CHECK: arith.muli %[[ROW]], %{{.*}} : i64
// CHECK: llvm.load {{.*}} !llvm.ptr<1>
// CHECK-NOT: nvvm.barrier
tile.kernel @gather grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 1 : i64} class "phase" {
^bb0(%x: memref<?x64xf32>, %i: memref<16x1xi32>, %y: memref<16x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %index = tile.load %i[%c0, %c0] : memref<16x1xi32> -> !tile.tile<16x1xi32>
  %t = tile.gather %x[%c0, %c0] at %index : memref<?x64xf32>, !tile.tile<16x1xi32> -> !tile.tile<16x64xf32>
  tile.store %t, %y[%c0, %c0] : !tile.tile<16x64xf32>, memref<16x64xf32>
  tile.return
}

// Nothing is stored with a negative index, and copies are stored once.
// CHECK-LABEL: llvm.func @scatter
// CHECK: scf.if
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: llvm.store {{.*}} : bf16, !llvm.ptr<1>
tile.kernel @scatter grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<16x1xbf16>, %i: memref<16x1xi64>, %y: memref<?x1xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %index = tile.load %i[%c0, %c0] : memref<16x1xi64> -> !tile.tile<16x1xi64>
  %t = tile.load %x[%c0, %c0] : memref<16x1xbf16> -> !tile.tile<16x1xbf16>
  tile.scatter %t, %y[%c0, %c0] at %index : !tile.tile<16x1xbf16>, memref<?x1xbf16>, !tile.tile<16x1xi64>
  tile.return
}
