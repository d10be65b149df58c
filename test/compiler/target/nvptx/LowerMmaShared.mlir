// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s
// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared | FileCheck --check-prefix=PLACE %s

// One warp owns whole rows, so what its sums became is the second product's operand as it is. `%w` lies in shared memory once
// and is read twice, the second time turned.
// CHECK-LABEL: llvm.func @two_products
// CHECK: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK: nvvm.mma.sync {{.*}} {{.*}}bf16
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK: nvvm.mma.sync
// PLACE-LABEL: tile.kernel @two_products
// PLACE: tile.relayout {{.*}}memory{{.*}}tile.scratch = 0 : i64
// PLACE: tile.relayout {{.*}}memory{{.*}}tile.scratch = 17408 : i64
// PLACE-NOT: tile.relayout
// PLACE: tile.mma {{.*}} kn
tile.kernel @two_products grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 1 : i64} class "phase" {
^bb0(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x128xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %kv = tile.load %w[%c0, %c0] : memref<64x128xbf16> -> !tile.tile<64x128xbf16>
  %a = tile.load %x[%c0, %c0] : memref<?x128xbf16> -> !tile.tile<16x128xbf16>
  %init = tile.splat %zero : f32 -> !tile.tile<16x64xf32>
  %s = tile.mma %a, %kv, %init : !tile.tile<16x128xbf16>, !tile.tile<64x128xbf16>, !tile.tile<16x64xf32>
  %p = tile.map ins(%s : !tile.tile<16x64xf32>) -> !tile.tile<16x64xbf16> {
  ^bb0(%v: f32):
    %r = arith.truncf %v : f32 to bf16
    tile.yield %r : bf16
  }
  %init2 = tile.splat %zero : f32 -> !tile.tile<16x128xf32>
  %o = tile.mma %p, %kv, %init2 kn : !tile.tile<16x64xbf16>, !tile.tile<64x128xbf16>, !tile.tile<16x128xf32>
  tile.store %o, %y[%c0, %c0] : !tile.tile<16x128xf32>, memref<?x128xf32>
  tile.return
}
