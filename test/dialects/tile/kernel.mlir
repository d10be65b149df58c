// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @copy grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 4 : i64} class "phase" {
// CHECK-NEXT:  ^bb0(%{{.*}}: memref<?x64xf32>, %{{.*}}: memref<?x64xf32>, %{{.*}}: index, %{{.*}}: index):
// CHECK:         tile.return
tile.kernel @copy grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 4} class "phase" {
^bb0(%in: memref<?x64xf32>, %out: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %r0 = arith.muli %b, %c16 : index
  %left = arith.subi %rows, %r0 : index
  %t = tile.load %in[%r0, %c0] rows %left : memref<?x64xf32> -> !tile.tile<16x64xf32>
  tile.store %t, %out[%r0, %c0] rows %left : !tile.tile<16x64xf32>, memref<?x64xf32>
  tile.return
}

// A grid of three dims, no memory argument.
// CHECK-LABEL: tile.kernel @three_dims
tile.kernel @three_dims grid [#tile.grid<value = 8, rows_per = 0>, #tile.grid<value = 2, rows_per = 0>,
                              #tile.grid<value = 1, rows_per = 8>] config {} class "run" {
^bb0(%rows: index, %b0: index, %b1: index, %b2: index):
  tile.return
}

// Tiles pass through scf as they are.
// CHECK-LABEL: tile.kernel @loop
// CHECK:         scf.for {{.*}} -> (!tile.tile<1x8xf32>)
tile.kernel @loop grid [#tile.grid<value = 1, rows_per = 0>] config {} class "batch" {
^bb0(%in: memref<4x8xf32>, %out: memref<1x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<1x8xf32>
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %init) -> (!tile.tile<1x8xf32>) {
    %x = tile.load %in[%i, %c0] : memref<4x8xf32> -> !tile.tile<1x8xf32>
    %t = tile.map ins(%s, %x : !tile.tile<1x8xf32>, !tile.tile<1x8xf32>) -> !tile.tile<1x8xf32> {
    ^bb0(%a: f32, %c: f32):
      %d = arith.addf %a, %c : f32
      tile.yield %d : f32
    }
    scf.yield %t : !tile.tile<1x8xf32>
  }
  tile.store %sum, %out[%c0, %c0] : !tile.tile<1x8xf32>, memref<1x8xf32>
  tile.return
}
