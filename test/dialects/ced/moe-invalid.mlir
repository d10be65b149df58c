// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @route_c1(%logits: tensor<?x8xf32>, %bias: tensor<8xf32>, %kinds: tensor<?xi32>) {
  // expected-error @+1 {{'ced.route' op expected 1 to 8 chosen experts, got 9}}
  %ids, %weights = ced.route %logits, %bias, %bias, %kinds scale 1.5
    : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?xi32> -> tensor<?x9xi32>, tensor<?x9xf32>
  return
}

// -----

func.func @route_c1_bias(%logits: tensor<?x8xf32>, %bias: tensor<8xf32>, %bias_vl: tensor<4xf32>, %kinds: tensor<?xi32>) {
  // expected-error @+1 {{'ced.route' op expected 'bias_vl' of shape [8], got 'tensor<4xf32>'}}
  %ids, %weights = ced.route %logits, %bias, %bias_vl, %kinds scale 1.5
    : tensor<?x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<?xi32> -> tensor<?x2xi32>, tensor<?x2xf32>
  return
}

// -----

// Weights without as many columns as ids would belong to other experts.
func.func @route_c1_weights(%logits: tensor<?x8xf32>, %bias: tensor<8xf32>, %kinds: tensor<?xi32>) {
  // expected-error @+1 {{'ced.route' op expected 'weights' of shape [T, 2], got 'tensor<?x3xf32>'}}
  %ids, %weights = ced.route %logits, %bias, %bias, %kinds scale 1.5
    : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?xi32> -> tensor<?x2xi32>, tensor<?x3xf32>
  return
}

// -----

!x = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
!w1 = !ced.scaled<8x128x64, f4E2M1FN, 1x32, f8E8M0FNU>
!w3 = !ced.scaled<8x96x64, f4E2M1FN, 1x32, f8E8M0FNU>
func.func @expert_up_c1(%x: !x, %ids: tensor<?x2xi32>, %weights: tensor<?x2xf32>, %w1: !w1, %w3: !w3) {
  // expected-error @+1 {{'ced.expert_up' op expected 'w3' of shape [8, 128, 64], got '!ced.scaled<8x96x64, f4E2M1FN, 1x32, f8E8M0FNU>'}}
  %v = ced.expert_up %x, %ids, %weights, %w1, %w3 limit 10.0 : !x, tensor<?x2xi32>, tensor<?x2xf32>, !w1, !w3 -> tensor<?x2x128xbf16>
  return
}

// -----

!x = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
!w = !ced.scaled<8x128x64, f8E4M3FN, 32x32, f8E8M0FNU>
func.func @expert_up_c1_format(%x: !x, %ids: tensor<?x2xi32>, %weights: tensor<?x2xf32>, %w: !w) {
  // expected-error @+1 {{'ced.expert_up' op expected 'w1' of format f4E2M1FN 1x32 f8E8M0FNU, got '!ced.scaled<8x128x64, f8E4M3FN, 32x32, f8E8M0FNU>'}}
  %v = ced.expert_up %x, %ids, %weights, %w, %w limit 10.0 : !x, tensor<?x2xi32>, tensor<?x2xf32>, !w, !w -> tensor<?x2x128xbf16>
  return
}

// -----

!v = !ced.scaled<?x3x128, f8E4M3FN, 1x32, f8E8M0FNU>
!w = !ced.scaled<8x64x128, f4E2M1FN, 1x32, f8E8M0FNU>
func.func @expert_down_c1(%v: !v, %ids: tensor<?x2xi32>, %w: !w) {
  // expected-error @+1 {{'ced.expert_down' op expected 'v' of shape [T, 2, 128], got '!ced.scaled<?x3x128, f8E4M3FN, 1x32, f8E8M0FNU>'}}
  %y = ced.expert_down %v, %ids, %w : !v, tensor<?x2xi32>, !w -> tensor<?x2x64xbf16>
  return
}

// -----

func.func @combine_c1(%routed: tensor<?x2x64xbf16>, %ids: tensor<?x3xi32>, %shared: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.combine' op expected 'ids' of shape [T, 2], got 'tensor<?x3xi32>'}}
  %z = ced.combine %routed, %ids, %shared : tensor<?x2x64xbf16>, tensor<?x3xi32>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  return
}
