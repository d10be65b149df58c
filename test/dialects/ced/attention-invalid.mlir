// RUN: ced-opt %s -split-input-file -verify-diagnostics

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @attention_c1(%q: tensor<?x4x64xbf16>, %sink: tensor<8xf32>, %ring: !ring, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.attention' op expected 'sink' of shape [4], got 'tensor<8xf32>'}}
  %0 = ced.attention %q, %sink window %ring at %r, %r, %r, %pages
    : tensor<?x4x64xbf16>, tensor<8xf32>, !ring, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return
}

// -----

!ring = !ced.window<16 + 4, <128, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @attention_c1_window(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.attention' op expected 'window' with rows of 64 columns, got '!ced.scaled<128, f8E4M3FN, 1x32, f8E8M0FNU, row>'}}
  %0 = ced.attention %q, %sink window %ring at %r, %r, %r, %pages
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return
}

// -----

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!main = !ced.paged<ratio 2, page 64, <128, f4E2M1FN, 1x16, f8E4M3FN, row>>
func.func @attention_c1_main(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring, %main: !main, %index: !ced.index_set<16>, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.attention' op expected 'main' with rows of 64 columns, got '!ced.scaled<128, f4E2M1FN, 1x16, f8E4M3FN, row>'}}
  %0 = ced.attention %q, %sink window %ring main %main select %index at %r, %r, %r, %pages
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, !main, !ced.index_set<16>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return
}

// -----

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!rows = !ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>
func.func @attention_c1_fresh(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring, %kv: !rows, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.attention' op expected 'fresh' in the format of the window's rows '!ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>', got '!ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.attention %q, %sink window %ring fresh %kv at %r, %r, %r, %pages
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, !rows, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return
}

// -----

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @attention_c2(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring, %index: !ced.index_set<16>, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.attention' op expected 'main' and 'index' together, got only 'index'}}
  %0 = "ced.attention"(%q, %sink, %ring, %index, %r, %r, %r, %pages) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 1, 1, 1>}>
    : (tensor<?x4x64xbf16>, tensor<4xf32>, !ring, !ced.index_set<16>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>) -> tensor<?x4x64xbf16>
  return
}

// -----

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @attention_c3(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.attention' op expected a result of q's type 'tensor<?x4x64xbf16>', got 'tensor<?x256xbf16>'}}
  %0 = ced.attention %q, %sink window %ring at %r, %r, %r, %pages
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x256xbf16>
  return
}
