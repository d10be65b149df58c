// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @constant_c1() {
  // expected-error @+1 {{'tile.constant' op expected a constant of shape 1x3, got 'tensor<1x2xf32>'}}
  %f = tile.constant dense<[[1.0, 0.5]]> : tensor<1x2xf32> -> !tile.tile<1x3xf32>
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{'tile.constant' op expected a constant of element 'bf16', got 'f32'}}
  %f = tile.constant dense<[[1.0, 0.5]]> : tensor<1x2xf32> -> !tile.tile<1x2xbf16>
  return
}

// -----

func.func @map_c1(%x: !tile.tile<2x4xf32>) {
  // expected-error @+1 {{'tile.map' op expected input #0 to broadcast to 4x4, got 2x4}}
  %y = tile.map ins(%x : !tile.tile<2x4xf32>) -> !tile.tile<4x4xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @map_c1(%x: !tile.tile<4x4xf32>) {
  // expected-error @+1 {{'tile.map' op expected all results of shape 4x4, got 4x1}}
  %y:2 = tile.map ins(%x : !tile.tile<4x4xf32>) -> !tile.tile<4x4xf32>, !tile.tile<4x1xf32> {
  ^bb0(%a: f32):
    tile.yield %a, %a : f32, f32
  }
  return
}

// -----

func.func @map_c2(%x: !tile.tile<4x4xbf16>) {
  // expected-error @+1 {{'tile.map' op expected region argument #0 of 'bf16', got 'f32'}}
  %y = tile.map ins(%x : !tile.tile<4x4xbf16>) -> !tile.tile<4x4xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @map_c2(%x: !tile.tile<4x4xf32>) {
  // expected-error @+1 {{'tile.map' op expected yielded value #0 of 'bf16', got 'f32'}}
  %y = tile.map ins(%x : !tile.tile<4x4xf32>) -> !tile.tile<4x4xbf16> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @map_c2(%x: !tile.tile<4x4xf32>) {
  // expected-error @+1 {{'tile.map' op expected 1 yielded values, got 0}}
  %y = tile.map ins(%x : !tile.tile<4x4xf32>) -> !tile.tile<4x4xf32> {
  ^bb0(%a: f32):
    "tile.yield"() : () -> ()
  }
  return
}

// -----

func.func private @f(f32) -> f32

func.func @map_c3(%x: !tile.tile<4x4xf32>) {
  // expected-note @+1 {{the map is here}}
  %y = tile.map ins(%x : !tile.tile<4x4xf32>) -> !tile.tile<4x4xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{'func.call' op expected only arith, math and tile.coord ops inside tile.map}}
    %b = func.call @f(%a) : (f32) -> f32
    tile.yield %b : f32
  }
  return
}

// -----

func.func @map_c3(%x: !tile.tile<4x4xf32>) {
  %y = tile.map ins(%x : !tile.tile<4x4xf32>) -> !tile.tile<4x4xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{'arith.constant' op expected scalars inside tile.map, got 'vector<4xf32>'}}
    %v = arith.constant dense<0.0> : vector<4xf32>
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c1(%x: !tile.tile<4x8xf32>) {
  // expected-error @+1 {{'tile.reduce' op expected a result of 1x8, got 4x1}}
  %s = tile.reduce add %x dim 0 : !tile.tile<4x8xf32> -> !tile.tile<4x1xf32>
  return
}

// -----

func.func @reduce_c1(%x: !tile.tile<4x8xbf16>) {
  // expected-error @+1 {{'tile.reduce' op expected an element of f32, i32 or i64, got 'bf16'}}
  %s = tile.reduce add %x dim 0 : !tile.tile<4x8xbf16> -> !tile.tile<1x8xbf16>
  return
}

// -----

func.func @mma_c1(%a: !tile.tile<16x32xbf16>, %b: !tile.tile<32x8xbf16>, %c: !tile.tile<16x8xf32>) {
  // expected-error @+1 {{'tile.mma' op expected a and b to agree in K, got 32 and 8}}
  %d = tile.mma %a, %b, %c : !tile.tile<16x32xbf16>, !tile.tile<32x8xbf16>, !tile.tile<16x8xf32>
  return
}

// -----

func.func @mma_c1(%a: !tile.tile<16x32xbf16>, %b: !tile.tile<32x8xbf16>, %c: !tile.tile<8x16xf32>) {
  // expected-error @+1 {{'tile.mma' op expected an accumulator of 16x8, got 8x16}}
  %d = tile.mma %a, %b, %c kn : !tile.tile<16x32xbf16>, !tile.tile<32x8xbf16>, !tile.tile<8x16xf32>
  return
}

// -----

func.func @mma_c1(%a: !tile.tile<16x32xbf16>, %b: !tile.tile<8x32xf32>, %c: !tile.tile<16x8xf32>) {
  // expected-error @+1 {{'tile.mma' op expected a and b both f32 or both bf16, got 'bf16' and 'f32'}}
  %d = tile.mma %a, %b, %c : !tile.tile<16x32xbf16>, !tile.tile<8x32xf32>, !tile.tile<16x8xf32>
  return
}

// -----

func.func @deinterleave(%x: !tile.tile<4x8xf32>) {
  // expected-error @+1 {{'tile.deinterleave' op expected '!tile.tile<4x8xf32>' to have twice the columns of '!tile.tile<4x8xf32>' and the same rows and element}}
  %a, %b = tile.deinterleave %x : !tile.tile<4x8xf32> -> !tile.tile<4x8xf32>
  return
}

// -----

func.func @interleave(%x: !tile.tile<4x8xf32>) {
  // expected-error @+1 {{'tile.interleave' op expected '!tile.tile<4x8xf32>' to have twice the columns of '!tile.tile<4x8xf32>' and the same rows and element}}
  %a = tile.interleave %x, %x : !tile.tile<4x8xf32> -> !tile.tile<4x8xf32>
  return
}
