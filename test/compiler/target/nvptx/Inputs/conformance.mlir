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

// Rows named by an index: some do not exist. What is gathered goes back in reverse order.
tile.kernel @gather_scatter grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x96xbf16>, %y: memref<?x96xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 16 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %c90 = arith.constant 90 : index
  %first = arith.index_cast %r0 : index to i32
  %n = arith.index_cast %rows : index to i32
  %exist = arith.index_cast %left : index to i32
  %i = tile.map ins() -> !tile.tile<16x1xi32> {
    %at = tile.coord 0
    %c7 = arith.constant 7 : i32
    %c5 = arith.constant 5 : i32
    %none = arith.constant -1 : i32
    %row = arith.addi %first, %at : i32
    %p = arith.muli %row, %c7 : i32
    %r = arith.remui %p, %n : i32
    %m = arith.remui %row, %c5 : i32
    %fifth = arith.constant 4 : i32
    %is = arith.cmpi eq, %m, %fifth : i32
    %v = arith.select %is, %none, %r : i32
    tile.yield %v : i32
  }
  %t = tile.gather %x[%c0, %c0] at %i cols %c90 : memref<?x96xbf16>, !tile.tile<16x1xi32> -> !tile.tile<16x96xbf16>
  %j = tile.map ins() -> !tile.tile<16x1xi64> {
    %at = tile.coord 0
    %one = arith.constant 1 : i32
    %sixteen = arith.constant 16 : i32
    %none = arith.constant -1 : i64
    %least = arith.minsi %exist, %sixteen : i32
    %last = arith.subi %least, %one : i32
    %back = arith.subi %last, %at : i32
    %row = arith.addi %first, %back : i32
    %wide = arith.extsi %row : i32 to i64
    %zero = arith.constant 0 : i32
    %there = arith.cmpi sge, %back, %zero : i32
    %v = arith.select %there, %wide, %none : i64
    tile.yield %v : i64
  }
  tile.scatter %t, %y[%c0, %c0] at %j : !tile.tile<16x96xbf16>, memref<?x96xbf16>, !tile.tile<16x1xi64>
  tile.return
}

// Single elements of a row of memory, as a column.
tile.kernel @gather_column grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 1 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %i = tile.map ins() -> !tile.tile<64x1xi32> {
    %at = tile.coord 0
    %c13 = arith.constant 13 : i32
    %c64 = arith.constant 64 : i32
    %p = arith.muli %at, %c13 : i32
    %r = arith.remui %p, %c64 : i32
    tile.yield %r : i32
  }
  %t = tile.gather %x[%r0, %c0] at %i dims [1, -1] : memref<?x64xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x1xf32>
  tile.store %t, %y[%r0, %c0] dims [1, -1] : !tile.tile<64x1xf32>, memref<?x64xf32>
  tile.return
}

