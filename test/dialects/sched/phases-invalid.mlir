// RUN: ced-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected two kernels or more and a list of arguments for each, got 1 and 1}}
sched.phases @phases_c1 [@k] on [array<i64: 0>]

// -----

// expected-error @below {{expected a kernel of one phase named @k}}
sched.phases @phases_c2 [@k, @k] on [array<i64: 0>, array<i64: 0>]

// -----

sched.buffer @b state : memref<4xi32>
// expected-error @below {{expected a kernel of one phase named @b}}
sched.phases @phases_c2_buffer [@b, @b] on [array<i64: 0>, array<i64: 0>]

// -----

// expected-error @below {{expected arguments from 0 to 65535, got -1}}
sched.phases @phases_c3 [@k, @k] on [array<i64: 0>, array<i64: -1>]

// -----

// expected-error @below {{expected every buffer in an argument list, none has 1}}
sched.phases @phases_c3_gap [@k, @k] on [array<i64: 0>, array<i64: 2>]

// -----

tile.kernel @k grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%in: memref<?x64xf32>, %rows: index, %b: index):
  tile.return
}
// expected-error @below {{expected 1 arguments for @k, got 2}}
sched.phases @phases_c4 [@k, @k] on [array<i64: 0>, array<i64: 0, 0>]

// -----

sched.buffer @x workspace : memref<?x64xf32> {offset = 0 : i64}
tile.kernel @k grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%in: memref<?x64xf32>, %rows: index, %b: index):
  tile.return
}
sched.phases @both [@k, @k] on [array<i64: 0>, array<i64: 0>]
sched.program @p logits @x {
  sched.dispatch @both [@x] : "twice" 0
  // expected-error @below {{expected a dispatch of more than 2 phases before it}}
  sched.mark "m" 0 @x : memref<?x64xf32> {phase = 2 : i64}
}

// -----

sched.buffer @x workspace : memref<?x64xf32> {offset = 0 : i64}
tile.kernel @k grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%in: memref<?x64xf32>, %rows: index, %b: index):
  tile.return
}
sched.phases @three [@k, @k, @k] on [array<i64: 0>, array<i64: 0>, array<i64: 0>]
sched.program @p logits @x {
  sched.dispatch @three [@x] : "thrice" 0
  sched.mark "m" 0 @x : memref<?x64xf32> {phase = 2 : i64}
  // expected-error @below {{expected a place behind that of the mark before it, got phase 1}}
  sched.mark "m" 1 @x : memref<?x64xf32> {phase = 1 : i64}
}

// -----

sched.buffer @x workspace : memref<?x64xf32> {offset = 0 : i64}
tile.kernel @k grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%in: memref<?x64xf32>, %rows: index, %b: index):
  tile.return
}
sched.phases @both [@k, @k] on [array<i64: 0>, array<i64: 0>]
sched.program @p logits @x {
  sched.dispatch @both [@x] : "twice" 0
  sched.mark "m" 0 @x : memref<?x64xf32>
  // expected-error @below {{expected a place behind that of the mark before it, got phase 1}}
  sched.mark "m" 1 @x : memref<?x64xf32> {phase = 1 : i64}
}
