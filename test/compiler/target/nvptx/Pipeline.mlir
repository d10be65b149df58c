// RUN: ced-opt %s --ced-target-nvptx | FileCheck %s
// RUN: ced-opt %s --ced-target-nvptx=chip=sm_80 | FileCheck --check-prefixes=CHECK,SM80 %s

// Nothing is left but the LLVM and NVVM dialects; they have no FP8 and no FP4 (case 68).
// CHECK: gpu.module @kernels
// CHECK: llvm.func @linear{{.*$}}
// CHECK-NOT: {{(tile|scf|arith|math|vector|cf|builtin\.unrealized)[._]}}
// CHECK: nvvm.mma.sync
// SM80-SAME: (i32, i32, f32)
// CHECK-NOT: {{(tile|scf|arith|math|vector|cf|builtin\.unrealized)[._]}}
// CHECK: llvm.return
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