// A long row is shared by all warps; both dims are combined.
tile.kernel @reduce_add_f32 grid [#tile.grid<value = 1, rows_per = 2>] config {warps = 8 : i64} class "phase" {
^bb0(%x: memref<?x2560xf32>, %y: memref<?x1xf32>, %z: memref<?x2560xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 2 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %w = tile.load %x[%r0, %c0] rows %left : memref<?x2560xf32> -> !tile.tile<2x2560xf32>
  %t = tile.map ins(%w : !tile.tile<2x2560xf32>) -> !tile.tile<2x2560xf32> {
  ^bb0(%a: f32):
    %n = arith.mulf %a, %a : f32
    tile.yield %n : f32
  }
  %s = tile.reduce add %t dim 1 : !tile.tile<2x2560xf32> -> !tile.tile<2x1xf32>
  tile.store %s, %y[%r0, %c0] dims [0, 1] rows %left : !tile.tile<2x1xf32>, memref<?x1xf32>
  %d = tile.reduce add %t dim 0 : !tile.tile<2x2560xf32> -> !tile.tile<1x2560xf32>
  %e = tile.map ins(%t, %d : !tile.tile<2x2560xf32>, !tile.tile<1x2560xf32>) -> !tile.tile<2x2560xf32> {
  ^bb0(%a: f32, %m: f32):
    %n = arith.subf %a, %m : f32
    tile.yield %n : f32
  }
  tile.store %e, %z[%r0, %c0] rows %left : !tile.tile<2x2560xf32>, memref<?x2560xf32>
  tile.return
}

// A long row is shared by all warps; both dims are combined.
tile.kernel @reduce_max_f32 grid [#tile.grid<value = 1, rows_per = 2>] config {warps = 8 : i64} class "phase" {
^bb0(%x: memref<?x2560xf32>, %y: memref<?x1xf32>, %z: memref<?x2560xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 2 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %w = tile.load %x[%r0, %c0] rows %left : memref<?x2560xf32> -> !tile.tile<2x2560xf32>
  %t = tile.map ins(%w : !tile.tile<2x2560xf32>) -> !tile.tile<2x2560xf32> {
  ^bb0(%a: f32):
    %n = arith.mulf %a, %a : f32
    tile.yield %n : f32
  }
  %s = tile.reduce max %t dim 1 : !tile.tile<2x2560xf32> -> !tile.tile<2x1xf32>
  tile.store %s, %y[%r0, %c0] dims [0, 1] rows %left : !tile.tile<2x1xf32>, memref<?x1xf32>
  %d = tile.reduce max %t dim 0 : !tile.tile<2x2560xf32> -> !tile.tile<1x2560xf32>
  %e = tile.map ins(%t, %d : !tile.tile<2x2560xf32>, !tile.tile<1x2560xf32>) -> !tile.tile<2x2560xf32> {
  ^bb0(%a: f32, %m: f32):
    %n = arith.subf %a, %m : f32
    tile.yield %n : f32
  }
  tile.store %e, %z[%r0, %c0] rows %left : !tile.tile<2x2560xf32>, memref<?x2560xf32>
  tile.return
}

// A long row is shared by all warps; both dims are combined.
tile.kernel @reduce_min_i32 grid [#tile.grid<value = 1, rows_per = 2>] config {warps = 8 : i64} class "phase" {
^bb0(%x: memref<?x2560xf32>, %y: memref<?x1xi32>, %z: memref<?x2560xi32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 2 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %w = tile.load %x[%r0, %c0] rows %left : memref<?x2560xf32> -> !tile.tile<2x2560xf32>
  %t = tile.map ins(%w : !tile.tile<2x2560xf32>) -> !tile.tile<2x2560xi32> {
  ^bb0(%a: f32):
    %k = arith.constant 1000.0 : f32
    %p = arith.mulf %a, %k : f32
    %n = arith.fptosi %p : f32 to i32
    tile.yield %n : i32
  }
  %s = tile.reduce min %t dim 1 : !tile.tile<2x2560xi32> -> !tile.tile<2x1xi32>
  tile.store %s, %y[%r0, %c0] dims [0, 1] rows %left : !tile.tile<2x1xi32>, memref<?x1xi32>
  %d = tile.reduce min %t dim 0 : !tile.tile<2x2560xi32> -> !tile.tile<1x2560xi32>
  %e = tile.map ins(%t, %d : !tile.tile<2x2560xi32>, !tile.tile<1x2560xi32>) -> !tile.tile<2x2560xi32> {
  ^bb0(%a: i32, %m: i32):
    %n = arith.subi %a, %m : i32
    tile.yield %n : i32
  }
  tile.store %e, %z[%r0, %c0] rows %left : !tile.tile<2x2560xi32>, memref<?x2560xi32>
  tile.return
}

// A long row is shared by all warps; both dims are combined.
tile.kernel @reduce_add_i64 grid [#tile.grid<value = 1, rows_per = 2>] config {warps = 8 : i64} class "phase" {
^bb0(%x: memref<?x2560xf32>, %y: memref<?x1xi64>, %z: memref<?x2560xi64>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 2 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %w = tile.load %x[%r0, %c0] rows %left : memref<?x2560xf32> -> !tile.tile<2x2560xf32>
  %t = tile.map ins(%w : !tile.tile<2x2560xf32>) -> !tile.tile<2x2560xi64> {
  ^bb0(%a: f32):
    %k = arith.constant 1000.0 : f32
    %p = arith.mulf %a, %k : f32
    %i = arith.fptosi %p : f32 to i32
    %n = arith.extsi %i : i32 to i64
    tile.yield %n : i64
  }
  %s = tile.reduce add %t dim 1 : !tile.tile<2x2560xi64> -> !tile.tile<2x1xi64>
  tile.store %s, %y[%r0, %c0] dims [0, 1] rows %left : !tile.tile<2x1xi64>, memref<?x1xi64>
  %d = tile.reduce add %t dim 0 : !tile.tile<2x2560xi64> -> !tile.tile<1x2560xi64>
  %e = tile.map ins(%t, %d : !tile.tile<2x2560xi64>, !tile.tile<1x2560xi64>) -> !tile.tile<2x2560xi64> {
  ^bb0(%a: i64, %m: i64):
    %n = arith.subi %a, %m : i64
    tile.yield %n : i64
  }
  tile.store %e, %z[%r0, %c0] rows %left : !tile.tile<2x2560xi64>, memref<?x2560xi64>
  tile.return
}

// Codes, scales, and what they decode to. The last group of a row is cut.
tile.kernel @encode_q8 grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x144xf32>, %c: memref<?x160xi8>, %s: memref<?x5xi8>, %y: memref<?x160xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 4 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %c144 = arith.constant 144 : index
  %t = tile.load %x[%r0, %c0] rows %left cols %c144 : memref<?x144xf32> -> !tile.tile<4x160xf32>
  %q, %e = tile.encode %t element f8E4M3FN scale f8E8M0FNU group 32 : !tile.tile<4x160xf32> -> !tile.tile<4x160xi8>, !tile.tile<4x5xi8>
  tile.store %q, %c[%r0, %c0] rows %left : !tile.tile<4x160xi8>, memref<?x160xi8>
  tile.store %e, %s[%r0, %c0] rows %left : !tile.tile<4x5xi8>, memref<?x5xi8>
  %d = tile.decode %q, %e element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<4x160xi8>, !tile.tile<4x5xi8> -> !tile.tile<4x160xbf16>
  tile.store %d, %y[%r0, %c0] rows %left : !tile.tile<4x160xbf16>, memref<?x160xbf16>
  tile.return
}

// Codes, scales, and what they decode to. The last group of a row is cut.
tile.kernel @encode_q4i grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x144xf32>, %c: memref<?x80xi8>, %s: memref<?x5xi8>, %y: memref<?x160xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 4 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %c144 = arith.constant 144 : index
  %t = tile.load %x[%r0, %c0] rows %left cols %c144 : memref<?x144xf32> -> !tile.tile<4x160xf32>
  %q, %e = tile.encode %t element f4E2M1FN scale f8E8M0FNU group 32 : !tile.tile<4x160xf32> -> !tile.tile<4x80xi8>, !tile.tile<4x5xi8>
  tile.store %q, %c[%r0, %c0] rows %left : !tile.tile<4x80xi8>, memref<?x80xi8>
  tile.store %e, %s[%r0, %c0] rows %left : !tile.tile<4x5xi8>, memref<?x5xi8>
  %d = tile.decode %q, %e element f4E2M1FN scale f8E8M0FNU block 1 x 32 : !tile.tile<4x80xi8>, !tile.tile<4x5xi8> -> !tile.tile<4x160xbf16>
  tile.store %d, %y[%r0, %c0] rows %left : !tile.tile<4x160xbf16>, memref<?x160xbf16>
  tile.return
}

// Codes, scales, and what they decode to. The last group of a row is cut.
tile.kernel @encode_q4m grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x144xf32>, %c: memref<?x80xi8>, %s: memref<?x10xi8>, %y: memref<?x160xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 4 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %c144 = arith.constant 144 : index
  %t = tile.load %x[%r0, %c0] rows %left cols %c144 : memref<?x144xf32> -> !tile.tile<4x160xf32>
  %q, %e = tile.encode %t element f4E2M1FN scale f8E4M3FN group 16 : !tile.tile<4x160xf32> -> !tile.tile<4x80xi8>, !tile.tile<4x10xi8>
  tile.store %q, %c[%r0, %c0] rows %left : !tile.tile<4x80xi8>, memref<?x80xi8>
  tile.store %e, %s[%r0, %c0] rows %left : !tile.tile<4x10xi8>, memref<?x10xi8>
  %d = tile.decode %q, %e element f4E2M1FN scale f8E4M3FN block 1 x 16 : !tile.tile<4x80xi8>, !tile.tile<4x10xi8> -> !tile.tile<4x160xbf16>
  tile.store %d, %y[%r0, %c0] rows %left : !tile.tile<4x160xbf16>, memref<?x160xbf16>
  tile.return
}

// Even and odd columns change places; a table of different numbers.
tile.kernel @interleave grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x64xbf16>, %y: memref<?x64xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 4 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %t = tile.load %x[%r0, %c0] rows %left : memref<?x64xbf16> -> !tile.tile<4x64xbf16>
  %even, %odd = tile.deinterleave %t : !tile.tile<4x64xbf16> -> !tile.tile<4x32xbf16>
  %f = tile.constant dense<[[1.00, 1.25, 1.50, 1.75, 2.00, 2.25, 2.50, 2.75, 3.00, 3.25, 3.50, 3.75, 4.00, 4.25, 4.50, 4.75, 5.00, 5.25, 5.50, 5.75, 6.00, 6.25, 6.50, 6.75, 7.00, 7.25, 7.50, 7.75, 8.00, 8.25, 8.50, 8.75]]> : tensor<1x32xf32> -> !tile.tile<1x32xf32>
  %m = tile.map ins(%even, %f : !tile.tile<4x32xbf16>, !tile.tile<1x32xf32>) -> !tile.tile<4x32xbf16> {
  ^bb0(%e: bf16, %k: f32):
    %w = arith.extf %e : bf16 to f32
    %p = arith.mulf %w, %k : f32
    %r = arith.truncf %p : f32 to bf16
    tile.yield %r : bf16
  }
  %z = tile.interleave %odd, %m : !tile.tile<4x32xbf16> -> !tile.tile<4x64xbf16>
  tile.store %z, %y[%r0, %c0] rows %left : !tile.tile<4x64xbf16>, memref<?x64xbf16>
  tile.return
}

