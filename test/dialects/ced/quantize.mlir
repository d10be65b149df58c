// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @activation
func.func @activation(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // CHECK: %[[Q:.*]] = ced.quantize %{{.*}} : tensor<?x64xbf16> -> <?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  %q = ced.quantize %x : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  // CHECK: ced.dequantize %[[Q]] : <?x64, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  %y = ced.dequantize %q : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// Heads, a partial last group, and both FP4 rules.
// CHECK-LABEL: func @fp4
func.func @fp4(%q: tensor<?x4x40xbf16>, %kv: tensor<3x40xbf16>) {
  // CHECK: ced.quantize %{{.*}} : tensor<?x4x40xbf16> -> <?x4x40, f4E2M1FN, 1x32, f8E8M0FNU>
  %0 = ced.quantize %q : tensor<?x4x40xbf16> -> !ced.scaled<?x4x40, f4E2M1FN, 1x32, f8E8M0FNU>
  // CHECK: ced.quantize %{{.*}} : tensor<3x40xbf16> -> <?x40, f4E2M1FN, 1x16, f8E4M3FN, row>
  %1 = ced.quantize %kv : tensor<3x40xbf16> -> !ced.scaled<?x40, f4E2M1FN, 1x16, f8E4M3FN, row>
  return
}
