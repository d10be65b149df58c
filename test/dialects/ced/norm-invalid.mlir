// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @rms_norm_c1(%x: tensor<?x5120xbf16>, %w: tensor<4096xbf16>) {
  // expected-error @+1 {{'ced.rms_norm' op expected 'w' of shape [5120], got 'tensor<4096xbf16>'}}
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x5120xbf16>, tensor<4096xbf16>
  return
}

// -----

func.func @rms_norm_c1_dynamic_weight(%x: tensor<?x64xbf16>, %w: tensor<?xbf16>) {
  // expected-error @+1 {{'ced.rms_norm' op expected 'w' of shape [64], got 'tensor<?xbf16>'}}
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<?xbf16>
  return
}

// -----

func.func @rms_norm_c1_dynamic_row(%x: tensor<?x?xbf16>, %w: tensor<64xbf16>) {
  // expected-error @+1 {{'ced.rms_norm' op expected 'x' with a static last dim, got 'tensor<?x?xbf16>'}}
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x?xbf16>, tensor<64xbf16>
  return
}
