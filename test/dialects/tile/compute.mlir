// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @values
func.func @values(%s: bf16, %i: index) -> f32 {
  // CHECK: tile.splat %{{.*}} : bf16 -> <2x8xbf16>
  %a = tile.splat %s : bf16 -> !tile.tile<2x8xbf16>
  // CHECK: tile.constant dense<{{.*}}> : tensor<1x2xf32> -> <1x2xf32>
  %f = tile.constant dense<[[1.0, 0.5]]> : tensor<1x2xf32> -> !tile.tile<1x2xf32>
  // CHECK: tile.extract %{{.*}}[%{{.*}}, %{{.*}}] : <1x2xf32> -> f32
  %e = tile.extract %f[%i, %i] : !tile.tile<1x2xf32> -> f32
  // CHECK: tile.deinterleave %{{.*}} : <2x8xbf16> -> <2x4xbf16>
  %even, %odd = tile.deinterleave %a : !tile.tile<2x8xbf16> -> !tile.tile<2x4xbf16>
  // CHECK: tile.interleave %{{.*}}, %{{.*}} : <2x4xbf16> -> <2x8xbf16>
  %back = tile.interleave %even, %odd : !tile.tile<2x4xbf16> -> !tile.tile<2x8xbf16>
  return %e : f32
}

// Broadcast inputs, a scalar from outside, coordinates, results of two types.
// CHECK-LABEL: func @map
func.func @map(%x: !tile.tile<16x32xf32>, %c: !tile.tile<16x1xf32>, %r: !tile.tile<1x32xf32>, %limit: i32) {
  // CHECK: tile.map ins(%{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<16x32xf32>, !tile.tile<16x1xf32>, !tile.tile<1x32xf32>) -> !tile.tile<16x32xf32>, !tile.tile<16x32xbf16> {
  %y:2 = tile.map ins(%x, %c, %r : !tile.tile<16x32xf32>, !tile.tile<16x1xf32>, !tile.tile<1x32xf32>)
      -> !tile.tile<16x32xf32>, !tile.tile<16x32xbf16> {
  ^bb0(%a: f32, %b: f32, %d: f32):
    // CHECK: tile.coord 1
    %col = tile.coord 1
    %in = arith.cmpi slt, %col, %limit : i32
    %p = math.fma %a, %b, %d : f32
    %q = arith.select %in, %p, %a : f32
    %h = arith.truncf %q : f32 to bf16
    tile.yield %q, %h : f32, bf16
  }
  // A map without inputs.
  // CHECK: tile.map ins() -> !tile.tile<4x8xi32> {
  %z = tile.map ins() -> !tile.tile<4x8xi32> {
    %row = tile.coord 0
    tile.yield %row : i32
  }
  return
}

// CHECK-LABEL: func @sums
func.func @sums(%a: !tile.tile<16x32xbf16>, %b: !tile.tile<8x32xbf16>, %v: !tile.tile<32x8xbf16>, %acc: !tile.tile<16x8xf32>) {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : <16x32xbf16>, <8x32xbf16>, <16x8xf32>
  %c1 = tile.mma %a, %b, %acc : !tile.tile<16x32xbf16>, !tile.tile<8x32xbf16>, !tile.tile<16x8xf32>
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} kn : <16x32xbf16>, <32x8xbf16>, <16x8xf32>
  %c2 = tile.mma %a, %v, %c1 kn : !tile.tile<16x32xbf16>, !tile.tile<32x8xbf16>, !tile.tile<16x8xf32>
  // CHECK: tile.reduce add %{{.*}} dim 1 : <16x8xf32> -> <16x1xf32>
  %s = tile.reduce add %c2 dim 1 : !tile.tile<16x8xf32> -> !tile.tile<16x1xf32>
  // CHECK: tile.reduce max %{{.*}} dim 0 : <16x8xf32> -> <1x8xf32>
  %m = tile.reduce max %c2 dim 0 : !tile.tile<16x8xf32> -> !tile.tile<1x8xf32>
  return
}
