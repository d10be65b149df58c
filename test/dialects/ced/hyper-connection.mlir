// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @sublayer
func.func @sublayer(%x: tensor<?x64xbf16>, %fn: tensor<24x256xf32>, %scale: tensor<3xf32>, %base: tensor<24xf32>, %y: tensor<?x64xbf16>) {
  // CHECK: %[[S:.*]], %[[P:.*]] = ced.hc_expand %{{.*}} : tensor<?x64xbf16> -> tensor<?x4x64xbf16>, tensor<?x4xf32>
  %s, %pre0 = ced.hc_expand %x : tensor<?x64xbf16> -> tensor<?x4x64xbf16>, tensor<?x4xf32>
  // CHECK: %{{.*}}, %[[POST:.*]], %[[COMB:.*]] = ced.hc_mix %[[S]], %{{.*}}, %{{.*}}, %{{.*}} iters 20 eps 9.99999997E-7 norm_eps 9.99999968E-21
  // CHECK-SAME: : tensor<?x4x64xbf16>, tensor<24x256xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  %pre, %post, %comb = ced.hc_mix %s, %fn, %scale, %base iters 20 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x4x64xbf16>, tensor<24x256xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  // CHECK: ced.hc_collapse %[[S]], %[[P]] : tensor<?x4x64xbf16>, tensor<?x4xf32> -> tensor<?x64xbf16>
  %a = ced.hc_collapse %s, %pre0 : tensor<?x4x64xbf16>, tensor<?x4xf32> -> tensor<?x64xbf16>
  // CHECK: ced.hc_post %{{.*}}, %[[S]], %[[POST]], %[[COMB]] : tensor<?x64xbf16>, tensor<?x4x64xbf16>, tensor<?x4xf32>, tensor<?x4x4xf32> -> tensor<?x4x64xbf16>
  %s1 = ced.hc_post %y, %s, %post, %comb : tensor<?x64xbf16>, tensor<?x4x64xbf16>, tensor<?x4xf32>, tensor<?x4x4xf32> -> tensor<?x4x64xbf16>
  return
}
