// RUN: ced-opt %s -sched-plan-limits -convert-ced-to-sched=keep-misses | FileCheck %s
// RUN: ced-opt %s -sched-plan-limits "-convert-ced-to-sched=keep-misses costs-only" -verify-each=false -mlir-print-op-generic | FileCheck --check-prefix=COSTS %s

// Groups are one kernel where types, attributes and the wiring inside are equal; names of values do not matter.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // CHECK-COUNT-3: sched.kernel @norm_cast_
  // CHECK-NOT: sched.kernel
  // CHECK-LABEL: sched.program @prefill
  // CHECK: sched.dispatch @norm_cast_0 [@tokens.x, @n, @prefill_v0]
  // CHECK: sched.dispatch @norm_cast_1 [@prefill_v0, @n, @prefill_v1]
  // CHECK: sched.dispatch @norm_cast_2 [@prefill_v1, @n, @prefill_v2]
  // CHECK: sched.dispatch @norm_cast_0 [@prefill_v2, @n, @prefill_v3]

  // Where costs alone are wanted, a buffer names the first of its tensors.
  // COSTS: sym_name = "e.0.w1.weight"
  // COSTS-SAME: tensors = ["e.0.w1.weight"]{{[,}]}}
  func.func @prefill(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>,
                     %starts: tensor<?xi32>, %pages: tensor<?x?xi32>, %in: tensor<?x64xbf16> {ced.name = "tokens.x"}) -> tensor<?x64xbf16> {
    %w = ced.weight ["n"] : tensor<64xbf16>
    %experts = ced.weight ["e.0.w1", "e.1.w1"] : !ced.scaled<2x32x64, f4E2M1FN, 1x32, f8E8M0FNU>
    %first = ced.group "norm_cast" (%in, %w) : (tensor<?x64xbf16>, tensor<64xbf16>) -> tensor<?x64xbf16> {
    ^bb0(%x: tensor<?x64xbf16>, %v: tensor<64xbf16>):
      %n1 = ced.rms_norm %x, %v eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      %n2 = ced.rms_norm %n1, %v eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      ced.yield %n2 : tensor<?x64xbf16>
    }
    %second = ced.group "norm_cast" (%first, %w) : (tensor<?x64xbf16>, tensor<64xbf16>) -> tensor<?x64xbf16> {
    ^bb0(%x: tensor<?x64xbf16>, %v: tensor<64xbf16>):
      %n1 = ced.rms_norm %x, %v eps 1.0e-06 : tensor<?x64xbf16>, tensor<64xbf16>
      %n2 = ced.rms_norm %n1, %v eps 1.0e-06 : tensor<?x64xbf16>, tensor<64xbf16>
      ced.yield %n2 : tensor<?x64xbf16>
    }
    %third = ced.group "norm_cast" (%second, %w) : (tensor<?x64xbf16>, tensor<64xbf16>) -> tensor<?x64xbf16> {
    ^bb0(%x: tensor<?x64xbf16>, %v: tensor<64xbf16>):
      %n1 = ced.rms_norm %x, %v eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      %n2 = ced.rms_norm %x, %v eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      ced.yield %n2 : tensor<?x64xbf16>
    }
    %again = ced.group "norm_cast" (%third, %w) : (tensor<?x64xbf16>, tensor<64xbf16>) -> tensor<?x64xbf16> {
    ^bb0(%x: tensor<?x64xbf16>, %v: tensor<64xbf16>):
      %other1 = ced.rms_norm %x, %v eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      %other2 = ced.rms_norm %other1, %v eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      ced.yield %other2 : tensor<?x64xbf16>
    }
    return %again : tensor<?x64xbf16>
  }
}
