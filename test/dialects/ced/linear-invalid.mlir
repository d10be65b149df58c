// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @linear_c1(%x: !ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<16x64, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.linear' op expected 'x' of format f8E4M3FN 1x32 f8E8M0FNU, got '!ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.linear %x, %w : !ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<16x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x16xbf16>
  return
}

// -----

// A 32x32 scale grid is not a 128x128 one.
func.func @linear_c1_block(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<16x64, f8E4M3FN, 128x128, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.linear' op expected 'w' of format f8E4M3FN 32x32 f8E8M0FNU or f4E2M1FN 1x32 f8E8M0FNU, got '!ced.scaled<16x64, f8E4M3FN, 128x128, f8E8M0FNU>'}}
  %0 = ced.linear %x, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<16x64, f8E4M3FN, 128x128, f8E8M0FNU> -> tensor<?x16xbf16>
  return
}

// -----

func.func @linear_c1_rank(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<2x16x64, f4E2M1FN, 1x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.linear' op expected 'w' of rank 2, got '!ced.scaled<2x16x64, f4E2M1FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.linear %x, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<2x16x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x16xbf16>
  return
}

// -----

func.func @linear_c2(%x: !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<16x64, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.linear' op expected 'x' of shape [T, 64], got '!ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.linear %x, %w : !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<16x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x16xbf16>
  return
}

// -----

func.func @linear_c2_result(%x: !ced.scaled<5x64, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<16x64, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.linear' op expected 'result' of shape [T = 5, 16], got 'tensor<5x64xbf16>'}}
  %0 = ced.linear %x, %w : !ced.scaled<5x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<16x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<5x64xbf16>
  return
}

// -----

func.func @matmul_c1(%x: tensor<?x96xbf16>, %w: tensor<8x64xbf16>) {
  // expected-error @+1 {{'ced.matmul' op expected 'x' of shape [T, 64], got 'tensor<?x96xbf16>'}}
  %0 = ced.matmul %x, %w : tensor<?x96xbf16>, tensor<8x64xbf16> -> tensor<?x8xbf16>
  return
}

// -----

func.func @matmul_c1_element(%x: tensor<?x64xf32>, %w: tensor<8x64xbf16>) {
  // expected-error @+1 {{'ced.matmul' op operand #0 must be tensor of bfloat16 type values, but got 'tensor<?x64xf32>'}}
  %0 = ced.matmul %x, %w : tensor<?x64xf32>, tensor<8x64xbf16> -> tensor<?x8xbf16>
  return
}

// -----

func.func @grouped_linear_c1(%x: tensor<?x128xbf16>, %w: !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.grouped_linear' op expected 'x' of shape [T, 256], got 'tensor<?x128xbf16>'}}
  %0 = ced.grouped_linear %x, %w groups 2 : tensor<?x128xbf16>, !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return
}

// -----

func.func @grouped_linear_c1_rows(%x: tensor<?x384xbf16>, %w: !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.grouped_linear' op expected the rows of 'w' to be a multiple of 3 groups, got 64}}
  %0 = ced.grouped_linear %x, %w groups 3 : tensor<?x384xbf16>, !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return
}

// -----

func.func @grouped_linear_c1_zero(%x: tensor<?x128xbf16>, %w: !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.grouped_linear' op expected at least 1 group, got 0}}
  %0 = ced.grouped_linear %x, %w groups 0 : tensor<?x128xbf16>, !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return
}

// -----

func.func @grouped_linear_c1_format(%x: tensor<?x256xbf16>, %w: !ced.scaled<64x128, f4E2M1FN, 1x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.grouped_linear' op expected 'w' of format f8E4M3FN 32x32 f8E8M0FNU, got '!ced.scaled<64x128, f4E2M1FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.grouped_linear %x, %w groups 2 : tensor<?x256xbf16>, !ced.scaled<64x128, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return
}

// -----

func.func @scale_type(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{'ced.scale' op operand #0 must be tensor of bfloat16 type values, but got 'tensor<?x4xf32>'}}
  %0 = ced.scale %x by 1.0 : tensor<?x4xf32>
  return
}
