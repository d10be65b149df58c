// A function without a body has no limits to plan, and it is no program.
// RUN: ced-opt --sched-plan-limits %s | FileCheck %s
// RUN: not ced-opt --convert-ced-to-sched %s 2>&1 | FileCheck %s --check-prefix=CONVERT

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // CHECK: func.func private @nothing()
  // CONVERT: error: 'func.func' op expected a body of one block, got 0
  func.func private @nothing()
}
