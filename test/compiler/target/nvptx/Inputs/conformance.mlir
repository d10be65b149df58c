// Small kernels that are run on the GPU beside their x86 twins (ced-bench --verify). Rows are those of the step.

// All codes and scales, nothing but decoding.
tile.kernel @decode_e4m3 grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 4 : i64} class "phase" {
^bb0(%codes: memref<?x256xi8>, %scales: memref<?x8xi8>, %y: memref<?x256xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %r0 = arith.muli %b, %c16 : index
  %left = arith.subi %rows, %r0 : index
  %c = tile.load %codes[%r0, %c0] rows %left : memref<?x256xi8> -> !tile.tile<16x256xi8>
  %s = tile.load %scales[%r0, %c0] rows %left : memref<?x8xi8> -> !tile.tile<16x8xi8>
  %v = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<16x256xi8>, !tile.tile<16x8xi8> -> !tile.tile<16x256xbf16>
  tile.store %v, %y[%r0, %c0] rows %left : !tile.tile<16x256xbf16>, memref<?x256xbf16>
  tile.return
}

tile.kernel @decode_e2m1 grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 4 : i64} class "phase" {
^bb0(%codes: memref<?x128xi8>, %scales: memref<?x8xi8>, %y: memref<?x256xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %r0 = arith.muli %b, %c16 : index
  %left = arith.subi %rows, %r0 : index
  %c = tile.load %codes[%r0, %c0] rows %left : memref<?x128xi8> -> !tile.tile<16x128xi8>
  %s = tile.load %scales[%r0, %c0] rows %left : memref<?x8xi8> -> !tile.tile<16x8xi8>
  %v = tile.decode %c, %s element f4E2M1FN scale f8E8M0FNU block 1 x 32 : !tile.tile<16x128xi8>, !tile.tile<16x8xi8> -> !tile.tile<16x256xbf16>
  tile.store %v, %y[%r0, %c0] rows %left : !tile.tile<16x256xbf16>, memref<?x256xbf16>
  tile.return
}

// The main cache's format: groups of 16 with an E4M3 scale.
tile.kernel @decode_e2m1_e4m3 grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 2 : i64} class "phase" {
^bb0(%codes: memref<?x128xi8>, %scales: memref<?x16xi8>, %y: memref<?x256xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %r0 = arith.muli %b, %c16 : index
  %left = arith.subi %rows, %r0 : index
  %c = tile.load %codes[%r0, %c0] rows %left : memref<?x128xi8> -> !tile.tile<16x128xi8>
  %s = tile.load %scales[%r0, %c0] rows %left : memref<?x16xi8> -> !tile.tile<16x16xi8>
  %v = tile.decode %c, %s element f4E2M1FN scale f8E4M3FN block 1 x 16 : !tile.tile<16x128xi8>, !tile.tile<16x16xi8> -> !tile.tile<16x256xbf16>
  tile.store %v, %y[%r0, %c0] rows %left : !tile.tile<16x256xbf16>, memref<?x256xbf16>
  tile.return
}

tile.kernel @decode_e4m3_f32 grid [#tile.grid<value = 1, rows_per = 8>] config {warps = 4 : i64} class "phase" {
^bb0(%codes: memref<?x128xi8>, %scales: memref<?x4xi8>, %y: memref<?x128xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %r0 = arith.muli %b, %c8 : index
  %left = arith.subi %rows, %r0 : index
  %c = tile.load %codes[%r0, %c0] rows %left : memref<?x128xi8> -> !tile.tile<8x128xi8>
  %s = tile.load %scales[%r0, %c0] rows %left : memref<?x4xi8> -> !tile.tile<8x4xi8>
  %v = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<8x128xi8>, !tile.tile<8x4xi8> -> !tile.tile<8x128xf32>
  tile.store %v, %y[%r0, %c0] rows %left : !tile.tile<8x128xf32>, memref<?x128xf32>
  tile.return
}

// Rows and columns that do not exist, broadcasts, coordinates; a row of 100 columns is not aligned for wide accesses.
tile.kernel @map_counts grid [#tile.grid<value = 1, rows_per = 8>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x100xf32>, %bias: memref<1x100xf32>, %y: memref<?x100xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  %r0 = arith.muli %b, %c8 : index
  %left = arith.subi %rows, %r0 : index
  %t = tile.load %x[%r0, %c0] rows %left cols %c100 : memref<?x100xf32> -> !tile.tile<8x128xf32>
  %v = tile.load %bias[%c0, %c0] cols %c100 : memref<1x100xf32> -> !tile.tile<1x128xf32>
  %z = tile.map ins(%t, %v : !tile.tile<8x128xf32>, !tile.tile<1x128xf32>) -> !tile.tile<8x128xf32> {
  ^bb0(%a: f32, %c: f32):
    %row = tile.coord 0
    %col = tile.coord 1
    %sum = arith.addi %row, %col : i32
    %f = arith.sitofp %sum : i32 to f32
    %p = arith.mulf %a, %f : f32
    %q = arith.addf %p, %c : f32
    tile.yield %q : f32
  }
  tile.store %z, %y[%r0, %c0] rows %left cols %c100 : !tile.tile<8x128xf32>, memref<?x100xf32>
  tile.return
}

// A row's mean square; the column that results is broadcast again.
tile.kernel @reduce_rows grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x256xf32>, %y: memref<?x256xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r0 = arith.muli %b, %c4 : index
  %left = arith.subi %rows, %r0 : index
  %t = tile.load %x[%r0, %c0] rows %left : memref<?x256xf32> -> !tile.tile<4x256xf32>
  %m = tile.reduce max %t dim 1 : !tile.tile<4x256xf32> -> !tile.tile<4x1xf32>
  %z = tile.map ins(%t, %m : !tile.tile<4x256xf32>, !tile.tile<4x1xf32>) -> !tile.tile<4x256xf32> {
  ^bb0(%a: f32, %c: f32):
    %q = arith.subf %a, %c : f32
    tile.yield %q : f32
  }
  tile.store %z, %y[%r0, %c0] rows %left : !tile.tile<4x256xf32>, memref<?x256xf32>
  tile.return
}

// A product of bf16 that is read directly, its sum shared by k-warps and normalised by row: exchanges of layout.
tile.kernel @mma_bf16 grid [#tile.grid<value = 1, rows_per = 8>] config {warps = 4 : i64, stages = 2 : i64} class "phase" {
^bb0(%x: memref<?x256xbf16>, %w: memref<32x256xbf16>, %y: memref<?x32xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %r0 = arith.muli %b, %c8 : index
  %left = arith.subi %rows, %r0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<32x8xf32>
  %acc = scf.for %k = %c0 to %c256 step %c64 iter_args(%a = %init) -> (!tile.tile<32x8xf32>) {
    %wt = tile.load %w[%c0, %k] : memref<32x256xbf16> -> !tile.tile<32x64xbf16>
    %xt = tile.load %x[%r0, %k] rows %left : memref<?x256xbf16> -> !tile.tile<8x64xbf16>
    %r = tile.mma %wt, %xt, %a : !tile.tile<32x64xbf16>, !tile.tile<8x64xbf16>, !tile.tile<32x8xf32>
    scf.yield %r : !tile.tile<32x8xf32>
  }
  tile.store %acc, %y[%r0, %c0] dims [1, 0] cols %left : !tile.tile<32x8xf32>, memref<?x32xf32>
  tile.return
}
