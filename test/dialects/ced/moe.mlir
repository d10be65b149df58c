// RUN: ced-opt %s | ced-opt | FileCheck %s

!x = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
!v = !ced.scaled<?x2x128, f8E4M3FN, 1x32, f8E8M0FNU>
!up = !ced.scaled<8x128x64, f4E2M1FN, 1x32, f8E8M0FNU>
!down = !ced.scaled<8x64x128, f4E2M1FN, 1x32, f8E8M0FNU>

// CHECK-LABEL: func @moe
func.func @moe(%logits: tensor<?x8xf32>, %bias: tensor<8xf32>, %kinds: tensor<?xi32>, %x: !x, %w1: !up, %w3: !up, %w2: !down,
               %gate: tensor<?x128xbf16>, %shared: tensor<?x64xbf16>) {
  // CHECK: %[[IDS:.*]], %[[WEIGHTS:.*]] = ced.route %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} scale 1.500000e+00 : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?xi32> -> tensor<?x2xi32>, tensor<?x2xf32>
  %ids, %weights = ced.route %logits, %bias, %bias, %kinds scale 1.5
    : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?xi32> -> tensor<?x2xi32>, tensor<?x2xf32>
  // CHECK: %[[V:.*]] = ced.expert_up %{{.*}}, %[[IDS]], %[[WEIGHTS]], %{{.*}}, %{{.*}} limit 1.000000e+01 : {{.*}} -> tensor<?x2x128xbf16>
  %v = ced.expert_up %x, %ids, %weights, %w1, %w3 limit 10.0
    : !x, tensor<?x2xi32>, tensor<?x2xf32>, !up, !up -> tensor<?x2x128xbf16>
  // CHECK: %[[Q:.*]] = ced.quantize %[[V]]
  %q = ced.quantize %v : tensor<?x2x128xbf16> -> !v
  // CHECK: ced.expert_down %[[Q]], %[[IDS]], %{{.*}} : {{.*}} -> tensor<?x2x64xbf16>
  %y = ced.expert_down %q, %ids, %w2 : !v, tensor<?x2xi32>, !down -> tensor<?x2x64xbf16>
  // CHECK: ced.swiglu %{{.*}}, %{{.*}} limit 1.000000e+01 : tensor<?x128xbf16>
  %s = ced.swiglu %gate, %gate limit 10.0 : tensor<?x128xbf16>
  // CHECK: ced.combine %{{.*}}, %[[IDS]], %{{.*}} : tensor<?x2x64xbf16>, tensor<?x2xi32>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  %z = ced.combine %y, %ids, %shared : tensor<?x2x64xbf16>, tensor<?x2xi32>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  return
}
