// RUN: ced-opt %s -sched-plan-workspace | FileCheck %s

// 16 rows of 64 bf16 are 2048 bytes. a and c never live at the same time and share memory; b meets both.
// CHECK: sched.workspace_bytes = 4096 : i64
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // CHECK: sched.buffer @a workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.buffer @a workspace : memref<?x64xbf16> {offset = 7 : i64}
  // CHECK: sched.buffer @b workspace : memref<?x64xbf16> {offset = 2048 : i64}
  sched.buffer @b workspace : memref<?x64xbf16> {offset = 7 : i64}
  // CHECK: sched.buffer @c workspace : memref<?x64xbf16> {offset = 0 : i64}
  sched.buffer @c workspace : memref<?x64xbf16> {offset = 7 : i64}
  sched.kernel @k family "linear" config {} {
    sched.result
  }
  sched.program @p logits @c {
    sched.dispatch @k [@a] : "first" 0
    sched.dispatch @k [@a, @b] : "second" 0
    sched.dispatch @k [@b, @c] : "third" 0
  }
}

