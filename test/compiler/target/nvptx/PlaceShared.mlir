// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared | FileCheck %s

// Two warps share nothing but k, so every ring has a part for each. Rows of 128 bytes are displaced by 32 bytes, four in
// turn: four lanes read 8 bytes of a row each, so four rows are read at once. Scales are copied 4 bytes at a time. The
// exchange behind the loop uses the rings' bytes again.
// CHECK: tile.kernel @linear {{.*}} attributes {tile.shared_bytes = 31104 : i64}
// CHECK: tile.load {{.*}}tile.staging = #tile.staging<offset = 0, pitch = 128, div = 1, mask = 3, shift = 1, width = 16, stages = 3, parts = 2>} {{.*}} -> <32x256xi8>
// CHECK: tile.load {{.*}}tile.staging = #tile.staging<offset = 24576, pitch = 4, div = 1, mask = 0, shift = 0, width = 4, stages = 3, parts = 2>} {{.*}} -> <1x8xi8>
// CHECK: tile.load {{.*}}tile.staging = #tile.staging<offset = 24704, pitch = 128, div = 1, mask = 3, shift = 1, width = 16, stages = 3, parts = 2>} {{.*}} -> <8x256xi8>
// CHECK: tile.load {{.*}}tile.staging = #tile.staging<offset = 30848, pitch = 4, div = 1, mask = 0, shift = 0, width = 4, stages = 3, parts = 2>} {{.*}} -> <8x8xi8>
// CHECK: tile.relayout {{.*}}tile.scratch = 0 : i64}
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

// A column offset that nothing is known of cannot be copied asynchronously; the load stays direct. A whole block of 128
// bytes per row and one warp need no parts.
// CHECK-LABEL: tile.kernel @unaligned
// CHECK: tile.load %arg0{{.*}}{tile.layouts = [#tile.layout<mma_b, split = [1, 1, 1], vec = 8>]}
// CHECK: tile.load %arg1{{.*}}tile.staging = #tile.staging<offset = 0, pitch = 128, div = 1, mask = 1, shift = 2, width = 16, stages = 2, parts = 1>
tile.kernel @unaligned grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 1 : i64, stages = 2 : i64} class "phase" {
^bb0(%x: memref<8x256xbf16>, %w: memref<16x256xbf16>, %y: memref<16x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<16x8xf32>
  %acc = scf.for %k = %c0 to %c128 step %c64 iter_args(%a = %init) -> (!tile.tile<16x8xf32>) {
    %kx = arith.addi %k, %b : index
    %xt = tile.load %x[%c0, %kx] : memref<8x256xbf16> -> !tile.tile<8x64xbf16>
    %wt = tile.load %w[%c0, %k] : memref<16x256xbf16> -> !tile.tile<16x64xbf16>
    %r = tile.mma %wt, %xt, %a : !tile.tile<16x64xbf16>, !tile.tile<8x64xbf16>, !tile.tile<16x8xf32>
    scf.yield %r : !tile.tile<16x8xf32>
  }
  tile.store %acc, %y[%c0, %c0] : !tile.tile<16x8xf32>, memref<16x8xf32>
  tile.return
}
