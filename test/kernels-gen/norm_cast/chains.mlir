// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// Every chain that fusion makes, at small and odd sizes; no two threads write one element (case 102). A norm's sum has its own order: its result may be one
// ulp off, and what is quantised from it a neighbouring code.

!q8 = !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>
!q4i = !ced.scaled<?x3x40, f4E2M1FN, 1x32, f8E8M0FNU>
!q4m = !ced.scaled<?x48, f4E2M1FN, 1x16, f8E4M3FN>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

func.func @rms_norm(%x: tensor<?x80xbf16>, %w: tensor<80xbf16>) -> (tensor<?x80xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x80xbf16>, tensor<80xbf16>
  return %y : tensor<?x80xbf16>
}

func.func @rms_norm_odd(%x: tensor<?x33xbf16>, %w: tensor<33xbf16>) -> (tensor<?x33xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.rms_norm %x, %w eps 1.0e-6 : tensor<?x33xbf16>, tensor<33xbf16>
  return %y : tensor<?x33xbf16>
}

func.func @rms_norm_heads(%x: tensor<?x5x64xbf16>, %w: tensor<64xbf16>) -> (tensor<?x5x64xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x5x64xbf16>, tensor<64xbf16>
  return %y : tensor<?x5x64xbf16>
}

func.func @norm_quantize(%x: tensor<?x96xbf16>, %w: tensor<96xbf16>) -> (!q8 {check.codes = 0.02}) attributes {check.alone} {
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x96xbf16>, tensor<96xbf16>
  %q = ced.quantize %y : tensor<?x96xbf16> -> !q8
  return %q : !q8
}

// The norm itself is wanted too.
func.func @norm_quantize_both(%x: tensor<?x96xbf16>, %w: tensor<96xbf16>) -> (tensor<?x96xbf16> {check.ulp = 1}, !q8 {check.codes = 0.02}) {
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x96xbf16>, tensor<96xbf16>
  %q = ced.quantize %y : tensor<?x96xbf16> -> !q8
  return %y, %q : tensor<?x96xbf16>, !q8
}

func.func @collapse(%x: tensor<?x4x96xbf16>, %pre: tensor<?x4xf32>) -> tensor<?x96xbf16> {
  %c = ced.hc_collapse %x, %pre : tensor<?x4x96xbf16>, tensor<?x4xf32> -> tensor<?x96xbf16>
  return %c : tensor<?x96xbf16>
}

func.func @collapse_two(%x: tensor<?x2x33xbf16>, %pre: tensor<?x2xf32>) -> tensor<?x33xbf16> {
  %c = ced.hc_collapse %x, %pre : tensor<?x2x33xbf16>, tensor<?x2xf32> -> tensor<?x33xbf16>
  return %c : tensor<?x33xbf16>
}

func.func @collapse_norm_quantize(%x: tensor<?x4x96xbf16>, %pre: tensor<?x4xf32>, %w: tensor<96xbf16>)
    -> (tensor<?x96xbf16>, tensor<?x96xbf16> {check.ulp = 1}, !q8 {check.codes = 0.02}) attributes {check.alone} {
  %c = ced.hc_collapse %x, %pre : tensor<?x4x96xbf16>, tensor<?x4xf32> -> tensor<?x96xbf16>
  %y = ced.rms_norm %c, %w eps 1.0e-20 : tensor<?x96xbf16>, tensor<96xbf16>
  %q = ced.quantize %y : tensor<?x96xbf16> -> !q8
  return %c, %y, %q : tensor<?x96xbf16>, tensor<?x96xbf16>, !q8
}

// Four rows a tile, the last one cut.
func.func @collapse_norm_quantize_tiles(%x: tensor<?x4x75xbf16>, %pre: tensor<?x4xf32>, %w: tensor<75xbf16>)
    -> (tensor<?x75xbf16> {check.ulp = 1}, !ced.scaled<?x75, f8E4M3FN, 1x32, f8E8M0FNU> {check.codes = 0.02})
    attributes {check.alone, check.config = {block_rows = 4, warps = 4}} {
  %c = ced.hc_collapse %x, %pre : tensor<?x4x75xbf16>, tensor<?x4xf32> -> tensor<?x75xbf16>
  %y = ced.rms_norm %c, %w eps 1.0e-20 : tensor<?x75xbf16>, tensor<75xbf16>
  %q = ced.quantize %y : tensor<?x75xbf16> -> !ced.scaled<?x75, f8E4M3FN, 1x32, f8E8M0FNU>
  return %y, %q : tensor<?x75xbf16>, !ced.scaled<?x75, f8E4M3FN, 1x32, f8E8M0FNU>
}

// Two heads a tile of three.
func.func @quantize_q4i_tiles(%x: tensor<?x3x40xbf16>) -> !q4i attributes {check.config = {block_rows = 2, warps = 2}} {
  %q = ced.quantize %x : tensor<?x3x40xbf16> -> !q4i
  return %q : !q4i
}

func.func @quantize_q8(%x: tensor<?x96xbf16>) -> !q8 {
  %q = ced.quantize %x : tensor<?x96xbf16> -> !q8
  return %q : !q8
}

// The last group of a row holds the rest.
func.func @quantize_q8_rest(%x: tensor<?x75xbf16>) -> !ced.scaled<?x75, f8E4M3FN, 1x32, f8E8M0FNU> {
  %q = ced.quantize %x : tensor<?x75xbf16> -> !ced.scaled<?x75, f8E4M3FN, 1x32, f8E8M0FNU>
  return %q : !ced.scaled<?x75, f8E4M3FN, 1x32, f8E8M0FNU>
}

func.func @quantize_q4i_heads(%x: tensor<?x3x40xbf16>) -> !q4i {
  %q = ced.quantize %x : tensor<?x3x40xbf16> -> !q4i
  return %q : !q4i
}

func.func @quantize_q4m(%x: tensor<?x48xbf16>) -> !q4m {
  %q = ced.quantize %x : tensor<?x48xbf16> -> !q4m
  return %q : !q4m
}

func.func @quantize_q4m_rest(%x: tensor<?x42xbf16>) -> !ced.scaled<?x42, f4E2M1FN, 1x16, f8E4M3FN> attributes {check.alone} {
  %q = ced.quantize %x : tensor<?x42xbf16> -> !ced.scaled<?x42, f4E2M1FN, 1x16, f8E4M3FN>
  return %q : !ced.scaled<?x42, f4E2M1FN, 1x16, f8E4M3FN>
}

func.func @dequantize_q8(%x: !q8) -> tensor<?x96xbf16> {
  %y = ced.dequantize %x : !q8 -> tensor<?x96xbf16>
  return %y : tensor<?x96xbf16>
}

func.func @dequantize_q4i_heads(%x: !q4i) -> tensor<?x3x40xbf16> {
  %y = ced.dequantize %x : !q4i -> tensor<?x3x40xbf16>
  return %y : tensor<?x3x40xbf16>
}

func.func @dequantize_q4m(%x: !q4m) -> tensor<?x48xbf16> {
  %y = ced.dequantize %x : !q4m -> tensor<?x48xbf16>
  return %y : tensor<?x48xbf16>
}

func.func @scale(%x: tensor<?x32xbf16>) -> tensor<?x32xbf16> {
  %y = ced.scale %x by 0.0173 : tensor<?x32xbf16>
  return %y : tensor<?x32xbf16>
}

}
