// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7 --seeds=2 --racecheck

// The coefficients follow a sum over n*d products and an exponential function that is not the C library's:
// twice the 1e-6 absolute of the captured data, whose logits are smaller. Two f32 sums of 20480 products differ by some 1e-6 of
// their value, times `scale`; post is twice a sigmoid, and so is its difference.

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

func.func @mix(%x: tensor<?x4x64xbf16>, %fn: tensor<24x256xf32> {check.scale = 0.05}, %scale: tensor<3xf32>, %base: tensor<24xf32>)
    -> (tensor<?x4xf32> {check.absolute = 2.0e-6}, tensor<?x4xf32> {check.absolute = 4.0e-6}, tensor<?x4x4xf32> {check.absolute = 2.0e-6}) attributes {check.alone} {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 20 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x4x64xbf16>, tensor<24x256xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  return %pre, %post, %comb : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
}

// 300 columns are not a whole number of K blocks; one iteration is the softmax and the column step alone.
func.func @mix_two(%x: tensor<?x2x300xbf16>, %fn: tensor<8x600xf32> {check.scale = 0.05}, %scale: tensor<3xf32>, %base: tensor<8xf32>)
    -> (tensor<?x2xf32> {check.absolute = 2.0e-6}, tensor<?x2xf32> {check.absolute = 4.0e-6}, tensor<?x2x2xf32> {check.absolute = 2.0e-6}) attributes {check.alone} {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 1 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x2x300xbf16>, tensor<8x600xf32>, tensor<3xf32>, tensor<8xf32> -> tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x2xf32>
  return %pre, %post, %comb : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x2xf32>
}

func.func @mix_one(%x: tensor<?x1x40xbf16>, %fn: tensor<3x40xf32> {check.scale = 0.1}, %scale: tensor<3xf32>, %base: tensor<3xf32>)
    -> (tensor<?x1xf32> {check.absolute = 2.0e-6}, tensor<?x1xf32> {check.absolute = 4.0e-6}, tensor<?x1x1xf32> {check.absolute = 2.0e-6}) attributes {check.alone} {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 3 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x1x40xbf16>, tensor<3x40xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1x1xf32>
  return %pre, %post, %comb : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1x1xf32>
}

func.func @mix_three(%x: tensor<?x3x33xbf16>, %fn: tensor<15x99xf32> {check.scale = 0.05}, %scale: tensor<3xf32>, %base: tensor<15xf32>)
    -> (tensor<?x3xf32> {check.absolute = 2.0e-6}, tensor<?x3xf32> {check.absolute = 4.0e-6}, tensor<?x3x3xf32> {check.absolute = 2.0e-6}) {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 3 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x3x33xbf16>, tensor<15x99xf32>, tensor<3xf32>, tensor<15xf32> -> tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3x3xf32>
  return %pre, %post, %comb : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3x3xf32>
}

// The most streams the family builds.
func.func @mix_eight(%x: tensor<?x8x32xbf16>, %fn: tensor<80x256xf32> {check.scale = 0.05}, %scale: tensor<3xf32>, %base: tensor<80xf32>)
    -> (tensor<?x8xf32> {check.absolute = 2.0e-6}, tensor<?x8xf32> {check.absolute = 4.0e-6}, tensor<?x8x8xf32> {check.absolute = 2.0e-6}) {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 20 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x8x32xbf16>, tensor<80x256xf32>, tensor<3xf32>, tensor<80xf32> -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8x8xf32>
  return %pre, %post, %comb : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8x8xf32>
}

// As a matrix unit computes it: fn in three bf16 parts.
func.func @mix_split(%x: tensor<?x4x300xbf16>, %fn: tensor<24x1200xf32> {check.scale = 0.02}, %scale: tensor<3xf32>, %base: tensor<24xf32>)
    -> (tensor<?x4xf32> {check.absolute = 2.0e-6}, tensor<?x4xf32> {check.absolute = 4.0e-6}, tensor<?x4x4xf32> {check.absolute = 2.0e-6})
    attributes {check.alone, check.config = {block_rows = 16, block_k = 128, split = 3, warps = 4}} {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 20 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x4x300xbf16>, tensor<24x1200xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  return %pre, %post, %comb : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
}

// Logits around +-50: `base` alone decides, Sinkhorn meets rows that are nearly 0 and nearly 1.
func.func @mix_extreme(%x: tensor<?x4x64xbf16>, %fn: tensor<24x256xf32> {check.scale = 1.0e-4}, %scale: tensor<3xf32>, %base: tensor<24xf32> {check.scale = 20.0})
    -> (tensor<?x4xf32> {check.absolute = 2.0e-6}, tensor<?x4xf32> {check.absolute = 4.0e-6}, tensor<?x4x4xf32> {check.absolute = 2.0e-6}) {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 2 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x4x64xbf16>, tensor<24x256xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  return %pre, %post, %comb : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
}

func.func @mix_released(%x: tensor<?x4x5120xbf16>, %fn: tensor<24x20480xf32> {check.scale = 0.005}, %scale: tensor<3xf32> {check.scale = 0.3}, %base: tensor<24xf32>)
    -> (tensor<?x4xf32> {check.absolute = 4.0e-6}, tensor<?x4xf32> {check.absolute = 8.0e-6}, tensor<?x4x4xf32> {check.absolute = 4.0e-6}) attributes {check.alone} {
  %pre, %post, %comb = ced.hc_mix %x, %fn, %scale, %base iters 20 eps 1.0e-6 norm_eps 1.0e-20
    : tensor<?x4x5120xbf16>, tensor<24x20480xf32>, tensor<3xf32>, tensor<24xf32> -> tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
  return %pre, %post, %comb : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x4xf32>
}

}
