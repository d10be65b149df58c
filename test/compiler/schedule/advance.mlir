// RUN: ced-opt %s -split-input-file -ced-form-groups -convert-ced-to-sched -sched-plan-workspace -verify-diagnostics | FileCheck %s

// A program that is given logits reads them where the one before left them, at the same offset; results with the names of
// inputs are written there.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // CHECK: sched.buffer @tokens input
  // CHECK: sched.buffer @decode_v0 workspace : memref<?x64xbf16> {offset = 0 : i64}
  // CHECK: sched.buffer @decode_v1 workspace : memref<?x96xf32> {offset = 2048 : i64}
  // CHECK: sched.program @decode logits @decode_v1
  // CHECK: sched.buffer @sampling state : memref<2x2xi32>
  // CHECK: sched.buffer @chosen state : memref<2x64xi32>
  // CHECK: sched.buffer @advance_v0 workspace : memref<?xi32> {offset = 0 : i64}
  // CHECK: sched.program @advance logits @decode_v1
  // CHECK-NEXT: sched.dispatch @sample_0 [@decode_v1, @sampling, @chosen, @positions, @slots, @tokens, @advance_v0]
  // CHECK-NEXT: sched.dispatch @sample_1 [@advance_v0, @positions, @starts]
  func.func @decode(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>,
                    %pages: tensor<2x2xi32>) -> (tensor<?x96xf32> {ced.name = "logits"}) {
    %e = ced.weight ["e.weight"] : tensor<96x64xbf16>
    %x = ced.embed %tokens, %e : tensor<?xi32>, tensor<96x64xbf16> -> tensor<?x64xbf16>
    %y = ced.matmul %x, %e : tensor<?x64xbf16>, tensor<96x64xbf16> -> tensor<?x96xf32>
    return %y : tensor<?x96xf32>
  }
  func.func @advance(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>,
                     %pages: tensor<2x2xi32>, %logits: tensor<?x96xf32> {ced.name = "logits"}, %how: !ced.state<2xi32> {ced.name = "sampling"},
                     %list: !ced.state<64xi32> {ced.name = "chosen"})
      -> (tensor<?xi32> {ced.name = "tokens"}, tensor<?xi32> {ced.name = "positions"}, tensor<?xi32> {ced.name = "starts"},
          !ced.state<64xi32> {ced.name = "chosen"}) {
    %t, %n, %c = ced.sample %logits by %how into %list at %positions, %slots
      : tensor<?x96xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <64xi32>
    %p, %s = ced.single_rows %n : tensor<?xi32>
    return %t, %p, %s, %c : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, !ced.state<64xi32>
  }
}

// -----

// Without logits before it there is nothing to read.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // expected-error @+1 {{expected a function before it that returns 'logits' of type 'tensor<?x96xf32>'}}
  func.func @advance(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>,
                     %pages: tensor<2x2xi32>, %logits: tensor<?x96xf32> {ced.name = "logits"}, %how: !ced.state<2xi32> {ced.name = "sampling"},
                     %list: !ced.state<64xi32> {ced.name = "chosen"}) -> (tensor<?xi32> {ced.name = "tokens"}) {
    %t, %n, %c = ced.sample %logits by %how into %list at %positions, %slots
      : tensor<?x96xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <64xi32>
    return %t : tensor<?xi32>
  }
}

// -----

// A kernel cannot write the rows that it reads.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  func.func @advance(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>,
                     %pages: tensor<2x2xi32>) -> (tensor<?xi32> {ced.name = "positions"}) {
    // expected-error @+2 {{reads an input of the step that is overwritten by then}}
    // expected-note @+1 {{written here}}
    %p, %s = ced.single_rows %positions : tensor<?xi32>
    return %p : tensor<?xi32>
  }
}

// -----

// Nor is one value two inputs.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // expected-error @+1 {{expected result 0, the new 'positions', to be written by a kernel of its own}}
  func.func @advance(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>,
                     %pages: tensor<2x2xi32>) -> (tensor<?xi32> {ced.name = "positions"}, tensor<?xi32> {ced.name = "starts"}) {
    %p, %s = ced.single_rows %slots : tensor<?xi32>
    return %p, %p : tensor<?xi32>, tensor<?xi32>
  }
}
