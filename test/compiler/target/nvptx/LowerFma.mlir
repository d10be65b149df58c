// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// f32 goes without a matrix unit: operands in shared memory, k after k, fused.
// CHECK-LABEL: llvm.func @f32
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: scf.for
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: math.fma
// CHECK-NOT: nvvm.mma
tile.kernel @f32 grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x64xf32>, %w: memref<8x64xf32>, %y: memref<?x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<4x8xf32>
  %a = tile.load %x[%c0, %c0] rows %rows : memref<?x64xf32> -> !tile.tile<4x64xf32>
  %c = tile.load %w[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %r = tile.mma %a, %c, %init : !tile.tile<4x64xf32>, !tile.tile<8x64xf32>, !tile.tile<4x8xf32>
  tile.store %r, %y[%c0, %c0] rows %rows : !tile.tile<4x8xf32>, memref<?x8xf32>
  tile.return
}

// So do shapes of bf16 that pieces of 16x8x16 do not divide.
// CHECK-LABEL: llvm.func @odd
// CHECK: math.fma
// CHECK-NOT: nvvm.mma
tile.kernel @odd grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 1 : i64} class "phase" {
^bb0(%x: memref<3x24xbf16>, %w: memref<24x5xbf16>, %y: memref<3x5xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<3x5xf32>
  %a = tile.load %x[%c0, %c0] : memref<3x24xbf16> -> !tile.tile<3x24xbf16>
  %c = tile.load %w[%c0, %c0] : memref<24x5xbf16> -> !tile.tile<24x5xbf16>
  %r = tile.mma %a, %c, %init kn : !tile.tile<3x24xbf16>, !tile.tile<24x5xbf16>, !tile.tile<3x5xf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<3x5xf32>, memref<3x5xf32>
  tile.return
}
