// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @weight
func.func @weight() {
  // CHECK: ced.weight ["layers.0.attn.wq_a"] : !ced.scaled<64x256, f8E4M3FN, 32x32, f8E8M0FNU>
  %0 = ced.weight ["layers.0.attn.wq_a"] : !ced.scaled<64x256, f8E4M3FN, 32x32, f8E8M0FNU>
  // CHECK: ced.weight ["layers.0.attn.q_norm.weight"] : tensor<64xbf16>
  %1 = ced.weight ["layers.0.attn.q_norm.weight"] : tensor<64xbf16>
  // CHECK: ced.weight ["layers.1.ffn.experts.0.w1"] {ced.stacked} : !ced.scaled<1x128x256, f4E2M1FN, 1x32, f8E8M0FNU>
  %one = ced.weight ["layers.1.ffn.experts.0.w1"] {ced.stacked} : !ced.scaled<1x128x256, f4E2M1FN, 1x32, f8E8M0FNU>
  // CHECK: ced.weight ["layers.0.ffn.experts.0.w1", "layers.0.ffn.experts.1.w1"] : !ced.scaled<2x128x256, f4E2M1FN, 1x32, f8E8M0FNU>
  %2 = ced.weight ["layers.0.ffn.experts.0.w1", "layers.0.ffn.experts.1.w1"] : !ced.scaled<2x128x256, f4E2M1FN, 1x32, f8E8M0FNU>
  return
}

// CHECK-LABEL: func @mark
func.func @mark(%x: tensor<?x4x64xbf16>) -> tensor<?x4x64xbf16> {
  // CHECK: ced.mark "stream" 3 %{{.*}} : tensor<?x4x64xbf16>
  %0 = ced.mark "stream" 3 %x : tensor<?x4x64xbf16>
  // CHECK: ced.mark "logits" -1 %{{.*}} : tensor<?x4x64xbf16>
  %1 = ced.mark "logits" -1 %0 : tensor<?x4x64xbf16>
  return %1 : tensor<?x4x64xbf16>
}

// A mark is observed: it stays although nobody uses its result (cse and canonicalize keep it).
// RUN: ced-opt %s -canonicalize -cse | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: func @unused_mark
// KEPT: ced.mark "stream" 0
func.func @unused_mark(%x: tensor<?x4x64xbf16>) {
  %0 = ced.mark "stream" 0 %x : tensor<?x4x64xbf16>
  return
}

// CHECK-LABEL: func @reshape
func.func @reshape(%x: tensor<?x256xbf16>) -> tensor<?x256xbf16> {
  // CHECK: ced.reshape %{{.*}} : tensor<?x256xbf16> -> tensor<?x4x64xbf16>
  %h = ced.reshape %x : tensor<?x256xbf16> -> tensor<?x4x64xbf16>
  // CHECK: ced.reshape %{{.*}} : tensor<?x4x64xbf16> -> tensor<?x256xbf16>
  %y = ced.reshape %h : tensor<?x4x64xbf16> -> tensor<?x256xbf16>
  return %y : tensor<?x256xbf16>
}

// CHECK-LABEL: func @group
func.func @group(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>) -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> {
  // CHECK: ced.group "norm_cast"(%{{.*}}, %{{.*}}) : (tensor<?x64xbf16>, tensor<64xbf16>) -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<?x64xbf16>, %[[B:.*]]: tensor<64xbf16>):
  // CHECK-NEXT: %[[N:.*]] = ced.rms_norm %[[A]], %[[B]]
  // CHECK-NEXT: %[[Q:.*]] = ced.quantize %[[N]]
  // CHECK-NEXT: ced.yield %[[Q]] : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  %q = ced.group "norm_cast" (%x, %w) : (tensor<?x64xbf16>, tensor<64xbf16>) -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> {
  ^bb0(%a: tensor<?x64xbf16>, %b: tensor<64xbf16>):
    %n = ced.rms_norm %a, %b eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
    %r = ced.quantize %n : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
    ced.yield %r : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  }
  return %q : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
}
