// RUN: ced-opt %s -split-input-file -verify-diagnostics

// The open group of ratio 4 holds three tokens.
func.func @compress_c1(%c: tensor<?x64xf32>, %g: tensor<?x64xf32>, %open: !ced.state<1x2x64xf32>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.compress' op expected 'open' of type '!ced.state<3x2x64xf32>', got '!ced.state<1x2x64xf32>'}}
  %z, %next = ced.compress %c, %g, %open at %r, %r, %r ratio 4
    : tensor<?x64xf32>, tensor<?x64xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x64xbf16>, !ced.state<1x2x64xf32>
  return
}

// -----

func.func @compress_c1_new_open(%c: tensor<?x64xf32>, %g: tensor<?x64xf32>, %open: !ced.state<1x2x64xf32>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.compress' op expected 'new_open' of type '!ced.state<1x2x64xf32>', got '!ced.state<2x64xf32>'}}
  %z, %next = ced.compress %c, %g, %open at %r, %r, %r ratio 2
    : tensor<?x64xf32>, tensor<?x64xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x64xbf16>, !ced.state<2x64xf32>
  return
}

// -----

func.func @compress_c1_gate(%c: tensor<?x64xf32>, %g: tensor<?x32xf32>, %open: !ced.state<1x2x64xf32>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.compress' op expected 'gate' of shape [T, 64], got 'tensor<?x32xf32>'}}
  %z, %next = ced.compress %c, %g, %open at %r, %r, %r ratio 2
    : tensor<?x64xf32>, tensor<?x32xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x64xbf16>, !ced.state<1x2x64xf32>
  return
}

// -----

func.func @compress_c2(%c: tensor<?x64xf32>, %g: tensor<?x64xf32>, %open: !ced.state<1x2x64xf32>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.compress' op expected ratio to be at least 2, got 1}}
  %z, %next = ced.compress %c, %g, %open at %r, %r, %r ratio 1
    : tensor<?x64xf32>, tensor<?x64xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x64xbf16>, !ced.state<1x2x64xf32>
  return
}

// -----

func.func @compress_c1_empty(%c: tensor<?x0xf32>, %open: !ced.state<1x2x64xf32>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.compress' op expected 'latent' without empty dims, got 'tensor<?x0xf32>'}}
  %z, %next = ced.compress %c, %c, %open at %r, %r, %r ratio 2
    : tensor<?x0xf32>, tensor<?x0xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x0xbf16>, !ced.state<1x2x64xf32>
  return
}
