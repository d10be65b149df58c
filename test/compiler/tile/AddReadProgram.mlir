// RUN: ced-opt %s --tile-add-read-program --split-input-file --verify-diagnostics | FileCheck %s

// As many rows of 4096 bytes as the largest weight and the scratch for the results allow; tables are not read as a whole.
// CHECK: tile.kernel @read_weights
// CHECK: sched.buffer @read_result workspace : memref<16x1xf32> {offset = 0 : i64}
// CHECK: sched.program @read logits @l {
// CHECK-NEXT: sched.dispatch @read_weights [@large, @read_result] : "read" -1
module attributes {sched.limits = {max_rows = 4 : i64, max_batch = 1 : i64, max_context = 64 : i64, page = 64 : i64}, sched.workspace_bytes = 64 : i64} {
  sched.buffer @small weight : memref<64x4096xi8> {tensors = ["a"], tensor_dtype = "I8", tensor_shape = array<i64: 64, 4096>}
  sched.buffer @large weight : memref<1000x4096xi8> {tensors = ["b"], tensor_dtype = "I8", tensor_shape = array<i64: 1000, 4096>}
  sched.buffer @table weight : memref<9000x4096xi8> {tensors = ["c"], tensor_dtype = "I8", tensor_shape = array<i64: 9000, 4096>, sched.by_row}
  sched.buffer @l workspace : memref<?x4xf32> {offset = 0 : i64}
  sched.program @decode logits @l {
  }
}

// -----

// expected-error @below {{expected a weight of 32768 bytes or more to read, got 4096}}
module attributes {sched.limits = {max_rows = 4 : i64, max_batch = 1 : i64, max_context = 64 : i64, page = 64 : i64}, sched.workspace_bytes = 64 : i64} {
  sched.buffer @small weight : memref<1x4096xi8> {tensors = ["a"], tensor_dtype = "I8", tensor_shape = array<i64: 1, 4096>}
  sched.buffer @l workspace : memref<?x4xf32> {offset = 0 : i64}
  sched.program @decode logits @l {
  }
}

// -----

// expected-error @below {{expected programs, weights and a planned workspace to read with}}
module attributes {sched.limits = {max_rows = 4 : i64, max_batch = 1 : i64, max_context = 64 : i64, page = 64 : i64}} {
}
