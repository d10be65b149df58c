// RUN: ced-opt %s -split-input-file -verify-diagnostics

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @append_window_c1(%ring: !ring, %kv: !ced.scaled<?x64, f8E4M3FN, 1x16, f8E8M0FNU>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.append_window' op expected 'rows' in the format of the cache's rows '!ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>', got '!ced.scaled<?x64, f8E4M3FN, 1x16, f8E8M0FNU>'}}
  %0 = ced.append_window %ring, %kv at %r, %r : !ring, !ced.scaled<?x64, f8E4M3FN, 1x16, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> !ring
  return
}

// -----

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @append_window_c1_columns(%ring: !ring, %kv: !ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.append_window' op expected 'rows' of shape [T, 64], got '!ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.append_window %ring, %kv at %r, %r : !ring, !ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> !ring
  return
}

// -----

// Slack is part of the type: a ring does not change size by being written.
!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!longer = !ced.window<16 + 8, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
func.func @append_window_type(%ring: !ring, %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %r: tensor<?xi32>) {
  // expected-error @+1 {{'ced.append_window' op failed to verify that all of {window, result} have same type}}
  %0 = ced.append_window %ring, %kv at %r, %r : !ring, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> !longer
  return
}

// -----

// 64 FP4 codes with 1x32 UE8M0 scales are not 64 FP4 codes with 1x16 E4M3 scales.
!main = !ced.paged<ratio 2, page 64, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>
func.func @append_paged_c1(%main: !main, %e: !ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.append_paged' op expected 'rows' in the format of the cache's rows '!ced.scaled<64, f4E2M1FN, 1x16, f8E4M3FN, row>', got '!ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.append_paged %main, %e at %r, %r, %pages : !main, !ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> !main
  return
}

// -----

!main = !ced.paged<ratio 2, page 64, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>
func.func @append_paged_c1_rows(%main: !main, %e: !ced.scaled<3x64, f4E2M1FN, 1x16, f8E4M3FN>, %r: tensor<4xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.append_paged' op expected 'positions' of shape [T = 3], got 'tensor<4xi32>'}}
  %0 = ced.append_paged %main, %e at %r, %r, %pages : !main, !ced.scaled<3x64, f4E2M1FN, 1x16, f8E4M3FN>, tensor<4xi32>, tensor<4xi32>, tensor<?x?xi32> -> !main
  return
}