// Elements somewhere in a tile steer where the next ones lie, a branch and a loop that carries both.
tile.kernel @extract grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 1 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %t = tile.load %x[%r0, %c0] : memref<?x64xf32> -> !tile.tile<1x64xf32>
  %e = tile.extract %t[%c0, %c5] : !tile.tile<1x64xf32> -> f32
  %positive = arith.cmpf ogt, %e, %zero : f32
  %chosen = scf.if %positive -> (!tile.tile<1x64xf32>) {
    %d = tile.map ins(%t : !tile.tile<1x64xf32>) -> !tile.tile<1x64xf32> {
    ^bb0(%a: f32):
      %q = arith.addf %a, %a : f32
      tile.yield %q : f32
    }
    scf.yield %d : !tile.tile<1x64xf32>
  } else {
    scf.yield %t : !tile.tile<1x64xf32>
  }
  %sum, %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %chosen, %l = %zero) -> (!tile.tile<1x64xf32>, f32) {
    %f = tile.extract %s[%c0, %i] : !tile.tile<1x64xf32> -> f32
    %n = tile.map ins(%s : !tile.tile<1x64xf32>) -> !tile.tile<1x64xf32> {
    ^bb0(%a: f32):
      %q = arith.subf %a, %f : f32
      tile.yield %q : f32
    }
    scf.yield %n, %f : !tile.tile<1x64xf32>, f32
  }
  %z = tile.map ins(%sum : !tile.tile<1x64xf32>) -> !tile.tile<1x64xf32> {
  ^bb0(%a: f32):
    %q = arith.addf %a, %last : f32
    tile.yield %q : f32
  }
  tile.store %z, %y[%r0, %c0] : !tile.tile<1x64xf32>, memref<?x64xf32>
  tile.return
}

