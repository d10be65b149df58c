// RUN: ced-opt %s -split-input-file -verify-diagnostics -tile-build-kernels

module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // expected-error @below {{expected a kernel family, got 'nothing'}}
  sched.kernel @k family "nothing" config {} {
    sched.result
  }
}

// -----

// A config edited by hand is checked.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // expected-error @below {{expected positive block_n, block_m, block_k with block_k a multiple of 32 and block_n a multiple or divisor of 32}}
  sched.kernel @k family "linear" config {block_n = 24 : i64, block_m = 4 : i64, block_k = 64 : i64} {
  ^bb0(%x: tensor<?x64xbf16>, %w: tensor<8x64xbf16>):
    %y = ced.matmul %x, %w : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xbf16>
    sched.result %y : tensor<?x8xbf16>
  }
}

// -----

// A schedule edited by hand that lost a result.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.kernel @k family "linear" config {block_n = 32 : i64, block_m = 4 : i64, block_k = 64 : i64} {
  ^bb0(%x: tensor<?x64xbf16>, %w: tensor<8x64xbf16>):
    // expected-error @below {{result 0 is neither used in kernel 'k' nor among its sched.result}}
    %y = ced.matmul %x, %w : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xbf16>
    sched.result
  }
}
