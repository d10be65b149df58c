// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @hc_expand_c1(%x: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.hc_expand' op expected 'pre' of shape [T, 4], got 'tensor<?x3xf32>'}}
  %s, %pre = ced.hc_expand %x : tensor<?x64xbf16> -> tensor<?x4x64xbf16>, tensor<?x3xf32>
  return
}

// -----

func.func @hc_expand_c1_rank(%x: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.hc_expand' op expected 'stream' of rank 3, got 'tensor<?x64xbf16>'}}
  %s, %pre = ced.hc_expand %x : tensor<?x64xbf16> -> tensor<?x64xbf16>, tensor<?x4xf32>
  return
}

// -----

func.func @hc_mix_c1(%s: tensor<?x4x64xbf16>, %fn: tensor<20x256xf32>, %scale: tensor<3xf32>, %base: tensor<24xf32>) {
  // expected-error @+1 {{'ced.hc_mix' op expected 'fn' of shape [24, 256], got 'tensor<20x256xf32>'}}
  %pre, %post, %comb = ced.hc_mix %s, %fn, %scale, %base iters 20 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x4x64xbf16>, tensor<20x256xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  return
}

// -----

func.func @hc_mix_c2(%s: tensor<?x4x64xbf16>, %fn: tensor<24x256xf32>, %scale: tensor<3xf32>, %base: tensor<24xf32>) {
  // expected-error @+1 {{'ced.hc_mix' op expected at least 1 iteration, got 0}}
  %pre, %post, %comb = ced.hc_mix %s, %fn, %scale, %base iters 0 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x4x64xbf16>, tensor<24x256xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  return
}

// -----

func.func @hc_collapse_c1(%s: tensor<?x4x64xbf16>, %pre: tensor<?x5xf32>) {
  // expected-error @+1 {{'ced.hc_collapse' op expected 'pre' of shape [T, 4], got 'tensor<?x5xf32>'}}
  %a = ced.hc_collapse %s, %pre : tensor<?x4x64xbf16>, tensor<?x5xf32> -> tensor<?x64xbf16>
  return
}

// -----

func.func @hc_collapse_c1_rows(%s: tensor<7x4x64xbf16>, %pre: tensor<6x4xf32>) {
  // expected-error @+1 {{'ced.hc_collapse' op expected 'pre' of shape [T = 7, 4], got 'tensor<6x4xf32>'}}
  %a = ced.hc_collapse %s, %pre : tensor<7x4x64xbf16>, tensor<6x4xf32> -> tensor<7x64xbf16>
  return
}

// -----

func.func @hc_post_c1(%y: tensor<?x64xbf16>, %s: tensor<?x4x64xbf16>, %post: tensor<?x4xf32>, %comb: tensor<?x4x3xf32>) {
  // expected-error @+1 {{'ced.hc_post' op expected 'comb' of shape [T, 4, 4], got 'tensor<?x4x3xf32>'}}
  %x = ced.hc_post %y, %s, %post, %comb : tensor<?x64xbf16>, tensor<?x4x64xbf16>, tensor<?x4xf32>, tensor<?x4x3xf32> -> tensor<?x4x64xbf16>
  return
}
