// RUN: ced-opt %s -split-input-file -verify-diagnostics

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @gather_window_c1(%ring: !ring) {
  // expected-error @+1 {{'ced.gather_window' op expected 'result' of shape}}
  %0 = ced.gather_window %ring : !ring -> tensor<?x16x64xbf16>
  return
}

// -----

!main = !ced.paged<ratio 2, page 64, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>
func.func @gather_paged_c1(%main: !main, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.gather_paged' op expected 'result' of shape}}
  %0 = ced.gather_paged %main at %pages : !main, tensor<?x?xi32> -> tensor<?x?x32xbf16>
  return
}

// -----

func.func @combine_lists_c1(%r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.combine_lists' op expected a window of at least 1 and a ring at least as long, got 16 and 15}}
  %0 = ced.combine_lists window 16 ring 15 at %r, %r : tensor<?xi32>, tensor<?xi32> -> tensor<?x16xi32>
  return
}

// -----

func.func @combine_lists_c2(%set: !ced.index_set<8>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.combine_lists' op expected ratio to be at least 1, got 0}}
  %0 = ced.combine_lists window 16 ring 20 select %set ratio 0 at %r, %r : !ced.index_set<8>, tensor<?xi32>, tensor<?xi32> -> tensor<?x24xi32>
  return
}

// -----

func.func @combine_lists_c3(%set: !ced.index_set<8>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.combine_lists' op expected 'result' of shape}}
  %0 = ced.combine_lists window 16 ring 20 select %set ratio 2 at %r, %r : !ced.index_set<8>, tensor<?xi32>, tensor<?xi32> -> tensor<?x16xi32>
  return
}

// -----

func.func @attend_c1(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %l: tensor<?x16xi32>, %ring: tensor<?x20x32xbf16>, %f: tensor<?x64xbf16>, %s: tensor<?xi32>) {
  // expected-error @+1 {{'ced.attend' op expected 'ring' of shape}}
  %0 = ced.attend %q, %sink list %l window 16 of %ring, %f at %s
    : tensor<?x4x64xbf16>, tensor<4xf32>, tensor<?x16xi32>, tensor<?x20x32xbf16>, tensor<?x64xbf16>, tensor<?xi32> -> tensor<?x4x64xbf16>
  return
}

// -----

func.func @attend_c2(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %l: tensor<?x16xi32>, %ring: tensor<?x20x64xbf16>, %f: tensor<?x64xbf16>, %s: tensor<?xi32>) {
  // expected-error @+1 {{'ced.attend' op expected a window of 1 to 16, all of the list without 'main', got 8}}
  %0 = ced.attend %q, %sink list %l window 8 of %ring, %f at %s
    : tensor<?x4x64xbf16>, tensor<4xf32>, tensor<?x16xi32>, tensor<?x20x64xbf16>, tensor<?x64xbf16>, tensor<?xi32> -> tensor<?x4x64xbf16>
  return
}

// -----

func.func @attend_c3(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %l: tensor<?x16xi32>, %ring: tensor<?x20x64xbf16>, %f: tensor<?x64xbf16>, %s: tensor<?xi32>) {
  // expected-error @+1 {{'ced.attend' op expected a result of q's type}}
  %0 = ced.attend %q, %sink list %l window 16 of %ring, %f at %s
    : tensor<?x4x64xbf16>, tensor<4xf32>, tensor<?x16xi32>, tensor<?x20x64xbf16>, tensor<?x64xbf16>, tensor<?xi32> -> tensor<?x4x32xbf16>
  return
}
