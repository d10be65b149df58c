// RUN: ced-opt %s -split-input-file -verify-diagnostics -sched-check-arguments

// Too few buffers for a kernel that is not built yet.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 64 : i64, page = 64 : i64}} {
  sched.buffer @x input : memref<16x32xbf16>
  sched.buffer @y workspace : memref<?x32xbf16> {offset = 0 : i64}
  sched.kernel @scale_0 family "norm_cast" config {} {
  ^bb0(%x: tensor<?x32xbf16>):
    %y = ced.scale %x by 2.0 : tensor<?x32xbf16>
    sched.result %y : tensor<?x32xbf16>
  }
  sched.program @p logits @y {
    // expected-error @+1 {{'scale': kernel 'scale_0' takes 2 buffers, got 1}}
    sched.dispatch @scale_0 [@y] : "scale" 0
  }
}

// -----

// A row for each of the step's, but of another width.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 64 : i64, page = 64 : i64}} {
  sched.buffer @x workspace : memref<?x32xbf16> {offset = 0 : i64}
  sched.buffer @y workspace : memref<?x8xbf16> {offset = 1024 : i64}
  sched.kernel @scale_0 family "norm_cast" config {} {
  ^bb0(%x: tensor<?x32xbf16>):
    %y = ced.scale %x by 2.0 : tensor<?x32xbf16>
    sched.result %y : tensor<?x32xbf16>
  }
  sched.program @p logits @y {
    // expected-error @+1 {{'scale': argument 1, 'y', of kernel 'scale_0': expected 'memref<?x32xbf16>', got 'memref<?x8xbf16>'}}
    sched.dispatch @scale_0 [@x, @y] : "scale" 0
  }
}

// -----

// A weight as the place of a result.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 64 : i64, page = 64 : i64}} {
  sched.buffer @w weight : memref<16x32xbf16> {tensors = ["w"], tensor_dtype = "BF16", tensor_shape = array<i64: 16, 32>}
  sched.buffer @l workspace : memref<?x32xf32> {offset = 0 : i64}
  sched.kernel @scale_0 family "norm_cast" config {} {
  ^bb0(%x: tensor<16x32xbf16>):
    %y = ced.scale %x by 2.0 : tensor<16x32xbf16>
    sched.result %y : tensor<16x32xbf16>
  }
  sched.program @p logits @l {
    // expected-error @+1 {{'scale': argument 1 of kernel 'scale_0' is written, and 'w' is a weight}}
    sched.dispatch @scale_0 [@w, @w] : "scale" 0
  }
}

// -----

// Workspace that nobody has written.
// expected-error @+1 {{program 'p': ced.scale in 'scale' (layer 0): operand 0 is read from @x, which holds nothing that this program has written}}
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 64 : i64, page = 64 : i64}} {
  sched.buffer @x workspace : memref<?x32xbf16> {offset = 0 : i64}
  sched.buffer @y workspace : memref<?x32xbf16> {offset = 1024 : i64}
  sched.kernel @scale_0 family "norm_cast" config {} {
  ^bb0(%x: tensor<?x32xbf16>):
    %y = ced.scale %x by 2.0 : tensor<?x32xbf16>
    sched.result %y : tensor<?x32xbf16>
  }
  sched.program @p logits @y {
    sched.dispatch @scale_0 [@x, @y] : "scale" 0
  }
}

// -----

// One part of a block-scaled value is written, the other not.
// expected-error @+1 {{program 'p': ced.dequantize in 'dequantize' (layer 0): operand 0 is read from @s, which holds nothing that this program has written}}
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 64 : i64, page = 64 : i64}} {
  sched.buffer @c input : memref<16x32xi8>
  sched.buffer @s workspace : memref<16x1xi8> {offset = 0 : i64}
  sched.buffer @y workspace : memref<16x32xbf16> {offset = 1024 : i64}
  sched.kernel @dequantize_0 family "norm_cast" config {} {
  ^bb0(%x: !ced.scaled<16x32, f8E4M3FN, 1x32, f8E8M0FNU>):
    %y = ced.dequantize %x : !ced.scaled<16x32, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<16x32xbf16>
    sched.result %y : tensor<16x32xbf16>
  }
  sched.program @p logits @y {
    sched.dispatch @dequantize_0 [@c, @s, @y] : "dequantize" 0
  }
}
