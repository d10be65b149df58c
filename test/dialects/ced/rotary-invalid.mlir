// RUN: ced-opt %s -split-input-file -verify-diagnostics

#rope = #ced.rope<dim = 16, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 32.0, beta_slow = 1.0>
func.func @rope_c1(%x: tensor<?x8xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.rope' op expected 'x' with at least rope.dim = 16 columns, got 'tensor<?x8xbf16>'}}
  %0 = ced.rope %x, %positions by #rope group 1 : tensor<?x8xbf16>, tensor<?xi32>
  return
}

// -----

#rope = #ced.rope<dim = 16, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 32.0, beta_slow = 1.0>
func.func @rope_c1_rank(%x: tensor<?x2x2x16xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.rope' op expected 'x' of shape [T, D] or [T, H, D], got 'tensor<?x2x2x16xbf16>'}}
  %0 = ced.rope %x, %positions by #rope group 1 : tensor<?x2x2x16xbf16>, tensor<?xi32>
  return
}

// -----

#rope = #ced.rope<dim = 16, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 32.0, beta_slow = 1.0>
func.func @rope_c1_rows(%x: tensor<4x16xbf16>, %positions: tensor<5xi32>) {
  // expected-error @+1 {{'ced.rope' op expected 'positions' of shape [T = 4], got 'tensor<5xi32>'}}
  %0 = ced.rope %x, %positions by #rope group 1 : tensor<4x16xbf16>, tensor<5xi32>
  return
}

// -----

#rope = #ced.rope<dim = 16, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 32.0, beta_slow = 1.0>
func.func @rope_c2(%x: tensor<?x16xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.rope' op expected group to be at least 1, got 0}}
  %0 = ced.rope %x, %positions by #rope group 0 : tensor<?x16xbf16>, tensor<?xi32>
  return
}
