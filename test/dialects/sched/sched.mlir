// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK: sched.buffer @tokens input : memref<?xi32>
sched.buffer @tokens input : memref<?xi32>
// CHECK: sched.buffer @window.0 state : memref<2x20x66xi8>
sched.buffer @window.0 state : memref<2x20x66xi8>
// CHECK: sched.buffer @w weight : memref<64xbf16> {tensor_dtype = "BF16", tensor_shape = array<i64: 64>, tensors = ["layers.0.attn.q_norm.weight"]}
sched.buffer @w weight : memref<64xbf16> {tensors = ["layers.0.attn.q_norm.weight"], tensor_dtype = "BF16", tensor_shape = array<i64: 64>}
// CHECK: sched.buffer @v0 workspace : memref<?x64xbf16> {offset = 256 : i64}
sched.buffer @v0 workspace : memref<?x64xbf16> {offset = 256 : i64}
sched.buffer @v1 workspace : memref<?x64xbf16> {offset = 0 : i64}

// CHECK-LABEL: sched.kernel @norm_cast_0 family "norm_cast" config {block_m = 4 : i64} {
sched.kernel @norm_cast_0 family "norm_cast" config {block_m = 4 : i64} {
^bb0(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>):
  %n = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  // CHECK: sched.result %{{.*}} : tensor<?x64xbf16>
  sched.result %n : tensor<?x64xbf16>
}

// CHECK-LABEL: sched.program @prefill logits @v1 {
sched.program @prefill logits @v1 {
  // CHECK: sched.dispatch @norm_cast_0 [@v0, @w, @v1] : "rms_norm" 2
  sched.dispatch @norm_cast_0 [@v0, @w, @v1] : "rms_norm" 2
  // CHECK: sched.mark "stream" 2 @v1 : memref<?x64xbf16>
  sched.mark "stream" 2 @v1 : memref<?x64xbf16>
}

// CHECK: sched.object @x86_avx2 "x86" "avx2" {norm_cast_0 = {symbol = "k"}} "\7FELF"
sched.object @x86_avx2 "x86" "avx2" {norm_cast_0 = {symbol = "k"}} "\7FELF"
