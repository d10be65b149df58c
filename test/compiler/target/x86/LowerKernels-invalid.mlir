// RUN: ced-opt %s --ced-target-x86 -split-input-file -verify-diagnostics

tile.kernel @unknown_math grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<4x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32>
  %y = tile.map ins(%t : !tile.tile<4x8xf32>) -> !tile.tile<4x8xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{'math.tanh' op expected a math op that ced-expand-math or x86 computes, got math.tanh on 'f32'}}
    %p = math.tanh %a : f32
    tile.yield %p : f32
  }
  tile.store %y, %x[%c0, %c0] : !tile.tile<4x8xf32>, memref<4x8xf32>
  tile.return
}

// -----

tile.kernel @remainder grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  %x = arith.constant 1.0 : f32
  // expected-error @+1 {{'arith.remf' op expected an op that x86 computes without a library, got arith.remf}}
  %y = arith.remf %x, %x : f32
  tile.return
}

// -----

tile.kernel @half grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  %x = arith.constant 1.0 : f32
  // expected-error @+1 {{'arith.truncf' op expected scalars of f32, f64, bf16, index or i1 to i64 on x86, got 'f16'}}
  %y = arith.truncf %x : f32 to f16
  tile.return
}

// -----

tile.kernel @rounds_twice grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  %i = arith.index_cast %rows : index to i32
  // expected-error @+1 {{'arith.sitofp' op expected a conversion to f32 before the one to bf16 on x86, got one from 'i32'}}
  %y = arith.sitofp %i : i32 to bf16
  tile.return
}

// -----

tile.kernel @other_op grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  // expected-error @+1 {{'ub.poison' op expected a tile, scf.for, scf.if, arith or math op in a kernel for x86}}
  %y = ub.poison : f32
  tile.return
}
