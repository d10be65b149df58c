// RUN: ced-opt %s -split-input-file -verify-diagnostics

// buffer_c1
// expected-error @below {{expected only the first dim to be dynamic, got 'memref<?x?xi32>'}}
sched.buffer @b input : memref<?x?xi32>

// -----

// buffer_c1
// expected-error @below {{expected a row-major type without memory space, got 'memref<4xi32, 1>'}}
sched.buffer @b state : memref<4xi32, 1>

// -----

// buffer_c2
// expected-error @below {{expected 'tensors', 'tensor_dtype' and 'tensor_shape' exactly on weights}}
sched.buffer @b weight : memref<4xi32>

// -----

// buffer_c3
// expected-error @below {{expected an 'offset' of at least 0, got -64}}
sched.buffer @b workspace : memref<?x4xi32> {offset = -64 : i64}

// -----

// buffer_c4
// expected-error @below {{expected a static shape on a state buffer, got 'memref<?x4xi32>'}}
sched.buffer @b state : memref<?x4xi32>

// -----

// buffer_c5
// expected-error @below {{expected 'paged' on a state only}}
sched.buffer @b input : memref<?xi32> {paged}

// -----

// buffer_c6
// expected-error @below {{expected at most 72057594037927936 bytes, got 'memref<128x9223372036854775807xi8>'}}
sched.buffer @b state : memref<128x9223372036854775807xi8>

// -----

// buffer_c6, of a row
// expected-error @below {{expected at most 1099511627776 bytes a row, got 'memref<?x1099511627777xi8>'}}
sched.buffer @b workspace : memref<?x1099511627777xi8> {offset = 0 : i64}

// -----

// buffer of something without a size
// expected-error @below {{expected a memref of numbers, got 'memref<4xindex>'}}
sched.buffer @b state : memref<4xindex>

// -----

// dispatch_c1
sched.buffer @b state : memref<4xi32>
sched.program @p logits @b {
  // expected-error @below {{expected a kernel named 'k'}}
  sched.dispatch @k [@b] : "nothing" 0
}

// -----

// dispatch_c1: a buffer is no kernel
sched.buffer @b state : memref<4xi32>
sched.program @p logits @b {
  // expected-error @below {{expected a kernel named 'b'}}
  sched.dispatch @b [@b] : "nothing" 0
}

// -----

// dispatch_c2
sched.buffer @b state : memref<4xi32>
sched.kernel @k family "f" config {} {
  sched.result
}
sched.program @p logits @b {
  // expected-error @below {{expected a buffer named @c}}
  sched.dispatch @k [@c] : "nothing" 0
}

// -----

// dispatch_c3
sched.buffer @b state : memref<4xi32>
tile.kernel @k grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%m: memref<4xi32>, %n: memref<4xi32>, %rows: index, %i: index):
  tile.return
}
sched.program @p logits @b {
  // expected-error @below {{expected 2 buffers for 'k', got 1}}
  sched.dispatch @k [@b] : "nothing" 0
}

// -----

// mark_c1
sched.buffer @b state : memref<4xi32>
sched.program @p logits @b {
  // expected-error @below {{expected a buffer named 'c'}}
  sched.mark "stream" 0 @c : memref<4xi32>
}
