// RUN: ced-interpret %s | FileCheck %s

!q8 = !ced.scaled<2x32, f8E4M3FN, 1x32, f8E8M0FNU>

// A weight's values come from its name; the identity of a reshape.
// CHECK-LABEL: @ramp
// CHECK-NEXT: [2, 2, 2] 0 1 2 3 4 5 6 7
func.func @ramp() -> tensor<2x2x2xbf16> {
  %x = ced.weight ["ramp"] : tensor<2x4xbf16>
  %y = ced.reshape %x : tensor<2x4xbf16> -> tensor<2x2x2xbf16>
  return %y : tensor<2x2x2xbf16>
}

// The element type of the result says whether the f32 sum is rounded: 257 has no bf16.
// CHECK-LABEL: @matmul_rounds
// CHECK-NEXT: [1, 1] 256
// CHECK-NEXT: [1, 1] 257
func.func @matmul_rounds() -> (tensor<1x1xbf16>, tensor<1x1xf32>) {
  %x = ced.weight ["list:256,1"] : tensor<1x2xbf16>
  %w = ced.weight ["fill:1"] : tensor<1x2xbf16>
  %rounded = ced.matmul %x, %w : tensor<1x2xbf16>, tensor<1x2xbf16> -> tensor<1x1xbf16>
  %kept = ced.matmul %x, %w : tensor<1x2xbf16>, tensor<1x2xbf16> -> tensor<1x1xf32>
  return %rounded, %kept : tensor<1x1xbf16>, tensor<1x1xf32>
}

// A group is its body; a value used again after the group keeps what it was.
// CHECK-LABEL: @group
// CHECK-NEXT: [1, 2] 3 4.5
// CHECK-NEXT: [1, 2] 2 3
func.func @group() -> (tensor<1x2xbf16>, tensor<1x2xbf16>) {
  %x = ced.weight ["list:2,3"] : tensor<1x2xbf16>
  %y = ced.group "scale" (%x) : (tensor<1x2xbf16>) -> tensor<1x2xbf16> {
  ^bb0(%a: tensor<1x2xbf16>):
    %r = ced.scale %a by 1.5 : tensor<1x2xbf16>
    ced.yield %r : tensor<1x2xbf16>
  }
  return %y, %x : tensor<1x2xbf16>, tensor<1x2xbf16>
}

// An observer sees marks in order, inside groups too, and what it writes goes on; the value before the mark stays.
// CHECK-LABEL: @marks
// CHECK-NEXT: mark seen 3 [1, 2]
// CHECK-NEXT: mark double -1 [1, 2]
// CHECK-NEXT: [1, 2] 4 6
// CHECK-NEXT: [1, 2] 2 3
func.func @marks() -> (tensor<1x2xbf16>, tensor<1x2xbf16>) {
  %x = ced.weight ["list:2,3"] : tensor<1x2xbf16>
  %y = ced.group "mark" (%x) : (tensor<1x2xbf16>) -> tensor<1x2xbf16> {
  ^bb0(%a: tensor<1x2xbf16>):
    %b = ced.mark "seen" 3 %a : tensor<1x2xbf16>
    %c = ced.mark "double" -1 %b : tensor<1x2xbf16>
    ced.yield %c : tensor<1x2xbf16>
  }
  return %y, %x : tensor<1x2xbf16>, tensor<1x2xbf16>
}

// SwiGLU clamps the gate from above only and the up branch on both sides (limit 10).
// CHECK-LABEL: @swiglu_clamp
// CHECK-NEXT: [1, 4] -4.11645e-07 0.000736237 17.625 -100
func.func @swiglu_clamp() -> tensor<1x4xbf16> {
  %gate = ced.weight ["list:-20,-12,2,20"] : tensor<1x4xbf16>
  %up = ced.weight ["list:20,-20,20,-20"] : tensor<1x4xbf16>
  %y = ced.swiglu %gate, %up limit 10.0 : tensor<1x4xbf16>
  return %y : tensor<1x4xbf16>
}

// Group 2 turns both tokens of a pair by the first one's position: rows 2 and 3 are equal.
// CHECK-LABEL: @rope_group
// CHECK-NEXT: [4, 2] 1 0 1 0 -0.416016 0.910156 -0.416016 0.910156
func.func @rope_group() -> tensor<4x2xbf16> {
  %x = ced.weight ["list:1,0"] : tensor<4x2xbf16>
  %p = ced.weight ["ramp"] : tensor<4xi32>
  %y = ced.rope %x, %p by #ced.rope<dim = 2, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 32.0, beta_slow = 1.0> group 2
         : tensor<4x2xbf16>, tensor<4xi32>
  return %y : tensor<4x2xbf16>
}

// Row 0 chooses expert 2 before 0, row 1 is an image row and takes the other bias; equal scores go to the lower expert.
// CHECK-LABEL: @route
// CHECK-NEXT: [2, 2] 2 0 1 0
func.func @route() -> tensor<2x2xi32> {
  %logits = ced.weight ["list:1,1,1.5"] : tensor<2x3xf32>
  %bias = ced.weight ["fill:0"] : tensor<3xf32>
  %bias_vl = ced.weight ["list:0,9,-9"] : tensor<3xf32>
  %kinds = ced.weight ["list:0,1"] : tensor<2xi32>
  %ids, %w = ced.route %logits, %bias, %bias_vl, %kinds scale 1.5
               : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xi32> -> tensor<2x2xi32>, tensor<2x2xf32>
  return %ids : tensor<2x2xi32>
}

// Three visible entries for k = 2, then one, then none.
// CHECK-LABEL: @topk
// CHECK-NEXT: [3, 2] 1 2 0 -1 -1 -1
func.func @topk() -> !ced.index_set<2> {
  %scores = ced.weight ["list:1,5,3,9"] : tensor<3x4xbf16>
  %positions = ced.weight ["list:6,2,0"] : tensor<3xi32>
  %set = ced.topk %scores at %positions ratio 2 : tensor<3x4xbf16>, tensor<3xi32> -> !ced.index_set<2>
  return %set : !ced.index_set<2>
}
