// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,5 --seeds=2
// RUN: ced-conformance %s --target=nvptx --rows=1 --seeds=1

// The released model's sizes: 4 streams of 5120, 32 index heads of 128, the routed experts' 6 x 2304.

!q8 = !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>
!q8e = !ced.scaled<?x6x2304, f8E4M3FN, 1x32, f8E8M0FNU>
!q4i = !ced.scaled<?x32x128, f4E2M1FN, 1x32, f8E8M0FNU>

module attributes {sched.limits = {max_rows = 8, max_batch = 3, max_context = 256, page = 16}} {

func.func @collapse_norm_quantize(%x: tensor<?x4x5120xbf16>, %pre: tensor<?x4xf32>, %w: tensor<5120xbf16>)
    -> (tensor<?x5120xbf16> {check.ulp = 1}, !q8 {check.codes = 0.02}) attributes {check.alone} {
  %c = ced.hc_collapse %x, %pre : tensor<?x4x5120xbf16>, tensor<?x4xf32> -> tensor<?x5120xbf16>
  %y = ced.rms_norm %c, %w eps 1.0e-20 : tensor<?x5120xbf16>, tensor<5120xbf16>
  %q = ced.quantize %y : tensor<?x5120xbf16> -> !q8
  return %y, %q : tensor<?x5120xbf16>, !q8
}

func.func @quantize_experts(%x: tensor<?x6x2304xbf16>) -> !q8e {
  %q = ced.quantize %x : tensor<?x6x2304xbf16> -> !q8e
  return %q : !q8e
}

func.func @quantize_index_query(%x: tensor<?x32x128xbf16>) -> !q4i {
  %q = ced.quantize %x : tensor<?x32x128xbf16> -> !q4i
  return %q : !q4i
}

}
