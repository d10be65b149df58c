// RUN: ced-opt %s -ced-form-groups -ced-fuse-siblings -ced-fuse-router -ced-fuse-glue | FileCheck %s

!x8 = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
!w = !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU>
!ring = !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>

// Two products of the same rows are one kernel although other ops stand between them; so is the glue behind both.
// CHECK-LABEL: func.func @siblings
// CHECK: ced.group "phases"
// CHECK: ced.group "linear"
// CHECK: ced.group "linear"
// CHECK: ced.group "phases"
// CHECK: ced.rms_norm
// CHECK: ced.mark "norm"
// CHECK: ced.quantize
// CHECK-NOT: ced.group
// CHECK: return
func.func @siblings(%x: !x8, %a: !w, %b: !w, %n: tensor<64xbf16>) -> (tensor<?x64xbf16>, !x8) {
  %p = ced.linear %x, %a : !x8, !w -> tensor<?x64xbf16>
  %q = ced.rms_norm %p, %n eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  %m = ced.mark "norm" 0 %q : tensor<?x64xbf16>
  %r = ced.linear %x, %b : !x8, !w -> tensor<?x64xbf16>
  %s = ced.quantize %r : tensor<?x64xbf16> -> !x8
  return %m, %s : tensor<?x64xbf16>, !x8
}

// The second product reads what the glue makes of the first one: nothing may be merged across it.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: phases
// CHECK: ced.group "linear"
// CHECK-NOT: phases
// CHECK: ced.group "norm_cast"
// CHECK-NOT: phases
// CHECK: ced.group "linear"
// CHECK-NOT: phases
// CHECK: ced.group "norm_cast"
// CHECK-NOT: phases
// CHECK: return
func.func @chain(%x: !x8, %a: !w) -> !x8 {
  %p = ced.linear %x, %a : !x8, !w -> tensor<?x64xbf16>
  %q = ced.quantize %p : tensor<?x64xbf16> -> !x8
  %r = ced.linear %q, %a : !x8, !w -> tensor<?x64xbf16>
  %s = ced.quantize %r : tensor<?x64xbf16> -> !x8
  return %s : !x8
}

// The ring's old value is read by the attention: the write stays behind it, whatever level it could have.
// CHECK-LABEL: func.func @old_value
// CHECK: ced.group "attention"
// CHECK: ced.append_window
func.func @old_value(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring, %kv: tensor<?x64xbf16>, %p: tensor<?xi32>,
                     %s: tensor<?xi32>, %b: tensor<?xi32>, %t: tensor<?x?xi32>) -> (tensor<?x4x64xbf16>, !ring) {
  %c = ced.quantize %kv : tensor<?x64xbf16> -> !x8
  %o = ced.attention %q, %sink window %ring fresh %c at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, !x8, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  %new = ced.append_window %ring, %c at %p, %s : !ring, !x8, tensor<?xi32>, tensor<?xi32> -> !ring
  return %o, %new : tensor<?x4x64xbf16>, !ring
}

// Groups that read nothing are kernels like others.
// CHECK-LABEL: func.func @constant
// CHECK: ced.group "made"
// CHECK: ced.group "norm_cast"
func.func @constant(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %n = ced.group "made"() : () -> tensor<64xbf16> {
    %w = ced.weight ["w"] : tensor<64xbf16>
    ced.yield %w : tensor<64xbf16>
  }
  %q = ced.rms_norm %x, %n eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  return %q : tensor<?x64xbf16>
}
