// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @sample_c1(%l: tensor<3x512xf32>, %how: !ced.state<2xi32>, %list: !ced.state<64xi32>, %r: tensor<4xi32>) {
  // expected-error @+1 {{'ced.sample' op expected 'positions' of shape [T = 3], got 'tensor<4xi32>'}}
  %t, %n, %c = ced.sample %l by %how into %list at %r, %r
    : tensor<3x512xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>, tensor<4xi32>, <64xi32>
  return
}

// -----

func.func @sample_c2(%l: tensor<?x512xf32>, %how: !ced.state<3xi32>, %list: !ced.state<64xi32>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.sample' op expected 'sampling' of type '!ced.state<2xi32>', got '!ced.state<3xi32>'}}
  %t, %n, %c = ced.sample %l by %how into %list at %r, %r
    : tensor<?x512xf32>, !ced.state<3xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <64xi32>
  return
}

// -----

func.func @sample_c3(%l: tensor<?x512xf32>, %how: !ced.state<2xi32>, %list: !ced.state<8x8xi32>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.sample' op expected 'chosen' to be a list of i32 for each slot, got '!ced.state<8x8xi32>'}}
  %t, %n, %c = ced.sample %l by %how into %list at %r, %r
    : tensor<?x512xf32>, !ced.state<2xi32>, !ced.state<8x8xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <8x8xi32>
  return
}
