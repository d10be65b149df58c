// RUN: ced-opt %s -sched-check-workspace -split-input-file -verify-diagnostics | FileCheck %s

// What the first dispatch reads for the last time the next may write over: it waits.
// CHECK: sched.program @good
module attributes {sched.workspace_bytes = 4096 : i64, sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.buffer @a workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.buffer @b workspace : memref<?x64xbf16> {offset = 2048 : i64}
  sched.buffer @c workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.kernel @k family "linear" config {} {
    sched.result
  }
  sched.program @good logits @c {
    sched.dispatch @k [@a] : "first" 0
    sched.dispatch @k [@a, @b] : "second" 0
    sched.dispatch @k [@b, @c] : "third" 0
  }
}

// -----

// Planted: c lies over a by one byte while a is still to be read.
module attributes {sched.workspace_bytes = 8192 : i64, sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.buffer @a workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.buffer @b workspace : memref<?x64xbf16> {offset = 4096 : i64}
  sched.buffer @c workspace : memref<?x64xbf16> {offset = 2047 : i64}
  sched.kernel @k family "linear" config {} {
    sched.result
  }
  sched.program @written_over logits @b {
    sched.dispatch @k [@a] : "first" 0
    // expected-note @+1 {{written here}}
    sched.dispatch @k [@c] : "second" 0
    // expected-error @+1 {{uses buffer 'a', but 'c' lies over it and is written before}}
    sched.dispatch @k [@a, @b] : "third" 0
  }
}

// -----

// Planted: what one dispatch names must lie apart.
module attributes {sched.workspace_bytes = 8192 : i64, sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.buffer @a workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.buffer @b workspace : memref<?x64xbf16> {offset = 1024 : i64}
  sched.kernel @k family "linear" config {} {
    sched.result
  }
  sched.program @same_dispatch logits @b {
    // expected-error @+1 {{uses buffer 'a', but 'b' lies over it and is written by the same dispatch}}
    sched.dispatch @k [@a, @b] : "first" 0
  }
}

// -----

// Planted: the logits are read when the program has ended.
module attributes {sched.workspace_bytes = 8192 : i64, sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.buffer @a workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.buffer @b workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.kernel @k family "linear" config {} {
    sched.result
  }
  // expected-error @+1 {{uses buffer 'a', but 'b' lies over it and is written before}}
  sched.program @logits logits @a {
    sched.dispatch @k [@a] : "first" 0
    // expected-note @+1 {{written here}}
    sched.dispatch @k [@b] : "second" 0
  }
}

// -----

module attributes {sched.workspace_bytes = 2048 : i64, sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // expected-error @+1 {{expected to end inside the scratch area of 2048 bytes, ends at 2304}}
  sched.buffer @a workspace : memref<?x64xbf16> {offset = 256 : i64}
  sched.kernel @k family "linear" config {} {
    sched.result
  }
  sched.program @outside logits @a {
    sched.dispatch @k [@a] : "first" 0
  }
}
