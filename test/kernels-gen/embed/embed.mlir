// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

func.func @embed(%t: tensor<?xi32> {ced.name = "tokens", check.below = 50}, %w: tensor<50x70xbf16>) -> tensor<?x70xbf16> {
  %y = ced.embed %t, %w : tensor<?xi32>, tensor<50x70xbf16> -> tensor<?x70xbf16>
  return %y : tensor<?x70xbf16>
}

// Half of the ids lie outside the table.
func.func @outside(%t: tensor<?xi32> {ced.name = "tokens", check.below = 100}, %w: tensor<50x5120xbf16>) -> tensor<?x5120xbf16> {
  %y = ced.embed %t, %w : tensor<?xi32>, tensor<50x5120xbf16> -> tensor<?x5120xbf16>
  return %y : tensor<?x5120xbf16>
}

}
