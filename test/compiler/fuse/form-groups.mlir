// RUN: ced-opt %s -ced-form-groups | FileCheck %s

// The example of the pass's documentation: a norm and the quantiser that reads it become one kernel; the norm's
// own result has no other reader and does not leave the group.
// CHECK-LABEL: func.func @norm_and_quantize
// CHECK-NEXT: %[[W:.*]] = ced.weight
// CHECK-NEXT: ced.group "norm_cast"(%{{.*}}, %[[W]])
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[N:.*]] = ced.rms_norm
// CHECK-NEXT: %[[Q:.*]] = ced.quantize %[[N]]
// CHECK-NEXT: ced.yield %[[Q]] :
func.func @norm_and_quantize(%x: tensor<?x64xbf16>) -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> {
  %w = ced.weight ["layers.0.attn.q_norm.weight"] : tensor<64xbf16>
  %n = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  %q = ced.quantize %n : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  return %q : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
}

// The norm has a second reader: both values leave the group, in order.
// CHECK-LABEL: func.func @norm_read_twice
// CHECK: %[[G:.*]]:2 = ced.group "norm_cast"
// CHECK: ced.yield %{{.*}}, %{{.*}} : tensor<?x64xbf16>, !ced.scaled
// CHECK: ced.group "linear"(%[[G]]#0,
func.func @norm_read_twice(%x: tensor<?x64xbf16>) -> (!ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x8xbf16>) {
  %w = ced.weight ["norm.weight"] : tensor<64xbf16>
  %n = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  %v = ced.weight ["head.weight"] : tensor<8x64xbf16>
  %m = ced.matmul %n, %v : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xbf16>
  %q = ced.quantize %n : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  return %q, %m : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x8xbf16>
}

// A mark between the two is a place where the value may be replaced: no fusion.
// CHECK-LABEL: func.func @mark_between
// CHECK: ced.group "norm_cast"
// CHECK: ced.mark "attn" 0
// CHECK: ced.group "norm_cast"
func.func @mark_between(%x: tensor<?x64xbf16>) -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> {
  %w = ced.weight ["norm.weight"] : tensor<64xbf16>
  %n = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  %m = ced.mark "attn" 0 %n : tensor<?x64xbf16>
  %q = ced.quantize %m : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  return %q : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
}

// The quantiser reads a product, which no row of the fusion table allows.
// CHECK-LABEL: func.func @no_row_in_the_table
// CHECK: ced.group "linear"
// CHECK: ced.group "norm_cast"
func.func @no_row_in_the_table(%x: tensor<?x64xbf16>, %w: tensor<32x64xbf16>) -> !ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU> {
  %m = ced.matmul %x, %w : tensor<?x64xbf16>, tensor<32x64xbf16> -> tensor<?x32xbf16>
  %q = ced.quantize %m : tensor<?x32xbf16> -> !ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU>
  return %q : !ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU>
}

// One of two results is read: the kernel writes both, so both leave the group. What nobody reads at all goes.
// CHECK-LABEL: func.func @unread_results
// CHECK-NEXT: %{{.*}}:2 = ced.group "mix"
// CHECK-NOT: ced.quantize
// CHECK: return
func.func @unread_results(%x: tensor<?x64xbf16>) -> tensor<?x4x64xbf16> {
  %s, %pre = ced.hc_expand %x : tensor<?x64xbf16> -> tensor<?x4x64xbf16>, tensor<?x4xf32>
  %q = ced.quantize %x : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  return %s : tensor<?x4x64xbf16>
}
