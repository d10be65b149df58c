// REQUIRES: avx2
// RUN: ced-conformance %s --rows=33 --seeds=3
// RUN: ced-conformance %s --target=nvptx --rows=33 --seeds=2 --racecheck

// Every code and every scale of each format, decoded (cases 60, 111): the smallest scale 2^-127, 128 beside the byte that is NaN, NaN
// itself. And encoded: infinities and NaN (case 67), scales at and between powers of two (cases 62, 68): largest values of 448 or 6
// times 1, 1.41, 1.5, 1.6 and 2.

!q8 = !ced.scaled<?x1024, f8E4M3FN, 1x32, f8E8M0FNU>
!q4i = !ced.scaled<?x1024, f4E2M1FN, 1x32, f8E8M0FNU>
!q4m = !ced.scaled<?x1024, f4E2M1FN, 1x16, f8E4M3FN>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

func.func @decode_q8(%x: !q8 {check.all_codes}) -> tensor<?x1024xbf16> attributes {check.nan} {
  %y = ced.dequantize %x : !q8 -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}

func.func @decode_q4i(%x: !q4i {check.all_codes}) -> tensor<?x1024xbf16> attributes {check.nan} {
  %y = ced.dequantize %x : !q4i -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}

func.func @decode_q4m(%x: !q4m {check.all_codes}) -> tensor<?x1024xbf16> attributes {check.nan} {
  %y = ced.dequantize %x : !q4m -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}

func.func @encode_q8(%x: tensor<?x1024xbf16> {check.values = array<f32: 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 3.0e38, 1.0e-38>}) -> !q8 attributes {check.nan} {
  %q = ced.quantize %x : tensor<?x1024xbf16> -> !q8
  return %q : !q8
}

func.func @encode_q4i(%x: tensor<?x1024xbf16> {check.values = array<f32: 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 3.0e38, 1.0e-38>}) -> !q4i attributes {check.nan} {
  %q = ced.quantize %x : tensor<?x1024xbf16> -> !q4i
  return %q : !q4i
}

func.func @encode_q4m(%x: tensor<?x1024xbf16> {check.values = array<f32: 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 3.0e38, 1.0e-38>}) -> !q4m attributes {check.nan} {
  %q = ced.quantize %x : tensor<?x1024xbf16> -> !q4m
  return %q : !q4m
}

func.func @scales_q8(%x: tensor<?x1024xbf16> {check.scale = 1.0e-2, check.values = array<f32: 448.0, -632.0, 672.0, -716.0, 896.0>}) -> !q8 {
  %q = ced.quantize %x : tensor<?x1024xbf16> -> !q8
  return %q : !q8
}

func.func @scales_q4i(%x: tensor<?x1024xbf16> {check.scale = 1.0e-2, check.values = array<f32: 6.0, -8.5, 9.0, -9.625, 12.0>}) -> !q4i {
  %q = ced.quantize %x : tensor<?x1024xbf16> -> !q4i
  return %q : !q4i
}

func.func @scales_q4m(%x: tensor<?x1024xbf16> {check.scale = 1.0e-2, check.values = array<f32: 6.0, -8.5, 9.0, -9.625, 12.0>}) -> !q4m {
  %q = ced.quantize %x : tensor<?x1024xbf16> -> !q4m
  return %q : !q4m
}

}
