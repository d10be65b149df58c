// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @quantize_c1(%x: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.quantize' op expected 'x' of shape [T, 96], got 'tensor<?x64xbf16>'}}
  %q = ced.quantize %x : tensor<?x64xbf16> -> !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>
  return
}

// -----

func.func @quantize_c1_rows(%x: tensor<3x64xbf16>) {
  // expected-error @+1 {{'ced.quantize' op expected 'x' of shape [T = 4, 64], got 'tensor<3x64xbf16>'}}
  %q = ced.quantize %x : tensor<3x64xbf16> -> !ced.scaled<4x64, f8E4M3FN, 1x32, f8E8M0FNU>
  return
}

// -----

func.func @quantize_c1_unranked(%x: tensor<*xbf16>) {
  // expected-error @+1 {{'ced.quantize' op expected 'x' of shape [T, 64], got 'tensor<*xbf16>'}}
  %q = ced.quantize %x : tensor<*xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  return
}

// -----

// No quantiser makes weights.
func.func @quantize_c2(%x: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.quantize' op expected a result of format f8E4M3FN 1x32 f8E8M0FNU, f4E2M1FN 1x32 f8E8M0FNU or f4E2M1FN 1x16 f8E4M3FN, got '!ced.scaled<?x64, f8E4M3FN, 32x32, f8E8M0FNU>'}}
  %q = ced.quantize %x : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 32x32, f8E8M0FNU>
  return
}

// -----

func.func @dequantize_c1(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.dequantize' op expected 'result' of shape [T, 64], got 'tensor<?x32xbf16>'}}
  %y = ced.dequantize %x : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x32xbf16>
  return
}
