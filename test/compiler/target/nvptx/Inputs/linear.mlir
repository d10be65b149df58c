// The block-scaled linear body both targets must carry (K=256, N=64, BN=32 weight rows, BM=8 token rows, BK=128):
// weights are mma's A (rows = output channels), activations B; the accumulator is [BN, BM] and is stored transposed (dims [1, 0]).
tile.kernel @linear_e4m3_n64_k256 grid [#tile.grid<value = 2, rows_per = 0>, #tile.grid<value = 1, rows_per = 8>]
    config {block_n = 32 : i64, block_m = 8 : i64, block_k = 128 : i64, warps = 2 : i64, stages = 3 : i64} class "batch" {
^bb0(%x: memref<?x256xi8>, %xs: memref<?x8xi8>, %w: memref<64x256xi8>, %ws: memref<2x8xi8>, %y: memref<?x64xbf16>,
     %rows: index, %bn: index, %bm: index):
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %n0 = arith.muli %bn, %c32 : index
  %m0 = arith.muli %bm, %c8 : index
  %left = arith.subi %rows, %m0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<32x8xf32>
  %acc = scf.for %k = %c0 to %c256 step %c128 iter_args(%a = %init) -> (!tile.tile<32x8xf32>) {
    %ks = arith.divui %k, %c32 : index
    %wc = tile.load %w[%n0, %k] : memref<64x256xi8> -> !tile.tile<32x128xi8>
    %wsc = tile.load %ws[%bn, %ks] : memref<2x8xi8> -> !tile.tile<1x4xi8>
    %xc = tile.load %x[%m0, %k] rows %left : memref<?x256xi8> -> !tile.tile<8x128xi8>
    %xsc = tile.load %xs[%m0, %ks] rows %left : memref<?x8xi8> -> !tile.tile<8x4xi8>
    %wv = tile.decode %wc, %wsc element f8E4M3FN scale f8E8M0FNU block 32 x 32 : !tile.tile<32x128xi8>, !tile.tile<1x4xi8> -> !tile.tile<32x128xbf16>
    %xv = tile.decode %xc, %xsc element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<8x128xi8>, !tile.tile<8x4xi8> -> !tile.tile<8x128xbf16>
    %r = tile.mma %wv, %xv, %a : !tile.tile<32x128xbf16>, !tile.tile<8x128xbf16>, !tile.tile<32x8xf32>
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
