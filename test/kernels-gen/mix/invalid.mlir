// RUN: ced-opt %s -split-input-file -verify-diagnostics -tile-build-kernels

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{cannot build this kernel: expected at most 8 streams, got 9}}
  sched.kernel @k family "mix" config {block_cols = 32} {
  ^bb0(%x: tensor<?x64xbf16>):
    %s, %pre = ced.hc_expand %x : tensor<?x64xbf16> -> tensor<?x9x64xbf16>, tensor<?x9xf32>
    sched.result %s, %pre : tensor<?x9x64xbf16>, tensor<?x9xf32>
  }
}

// -----

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{expected positive block_rows and block_k and a split of 1 or 3}}
  sched.kernel @k family "mix" config {block_rows = 4, block_k = 64, split = 2} {
  ^bb0(%x: tensor<?x1x64xbf16>, %fn: tensor<3x64xf32>, %scale: tensor<3xf32>, %base: tensor<3xf32>):
    %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 2 eps 1.0e-6 norm_eps 1.0e-20
      : tensor<?x1x64xbf16>, tensor<3x64xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1x1xf32>
    sched.result %pre, %post, %comb : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1x1xf32>
  }
}
