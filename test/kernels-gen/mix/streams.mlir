// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

func.func @expand(%x: tensor<?x72xbf16>) -> (tensor<?x4x72xbf16>, tensor<?x4xf32>) {
  %s, %pre = ced.hc_expand %x : tensor<?x72xbf16> -> tensor<?x4x72xbf16>, tensor<?x4xf32>
  return %s, %pre : tensor<?x4x72xbf16>, tensor<?x4xf32>
}

func.func @expand_released(%x: tensor<?x5120xbf16>) -> (tensor<?x4x5120xbf16>, tensor<?x4xf32>) {
  %s, %pre = ced.hc_expand %x : tensor<?x5120xbf16> -> tensor<?x4x5120xbf16>, tensor<?x4xf32>
  return %s, %pre : tensor<?x4x5120xbf16>, tensor<?x4xf32>
}

// Every sum runs in the order the op names: nothing may differ.
func.func @post(%y: tensor<?x72xbf16>, %x: tensor<?x4x72xbf16>, %post: tensor<?x4xf32>, %comb: tensor<?x4x4xf32>) -> tensor<?x4x72xbf16> attributes {check.alone} {
  %r = ced.hc_post %y, %x, %post, %comb : tensor<?x72xbf16>, tensor<?x4x72xbf16>, tensor<?x4xf32>, tensor<?x4x4xf32> -> tensor<?x4x72xbf16>
  return %r : tensor<?x4x72xbf16>
}

func.func @post_two(%y: tensor<?x33xbf16>, %x: tensor<?x2x33xbf16>, %post: tensor<?x2xf32>, %comb: tensor<?x2x2xf32>) -> tensor<?x2x33xbf16> {
  %r = ced.hc_post %y, %x, %post, %comb : tensor<?x33xbf16>, tensor<?x2x33xbf16>, tensor<?x2xf32>, tensor<?x2x2xf32> -> tensor<?x2x33xbf16>
  return %r : tensor<?x2x33xbf16>
}

// 5000 columns are not a whole number of blocks of columns.
func.func @post_cut(%y: tensor<?x5000xbf16>, %x: tensor<?x4x5000xbf16>, %post: tensor<?x4xf32>, %comb: tensor<?x4x4xf32>) -> tensor<?x4x5000xbf16> {
  %r = ced.hc_post %y, %x, %post, %comb : tensor<?x5000xbf16>, tensor<?x4x5000xbf16>, tensor<?x4xf32>, tensor<?x4x4xf32> -> tensor<?x4x5000xbf16>
  return %r : tensor<?x4x5000xbf16>
}

}
