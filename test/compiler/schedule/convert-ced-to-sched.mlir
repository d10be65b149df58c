// RUN: ced-opt %s -ced-form-groups -sched-plan-limits -convert-ced-to-sched | FileCheck %s

module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // Inputs and states by name, weights by tensor, workspace by value; codes and scales are two buffers.
  // CHECK-DAG: sched.buffer @tokens input : memref<?xi32>
  // CHECK-DAG: sched.buffer @pages input : memref<2x2xi32>
  // CHECK-DAG: sched.buffer @window.0 state : memref<2x20x66xi8>
  // CHECK-DAG: sched.buffer @w.weight weight : memref<64x64xi8> {tensor_dtype = "F8_E4M3", tensor_shape = array<i64: 64, 64>, tensors = ["w.weight"]}
  // CHECK-DAG: sched.buffer @w.scale weight : memref<2x2xi8> {tensor_dtype = "F8_E8M0"
  // A table whose rows are looked up and nothing else says so.
  // CHECK-DAG: sched.buffer @e.weight weight : memref<512x64xbf16> {sched.by_row,

  // Both products are one kernel.
  // CHECK: sched.kernel @linear_0 family "linear"
  // CHECK-NOT: sched.kernel @linear_1

  // CHECK-LABEL: sched.program @prefill logits @prefill_v
  // CHECK: sched.dispatch @embed_0 [@tokens, @e.weight, @prefill_v0] : "embed" 0
  // CHECK: sched.dispatch @norm_cast_0 [@prefill_v0, @prefill_v1, @prefill_v2] : "quantize" 0
  // CHECK: sched.dispatch @linear_0 [@prefill_v1, @prefill_v2, @w.weight, @w.scale, @prefill_v3] : "linear" 0
  // CHECK: sched.mark "stream" 0 @prefill_v3 : memref<?x64xbf16>
  // CHECK: sched.dispatch @norm_cast_0 [@prefill_v3, @prefill_v4, @prefill_v5] : "quantize" 1
  // The ring is written in place: no buffer for the result.
  // CHECK: sched.dispatch @cache_0 [@window.0, @prefill_v4, @prefill_v5, @positions, @slots] : "append_window" 1
  // CHECK: sched.dispatch @linear_0 [@prefill_v4, @prefill_v5, @w.weight, @w.scale, @prefill_v6] : "linear" 1
  func.func @prefill(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>,
                     %starts: tensor<?xi32>, %pages: tensor<?x?xi32>,
                     %ring: !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>> {ced.name = "window.0"})
      -> (tensor<?x64xbf16>, !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>) {
    %e = ced.weight ["e.weight"] : tensor<512x64xbf16>
    %w = ced.weight ["w"] : !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU>
    %x = ced.embed %tokens, %e : tensor<?xi32>, tensor<512x64xbf16> -> tensor<?x64xbf16>
    %q = ced.quantize %x : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
    %y = ced.linear %q, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
    %m = ced.mark "stream" 0 %y : tensor<?x64xbf16>
    %r = ced.quantize %m : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
    %ring1 = ced.append_window %ring, %r at %positions, %slots : !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
    %z = ced.linear %r, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
    return %z, %ring1 : tensor<?x64xbf16>, !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
  }
}
