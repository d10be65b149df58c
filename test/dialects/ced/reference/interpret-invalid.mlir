// RUN: split-file %s %t
// RUN: not ced-interpret %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ced-interpret %t/arguments.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not ced-interpret %t/expert.mlir 2>&1 | FileCheck %s --check-prefix=EXPERT

//--- unknown.mlir
// UNKNOWN: error: the reference interpreter has no evaluation of 'other.op'
func.func @unknown() {
  "other.op"() : () -> ()
  return
}

//--- arguments.mlir
// ARGUMENTS: error: @arguments: expected 1 arguments, got 0
func.func @arguments(%x: tensor<1x2xbf16>) -> tensor<1x2xbf16> {
  return %x : tensor<1x2xbf16>
}

//--- expert.mlir
// An id that no expert has is refused, never used as an index.
// EXPERT: error: expert ids: expected an expert below 2, got 5
func.func @expert() -> tensor<1x1x32xbf16> {
  %x = ced.weight ["fill:1"] : !ced.scaled<1x1x32, f8E4M3FN, 1x32, f8E8M0FNU>
  %ids = ced.weight ["fill:5"] : tensor<1x1xi32>
  %w2 = ced.weight ["fill:1"] : !ced.scaled<2x32x32, f4E2M1FN, 1x32, f8E8M0FNU>
  %y = ced.expert_down %x, %ids, %w2
         : !ced.scaled<1x1x32, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<1x1xi32>, !ced.scaled<2x32x32, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<1x1x32xbf16>
  return %y : tensor<1x1x32xbf16>
}
