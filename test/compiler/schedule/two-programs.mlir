// RUN: ced-opt %s -ced-form-groups -convert-ced-to-sched | FileCheck %s

// Programs take the places of their functions, also where functions are all that the module has. They share inputs.
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // CHECK: sched.buffer @tokens
  // CHECK-NOT: sched.buffer @tokens
  // CHECK: sched.program @prefill
  // CHECK: sched.dispatch @embed_0 [@tokens, @e.weight, @prefill_v0]
  // CHECK: sched.program @decode
  // CHECK: sched.dispatch @embed_0 [@tokens, @e.weight, @decode_v0]
  func.func @prefill(%tokens: tensor<?xi32>) -> tensor<?x64xbf16> {
    %e = ced.weight ["e.weight"] : tensor<512x64xbf16>
    %x = ced.embed %tokens, %e : tensor<?xi32>, tensor<512x64xbf16> -> tensor<?x64xbf16>
    return %x : tensor<?x64xbf16>
  }
  func.func @decode(%tokens: tensor<?xi32>) -> tensor<?x64xbf16> {
    %e = ced.weight ["e.weight"] : tensor<512x64xbf16>
    %x = ced.embed %tokens, %e : tensor<?xi32>, tensor<512x64xbf16> -> tensor<?x64xbf16>
    return %x : tensor<?x64xbf16>
  }
}