// A product without a matrix unit.
tile.kernel @mma_f32 grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x96xf32>, %w: memref<24x96xf32>, %y: memref<?x24xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 4 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<4x24xf32>
  %a = tile.load %x[%r0, %c0] rows %left : memref<?x96xf32> -> !tile.tile<4x96xf32>
  %c = tile.load %w[%c0, %c0] : memref<24x96xf32> -> !tile.tile<24x96xf32>
  %r = tile.mma %a, %c, %init : !tile.tile<4x96xf32>, !tile.tile<24x96xf32>, !tile.tile<4x24xf32>
  tile.store %r, %y[%r0, %c0] rows %left : !tile.tile<4x24xf32>, memref<?x24xf32>
  tile.return
}

// The same, b given by rows of k; a width that nothing divides.
tile.kernel @mma_f32_kn grid [#tile.grid<value = 1, rows_per = 3>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x21xf32>, %w: memref<21x13xf32>, %y: memref<?x13xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 3 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<3x13xf32>
  %a = tile.load %x[%r0, %c0] rows %left : memref<?x21xf32> -> !tile.tile<3x21xf32>
  %c = tile.load %w[%c0, %c0] : memref<21x13xf32> -> !tile.tile<21x13xf32>
  %r = tile.mma %a, %c, %init kn : !tile.tile<3x21xf32>, !tile.tile<21x13xf32>, !tile.tile<3x13xf32>
  tile.store %r, %y[%r0, %c0] rows %left : !tile.tile<3x13xf32>, memref<?x13xf32>
  tile.return
}

