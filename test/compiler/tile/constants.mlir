// RUN: ced-opt %s -sched-select-configs -tile-build-kernels | FileCheck %s

// An argument is constant where every dispatch gives a weight for it. What a dispatch writes, a state or the step's input
// is none; a kernel without any still learns that it is part of a program.
// CHECK: tile.kernel @linear_0 {{.*}} attributes {tile.constants = array<i64: 1>}
// CHECK: tile.kernel @linear_1 {{.*}} attributes {tile.constants = array<i64>}
// Nobody dispatches this one.
// CHECK: tile.kernel @linear_2
// CHECK-NOT: tile.constants
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.buffer @w weight : memref<8x64xbf16> {tensors = ["w"], tensor_dtype = "BF16", tensor_shape = array<i64: 8, 64>}
  sched.buffer @v weight : memref<8x64xbf16> {tensors = ["v"], tensor_dtype = "BF16", tensor_shape = array<i64: 8, 64>}
  sched.buffer @x workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.buffer @m workspace : memref<8x64xbf16> {offset = 8192 : i64}
  sched.buffer @y workspace : memref<?x8xbf16> {offset = 16384 : i64}
  sched.kernel @linear_0 family "linear" config {} {
  ^bb0(%x: tensor<?x64xbf16>, %w: tensor<8x64xbf16>):
    %y = ced.matmul %x, %w : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xbf16>
    sched.result %y : tensor<?x8xbf16>
  }
  sched.kernel @linear_1 family "linear" config {} {
  ^bb0(%x: tensor<?x64xbf16>, %w: tensor<8x64xbf16>):
    %y = ced.matmul %x, %w : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xbf16>
    sched.result %y : tensor<?x8xbf16>
  }
  sched.kernel @linear_2 family "linear" config {} {
  ^bb0(%x: tensor<?x64xbf16>, %w: tensor<8x64xbf16>):
    %y = ced.matmul %x, %w : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xbf16>
    sched.result %y : tensor<?x8xbf16>
  }
  sched.program @decode logits @y {
    sched.dispatch @linear_0[@x, @w, @y] : "matmul" 0
    sched.dispatch @linear_0[@x, @v, @y] : "matmul" 1
    sched.dispatch @linear_1[@x, @v, @y] : "matmul" 1
    sched.dispatch @linear_1[@x, @m, @y] : "matmul" 1
  }
}
