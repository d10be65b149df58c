// RUN: ced-opt %s --pass-pipeline='builtin.module(tile.kernel(ced-x86-plan-arena))' | FileCheck %s

// The accumulator of a loop: what comes in, what is carried, what mma makes and what comes out are one
// place (0); operands of the loop lie behind it.
// CHECK-LABEL: tile.kernel @accumulate
// CHECK-SAME: attributes {arena_bytes = 2112 : i64}
tile.kernel @accumulate grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<64x8xf32>, %y: memref<16x16xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: tile.splat %{{.*}} {arena = array<i64: 0>}
  %init = tile.splat %zero : f32 -> !tile.tile<16x16xf32>
  // CHECK: scf.for
  %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%a = %init) -> (!tile.tile<16x16xf32>) {
    // CHECK: tile.load {{.*}} {arena = array<i64: 1024>}
    %l = tile.load %x[%k, %c0] : memref<64x8xf32> -> !tile.tile<16x8xf32>
    // CHECK: tile.mma {{.*}} {arena = array<i64: 0>}
    %p = tile.mma %l, %l, %a : !tile.tile<16x8xf32>, !tile.tile<16x8xf32>, !tile.tile<16x16xf32>
    scf.yield %p : !tile.tile<16x16xf32>
  // CHECK: } {arena = array<i64: 0>}
  }
  // The load's place is free again, but not under the result.
  // CHECK: tile.load {{.*}} {arena = array<i64: 1024>}
  %s = tile.load %y[%c0, %c0] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  // CHECK: tile.map {{.*}} {arena = array<i64: 0>}
  %t = tile.map ins(%r, %s : !tile.tile<16x16xf32>, !tile.tile<16x16xf32>) -> !tile.tile<16x16xf32> {
  ^bb0(%p: f32, %q: f32):
    %v = arith.addf %p, %q : f32
    tile.yield %v : f32
  }
  tile.store %t, %y[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}

// The initial value is used after the loop: it keeps its place and is copied.
// CHECK-LABEL: tile.kernel @kept
tile.kernel @kept grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%y: memref<1x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: tile.load {{.*}} {arena = array<i64: 0>}
  %init = tile.load %y[%c0, %c0] : memref<1x8xf32> -> !tile.tile<1x8xf32>
  // CHECK: scf.for
  %r = scf.for %k = %c0 to %rows step %c1 iter_args(%a = %init) -> (!tile.tile<1x8xf32>) {
    // CHECK: tile.map {{.*}} {arena = array<i64: 64>}
    %t = tile.map ins(%a : !tile.tile<1x8xf32>) -> !tile.tile<1x8xf32> {
    ^bb0(%p: f32):
      %v = arith.negf %p : f32
      tile.yield %v : f32
    }
    scf.yield %t : !tile.tile<1x8xf32>
  // CHECK: } {arena = array<i64: 64>}
  }
  tile.store %r, %y[%c0, %c0] : !tile.tile<1x8xf32>, memref<1x8xf32>
  tile.store %init, %y[%c0, %c0] : !tile.tile<1x8xf32>, memref<1x8xf32>
  tile.return
}

// Tiles that change places go through temporaries.
// CHECK-LABEL: tile.kernel @swap
tile.kernel @swap grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%y: memref<2x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.load %y[%c0, %c0] : memref<2x8xf32> -> !tile.tile<1x8xf32>
  %q = tile.load %y[%c1, %c0] : memref<2x8xf32> -> !tile.tile<1x8xf32>
  %r:2 = scf.for %k = %c0 to %rows step %c1 iter_args(%a = %p, %c = %q) -> (!tile.tile<1x8xf32>, !tile.tile<1x8xf32>) {
    // CHECK: scf.yield {arena_temps = array<i64: 128, 192>}
    scf.yield %c, %a : !tile.tile<1x8xf32>, !tile.tile<1x8xf32>
  // CHECK: } {arena = array<i64: 0, 64>}
  }
  tile.store %r#0, %y[%c0, %c0] : !tile.tile<1x8xf32>, memref<2x8xf32>
  tile.store %r#1, %y[%c1, %c0] : !tile.tile<1x8xf32>, memref<2x8xf32>
  tile.return
}

// A tile that a branch passes through or updates stays where it is.
// CHECK-LABEL: tile.kernel @branch
tile.kernel @branch grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%y: memref<8x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.load %y[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %many = arith.cmpi sgt, %rows, %c1 : index
  %r = scf.if %many -> (!tile.tile<8x8xf32>) {
    %l = tile.load %y[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
    // CHECK: tile.mma {{.*}} {arena = array<i64: 0>}
    %m = tile.mma %l, %l, %p : !tile.tile<8x8xf32>, !tile.tile<8x8xf32>, !tile.tile<8x8xf32>
    scf.yield %m : !tile.tile<8x8xf32>
  } else {
    scf.yield %p : !tile.tile<8x8xf32>
  // CHECK: } {arena = array<i64: 0>}
  }
  tile.store %r, %y[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.return
}

// bf16 takes 4 bytes; rows are padded to 8 elements; a column is contiguous.
// CHECK-LABEL: tile.kernel @layouts
tile.kernel @layouts grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<4x9xbf16>, %c: memref<9x1xi8>, %z: memref<1x1xi64>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  // CHECK: {arena = array<i64: 0>} : memref<4x9xbf16>
  %p = tile.load %x[%c0, %c0] : memref<4x9xbf16> -> !tile.tile<4x9xbf16>
  // CHECK: {arena = array<i64: 256>} : memref<9x1xi8>
  %q = tile.load %c[%c0, %c0] : memref<9x1xi8> -> !tile.tile<9x1xi8>
  // CHECK: {arena = array<i64: 320>} : memref<1x1xi64>
  %r = tile.load %z[%c0, %c0] : memref<1x1xi64> -> !tile.tile<1x1xi64>
  tile.store %p, %x[%c0, %c0] : !tile.tile<4x9xbf16>, memref<4x9xbf16>
  tile.store %q, %c[%c0, %c0] : !tile.tile<9x1xi8>, memref<9x1xi8>
  tile.store %r, %z[%c0, %c0] : !tile.tile<1x1xi64>, memref<1x1xi64>
  tile.return
}
