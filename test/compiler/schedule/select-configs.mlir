// RUN: ced-opt %s "-sched-select-configs=target=nvptx chip=sm_90a" | FileCheck %s
// RUN: ced-opt %s "-sched-select-configs=target=x86 chip=avx2" | FileCheck --check-prefix=CPU %s

// Decode has at most 4 rows: on a GPU it wants a product of its own, alone and in a kernel of phases. On a CPU one config does for both.
module attributes {sched.limits = {max_rows = 1024 : i64, max_batch = 4 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.buffer @x workspace : memref<?x5120xbf16> {offset = 0 : i64}
  sched.buffer @w weight : memref<384x5120xbf16> {tensors = ["w"], tensor_dtype = "BF16", tensor_shape = array<i64: 384, 5120>}
  sched.buffer @y workspace : memref<?x384xf32> {offset = 0 : i64}
  // CHECK: sched.kernel @linear_0 family "linear" config {block_k = [[K:[0-9]+]] : i64, block_m = 32
  // CHECK: sched.kernel @linear_0_decode family "linear" config {block_k = [[K]] : i64, block_m = 8
  // CPU: sched.kernel @linear_0 family "linear"
  // CPU-NOT: sched.kernel @linear_0_decode
  sched.kernel @linear_0 family "linear" config {} {
  ^bb0(%x: tensor<?x5120xbf16>, %w: tensor<384x5120xbf16>):
    %y = ced.matmul %x, %w : tensor<?x5120xbf16>, tensor<384x5120xbf16> -> tensor<?x384xf32>
    sched.result %y : tensor<?x384xf32>
  }
  // A config that is there is obeyed, in every program.
  // CHECK: sched.kernel @linear_1 family "linear" config {block_k = 32 : i64}
  // CHECK-NOT: @linear_1_decode
  sched.kernel @linear_1 family "linear" config {block_k = 32 : i64} {
  ^bb0(%x: tensor<?x5120xbf16>, %w: tensor<384x5120xbf16>):
    %y = ced.matmul %x, %w : tensor<?x5120xbf16>, tensor<384x5120xbf16> -> tensor<?x384xf32>
    sched.result %y : tensor<?x384xf32>
  }
  // CHECK: sched.phases @phases_0 [@linear_0, @linear_1]
  // CHECK: sched.phases @phases_0_decode [@linear_0_decode, @linear_1]
  // CPU: sched.phases @phases_0 [@linear_0, @linear_1]
  // CPU-NOT: sched.phases
  sched.phases @phases_0 [@linear_0, @linear_1] on [array<i64: 0, 1, 2>, array<i64: 0, 1, 2>]
  // CHECK: sched.program @prefill
  // CHECK: sched.dispatch @linear_0 [
  // CHECK: sched.dispatch @phases_0 [
  sched.program @prefill logits @y {
    sched.dispatch @linear_0 [@x, @w, @y] : "matmul" 0
    sched.dispatch @phases_0 [@x, @w, @y] : "matmul" 0
  }
  // CHECK: sched.program @decode
  // CHECK: sched.dispatch @linear_0_decode [
  // CHECK: sched.dispatch @phases_0_decode [
  // CPU: sched.program @decode
  // CPU: sched.dispatch @linear_0 [
  // CPU: sched.dispatch @phases_0 [
  sched.program @decode logits @y attributes {sched.rows = 4 : i64} {
    sched.dispatch @linear_0 [@x, @w, @y] : "matmul" 0
    sched.dispatch @phases_0 [@x, @w, @y] : "matmul" 0
  }
}