// Few rows of bf16 and an odd width.
tile.kernel @mma_bf16_small grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x40xbf16>, %w: memref<7x40xbf16>, %y: memref<?x7xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 4 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<4x7xf32>
  %a = tile.load %x[%r0, %c0] rows %left : memref<?x40xbf16> -> !tile.tile<4x40xbf16>
  %c = tile.load %w[%c0, %c0] : memref<7x40xbf16> -> !tile.tile<7x40xbf16>
  %r = tile.mma %a, %c, %init : !tile.tile<4x40xbf16>, !tile.tile<7x40xbf16>, !tile.tile<4x7xf32>
  tile.store %r, %y[%r0, %c0] rows %left : !tile.tile<4x7xf32>, memref<?x7xf32>
  tile.return
}

// Operands in shared memory, b turned.
tile.kernel @mma_bf16_kn grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 1 : i64} class "phase" {
^bb0(%x: memref<?x64xbf16>, %w: memref<64x72xbf16>, %y: memref<?x72xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 16 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<16x72xf32>
  %a = tile.load %x[%r0, %c0] rows %left : memref<?x64xbf16> -> !tile.tile<16x64xbf16>
  %c = tile.load %w[%c0, %c0] : memref<64x72xbf16> -> !tile.tile<64x72xbf16>
  %r = tile.mma %a, %c, %init kn : !tile.tile<16x64xbf16>, !tile.tile<64x72xbf16>, !tile.tile<16x72xf32>
  tile.store %r, %y[%r0, %c0] rows %left : !tile.tile<16x72xf32>, memref<?x72xf32>
  tile.return
}

// More of an operand than registers hold.
tile.kernel @mma_bf16_large grid [#tile.grid<value = 1, rows_per = 32>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x512xbf16>, %w: memref<64x512xbf16>, %y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 32 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<32x64xf32>
  %a = tile.load %x[%r0, %c0] rows %left : memref<?x512xbf16> -> !tile.tile<32x512xbf16>
  %c = tile.load %w[%c0, %c0] : memref<64x512xbf16> -> !tile.tile<64x512xbf16>
  %r = tile.mma %a, %c, %init : !tile.tile<32x512xbf16>, !tile.tile<64x512xbf16>, !tile.tile<32x64xf32>
  tile.store %r, %y[%r0, %c0] rows %left : !tile.tile<32x64xf32>, memref<?x64xf32>
  tile.return
}

// Two products: what becomes of the sums of the first is an operand of the second, which reads the same tile turned.
tile.kernel @softmax_product grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x128xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 16 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<16x64xf32>
  %init2 = tile.splat %zero : f32 -> !tile.tile<16x128xf32>
  %a = tile.load %x[%r0, %c0] rows %left : memref<?x128xbf16> -> !tile.tile<16x128xbf16>
  %kv = tile.load %w[%c0, %c0] : memref<64x128xbf16> -> !tile.tile<64x128xbf16>
  %s = tile.mma %a, %kv, %init : !tile.tile<16x128xbf16>, !tile.tile<64x128xbf16>, !tile.tile<16x64xf32>
  %m = tile.reduce max %s dim 1 : !tile.tile<16x64xf32> -> !tile.tile<16x1xf32>
  %p = tile.map ins(%s, %m : !tile.tile<16x64xf32>, !tile.tile<16x1xf32>) -> !tile.tile<16x64xbf16> {
  ^bb0(%v: f32, %top: f32):
    %eighth = arith.constant 0.125 : f32
    %d = arith.subf %v, %top : f32
    %h = arith.mulf %d, %eighth : f32
    %r = arith.truncf %h : f32 to bf16
    tile.yield %r : bf16
  }
  %o = tile.mma %p, %kv, %init2 kn : !tile.tile<16x64xbf16>, !tile.tile<64x128xbf16>, !tile.tile<16x128xf32>
  tile.store %o, %y[%r0, %c0] rows %left : !tile.tile<16x128xf32>, memref<?x128xf32>
  tile.return
}

