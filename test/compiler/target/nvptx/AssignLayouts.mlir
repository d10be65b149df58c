// RUN: ced-opt %s --ced-nvptx-assign-layouts | FileCheck %s
// RUN: ced-opt %s --ced-nvptx-assign-layouts=chip=sm_80 | FileCheck --check-prefix=SM80 %s

// Two warps share the sum over k: each has a part, and the parts are added once, behind the loop. On a chip that
// converts E4M3 codes go into the product as f16, 8 neighbouring k per lane; elsewhere they are decoded to bf16, 16 per lane.
// CHECK-LABEL: tile.kernel @linear
// CHECK: tile.splat {{.*}} {tile.layouts = [#tile.layout<mma_part, split = [1, 1, 2], vec = 2>]}
// CHECK: %[[ACC:.*]] = scf.for
// CHECK-DAG: tile.load {{.*}} {tile.layouts = [#tile.layout<mma_a, split = [1, 1, 2], vec = 8>]} {{.*}} -> <32x256xi8>
// CHECK-DAG: tile.load {{.*}} {tile.layouts = [#tile.layout<memory, split = [1, 1, 1], vec = 1>]} {{.*}} -> <1x8xi8>
// CHECK-DAG: tile.load {{.*}} {tile.layouts = [#tile.layout<mma_b, split = [1, 1, 2], vec = 8>]} {{.*}} -> <8x256xi8>
// CHECK: tile.decode {{.*}} {tile.layouts = [#tile.layout<mma_a, split = [1, 1, 2], vec = 8>]}
// CHECK: tile.decode {{.*}} {tile.layouts = [#tile.layout<mma_b, split = [1, 1, 2], vec = 8>]}
// CHECK: tile.mma {{.*}} {tile.instruction = "f16", tile.layouts = [#tile.layout<mma_part, split = [1, 1, 2], vec = 2>]}
// CHECK: } {tile.layouts = [#tile.layout<mma_part, split = [1, 1, 2], vec = 2>]}
// CHECK: %[[SUM:.*]] = tile.relayout %[[ACC]] {tile.layouts = [#tile.layout<mma_acc, split = [1, 1, 2], vec = 2>]}
// CHECK-NOT: tile.relayout
// CHECK: tile.map ins(%[[SUM]] : {{.*}}) {tile.layouts = [#tile.layout<mma_acc, split = [1, 1, 2], vec = 2>]}
// SM80-LABEL: tile.kernel @linear
// SM80: tile.decode {{.*}} {tile.layouts = [#tile.layout<mma_a, split = [1, 1, 2], vec = 16>]}
// SM80: tile.mma {{.*}} {tile.instruction = "bf16"
tile.kernel @linear grid [#tile.grid<value = 2, rows_per = 0>, #tile.grid<value = 1, rows_per = 8>] config {warps = 2 : i64, stages = 3 : i64} class "batch" {
^bb0(%x: memref<?x512xi8>, %xs: memref<?x16xi8>, %w: memref<64x512xi8>, %ws: memref<2x16xi8>, %y: memref<?x64xbf16>, %rows: index, %bn: index, %bm: index):
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %n0 = arith.muli %bn, %c32 : index
  %m0 = arith.muli %bm, %c8 : index
  %left = arith.subi %rows, %m0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<32x8xf32>
  %acc = scf.for %k = %c0 to %c512 step %c256 iter_args(%a = %init) -> (!tile.tile<32x8xf32>) {
    %ks = arith.divui %k, %c32 : index
    %wc = tile.load %w[%n0, %k] : memref<64x512xi8> -> !tile.tile<32x256xi8>
    %wsc = tile.load %ws[%bn, %ks] : memref<2x16xi8> -> !tile.tile<1x8xi8>
    %xc = tile.load %x[%m0, %k] rows %left : memref<?x512xi8> -> !tile.tile<8x256xi8>
    %xsc = tile.load %xs[%m0, %ks] rows %left : memref<?x16xi8> -> !tile.tile<8x8xi8>
    %wv = tile.decode %wc, %wsc element f8E4M3FN scale f8E8M0FNU block 32 x 32 : !tile.tile<32x256xi8>, !tile.tile<1x8xi8> -> !tile.tile<32x256xbf16>
    %xv = tile.decode %xc, %xsc element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<8x256xi8>, !tile.tile<8x8xi8> -> !tile.tile<8x256xbf16>
    %r = tile.mma %wv, %xv, %a : !tile.tile<32x256xbf16>, !tile.tile<8x256xbf16>, !tile.tile<32x8xf32>
    scf.yield %r : !tile.tile<32x8xf32>
  }
  %out = tile.map ins(%acc : !tile.tile<32x8xf32>) -> !tile.tile<32x8xbf16> {
  ^bb0(%v: f32):
    %b = arith.truncf %v : f32 to bf16
    tile.yield %b : bf16
  }
  tile.store %out, %y[%m0, %n0] dims [1, 0] cols %left : !tile.tile<32x8xbf16>, memref<?x64xbf16>
  tile.return
}

// Without a product tiles are dealt out flat: 16 bytes per thread, a warp along a row of 256 f32. The column that a
// reduction leaves keeps the layout of its tile, whose rows it belongs to.
// CHECK-LABEL: tile.kernel @norm
// CHECK: tile.load {{.*}} {tile.layouts = [#tile.layout<flat, split = [4, 32, 1], vec = 4>]}
// CHECK: tile.reduce {{.*}} {tile.layouts = [#tile.layout<flat, split = [4, 32, 1], vec = 4>]} {{.*}} -> <4x1xf32>
// CHECK: tile.map {{.*}} {tile.layouts = [#tile.layout<flat, split = [4, 32, 1], vec = 4>]}
// CHECK-NOT: tile.relayout
tile.kernel @norm grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x256xf32>, %y: memref<?x256xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<?x256xf32> -> !tile.tile<4x256xf32>
  %m = tile.reduce add %t dim 1 : !tile.tile<4x256xf32> -> !tile.tile<4x1xf32>
  %z = tile.map ins(%t, %m : !tile.tile<4x256xf32>, !tile.tile<4x1xf32>) -> !tile.tile<4x256xf32> {
  ^bb0(%a: f32, %c: f32):
    %q = arith.subf %a, %c : f32
    tile.yield %q : f32
  }
  tile.store %z, %y[%c0, %c0] : !tile.tile<4x256xf32>, memref<?x256xf32>
  tile.return
}

// The config may ask for another sharing.
// CHECK-LABEL: tile.kernel @asked
// CHECK: tile.mma {{.*}} {tile.instruction = "bf16", tile.layouts = [#tile.layout<mma_acc, split = [1, 2, 1], vec = 2>]}
tile.kernel @asked grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 2 : i64, warps_n = 2 : i64} class "phase" {
^bb0(%x: memref<16x64xbf16>, %w: memref<16x64xbf16>, %y: memref<16x16xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<16x16xf32>
  %wt = tile.load %w[%c0, %c0] : memref<16x64xbf16> -> !tile.tile<16x64xbf16>
  %xt = tile.load %x[%c0, %c0] : memref<16x64xbf16> -> !tile.tile<16x64xbf16>
  %r = tile.mma %wt, %xt, %init : !tile.tile<16x64xbf16>, !tile.tile<16x64xbf16>, !tile.tile<16x16xf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}
