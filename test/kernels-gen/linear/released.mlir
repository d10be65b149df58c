// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,3 --seeds=1
// RUN: ced-conformance %s --rows=1 --seeds=1 --target=nvptx

// Sizes of the released model: wq_a, wo_a of two groups, gate.

module attributes {sched.limits = {max_rows = 128, max_batch = 3, max_context = 512, page = 64}} {

func.func @wq_a(%x: !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<1280x5120, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x1280xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<1280x5120, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x1280xbf16>
  return %y : tensor<?x1280xbf16>
}

func.func @wo_a(%x: tensor<?x8192xbf16>, %w: !ced.scaled<2048x4096, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x2048xbf16> {check.ulp = 1}) {
  %y = ced.grouped_linear %x, %w groups 2 : tensor<?x8192xbf16>, !ced.scaled<2048x4096, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x2048xbf16>
  return %y : tensor<?x2048xbf16>
}

func.func @gate(%x: tensor<?x5120xbf16>, %w: tensor<384x5120xbf16>) -> (tensor<?x384xf32> {check.absolute = 5.0e-3}) {
  %y = ced.matmul %x, %w : tensor<?x5120xbf16>, tensor<384x5120xbf16> -> tensor<?x384xf32>
  return %y : tensor<?x384xf32>
}

}