// The best of a row of scores; many are equal.
tile.kernel @topk grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 8 : i64} class "phase" {
^bb0(%x: memref<?x2048xbf16>, %z: memref<?x2048xbf16>, %y: memref<?x100xi32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 1 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %count = arith.constant 2001 : index
  %t = tile.load %x[%r0, %c0] : memref<?x2048xbf16> -> !tile.tile<1x2048xbf16>
  %q = tile.map ins(%t : !tile.tile<1x2048xbf16>) -> !tile.tile<1x2048xbf16> {
  ^bb0(%v: bf16):
    %w = arith.extf %v : bf16 to f32
    %one = arith.constant 1.0 : f32
    %m = arith.minnumf %w, %one : f32
    %r = arith.truncf %m : f32 to bf16
    tile.yield %r : bf16
  }
  tile.store %q, %z[%r0, %c0] : !tile.tile<1x2048xbf16>, memref<?x2048xbf16>
  tile.select_topk 100 of %z[%r0, %c0] count %count into %y[%r0, %c0] : memref<?x2048xbf16>, memref<?x100xi32>
  tile.return
}

// Fewer values than wanted, and the lowest of them not at all.
tile.kernel @topk_few grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 2 : i64} class "phase" {
^bb0(%x: memref<?x33xbf16>, %y: memref<?x64xi32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 1 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %count = arith.constant 33 : index
  tile.select_topk 64 of %x[%r0, %c0] count %count into %y[%r0, %c0] drop_lowest : memref<?x33xbf16>, memref<?x64xi32>
  tile.return
}

// What is stored is read back by other threads of the block, again and again.
tile.kernel @through_memory grid [#tile.grid<value = 1, rows_per = 4>] config {warps = 4 : i64} class "phase" {
^bb0(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %per = arith.constant 4 : index
  %r0 = arith.muli %b, %per : index
  %left = arith.subi %rows, %r0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = tile.load %x[%r0, %c0] rows %left : memref<?x64xf32> -> !tile.tile<4x64xf32>
  tile.store %t, %y[%r0, %c0] rows %left : !tile.tile<4x64xf32>, memref<?x64xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %j = tile.map ins() -> !tile.tile<64x1xi32> {
      %at = tile.coord 0
      %last = arith.constant 63 : i32
      %r = arith.subi %last, %at : i32
      tile.yield %r : i32
    }
    %u = tile.gather %y[%r0, %c0] at %j dims [1, -1] : memref<?x64xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x1xf32>
    %v = tile.load %y[%r0, %c0] dims [1, -1] : memref<?x64xf32> -> !tile.tile<64x1xf32>
    %w = tile.map ins(%u, %v : !tile.tile<64x1xf32>, !tile.tile<64x1xf32>) -> !tile.tile<64x1xf32> {
    ^bb0(%p: f32, %q: f32):
      %half = arith.constant 0.5 : f32
      %h = arith.mulf %q, %half : f32
      %r = arith.addf %p, %h : f32
      tile.yield %r : f32
    }
    tile.store %w, %y[%r0, %c0] dims [1, -1] : !tile.tile<64x1xf32>, memref<?x64xf32>
  }
  tile.return
}
