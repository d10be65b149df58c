// RUN: ced-opt %s -ced-form-groups -ced-fuse-router -ced-fuse-glue -ced-fuse-ends | FileCheck %s

!x8 = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
!w = !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU>

// A cast that alone reads a product is its last phase; the product behind it stays a kernel.
// CHECK-LABEL: func.func @cast
// CHECK: ced.group "phases"
// CHECK: ced.group "linear"
// CHECK: ced.group "norm_cast"
// CHECK: ced.quantize
// CHECK-NOT: phases
// CHECK: ced.group "linear"
// CHECK: return
func.func @cast(%x: !x8, %a: !w) -> tensor<?x64xbf16> {
  %p = ced.linear %x, %a : !x8, !w -> tensor<?x64xbf16>
  %q = ced.quantize %p : tensor<?x64xbf16> -> !x8
  %r = ced.linear %q, %a : !x8, !w -> tensor<?x64xbf16>
  return %r : tensor<?x64xbf16>
}

// Where something else reads the product as well, it would wait for the cast.
// CHECK-LABEL: func.func @read_twice
// CHECK-NOT: phases
// CHECK: return
func.func @read_twice(%x: !x8, %a: !w, %b: tensor<64x64xbf16>) -> (!x8, tensor<?x64xf32>) {
  %p = ced.linear %x, %a : !x8, !w -> tensor<?x64xbf16>
  %q = ced.quantize %p : tensor<?x64xbf16> -> !x8
  %r = ced.matmul %p, %b : tensor<?x64xbf16>, tensor<64x64xbf16> -> tensor<?x64xf32>
  return %q, %r : !x8, tensor<?x64xf32>
}

// The router is one kernel with the glue that makes its rows.
// CHECK-LABEL: func.func @router
// CHECK: ced.group "phases"
// CHECK: ced.group "norm_cast"
// CHECK: ced.group "linear"
// CHECK: ced.group "route"
// CHECK-NOT: ced.group
// CHECK: return
func.func @router(%x: tensor<?x64xbf16>, %n: tensor<64xbf16>, %w: tensor<8x64xbf16>, %bias: tensor<8xf32>, %kinds: tensor<?xi32>) -> (tensor<?x2xi32>, tensor<?x2xf32>) {
  %f = ced.rms_norm %x, %n eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  %l = ced.matmul %f, %w : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xf32>
  %i, %v = ced.route %l, %bias, %bias, %kinds scale 1.5 : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?xi32> -> tensor<?x2xi32>, tensor<?x2xf32>
  return %i, %v : tensor<?x2xi32>, tensor<?x2xf32>
}
