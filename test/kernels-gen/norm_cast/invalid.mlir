// RUN: ced-opt %s -split-input-file -verify-diagnostics -tile-build-kernels

!weight = !ced.scaled<?x64, f8E4M3FN, 32x32, f8E8M0FNU>

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{cannot build this kernel: expected planar codes with one row per scale to dequantise}}
  sched.kernel @k family "norm_cast" config {block_rows = 1} {
  ^bb0(%x: !weight):
    %y = ced.dequantize %x : !weight -> tensor<?x64xbf16>
    sched.result %y : tensor<?x64xbf16>
  }
}

// -----

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{cannot build this kernel: expected one row per row of the step}}
  sched.kernel @k family "norm_cast" config {block_rows = 1} {
  ^bb0(%x: tensor<8x64xbf16>):
    %y = ced.scale %x by 2.0 : tensor<8x64xbf16>
    sched.result %y : tensor<8x64xbf16>
  }
}

// -----

!q8 = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{cannot build this kernel: expected the group to yield what it quantises}}
  sched.kernel @k family "norm_cast" config {block_rows = 1} {
  ^bb0(%x: tensor<?x64xbf16>):
    %q = ced.quantize %x : tensor<?x64xbf16> -> !q8
    %y = ced.dequantize %q : !q8 -> tensor<?x64xbf16>
    sched.result %y : tensor<?x64xbf16>
  }
}

// -----

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{cannot build this kernel: expected hc_collapse, rms_norm, quantize, dequantize or scale, got ced.swiglu}}
  sched.kernel @k family "norm_cast" config {block_rows = 1} {
  ^bb0(%x: tensor<?x64xbf16>):
    %y = ced.swiglu %x, %x limit 1.0 : tensor<?x64xbf16>
    sched.result %y : tensor<?x64xbf16>
  }
}

// -----

// A config edited by hand is checked.
module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{config: expected 'block_rows' from 1 to 4 as i64, got 0 : i64}}
  sched.kernel @k family "norm_cast" config {block_rows = 0} {
  ^bb0(%x: tensor<?x64xbf16>):
    %y = ced.scale %x by 2.0 : tensor<?x64xbf16>
    sched.result %y : tensor<?x64xbf16>
  }
}

// -----

module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 64 : i64, page = 64 : i64}} {
  // expected-error @below {{config: unknown key 'bogus'; family 'norm_cast' has block_rows, stages, warps, warps_k, warps_n}}
  sched.kernel @k family "norm_cast" config {block_rows = 1, bogus = 1} {
  ^bb0(%x: tensor<?x32xbf16>):
    %y = ced.scale %x by 2.0 : tensor<?x32xbf16>
    sched.result %y : tensor<?x32xbf16>
  }
}

// -----

module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 64 : i64, page = 64 : i64}} {
  // expected-error @below {{config: expected 'stages' from 1 to 16 as i64, got 99 : i64}}
  sched.kernel @k family "norm_cast" config {block_rows = 1, stages = 99} {
  ^bb0(%x: tensor<?x32xbf16>):
    %y = ced.scale %x by 2.0 : tensor<?x32xbf16>
    sched.result %y : tensor<?x32xbf16>
  }
}
