// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// Cosine and sine are our own polynomials, 1.2e-7 absolute: one ulp of the row's largest value.

#swa = #ced.rope<dim = 32, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 1.0, beta_slow = 1.0>
#main = #ced.rope<dim = 64, theta = 1.6e5, original = 65536, factor = 1.6e1, beta_fast = 3.2e1, beta_slow = 1.0>
#tiny = #ced.rope<dim = 6, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 1.0, beta_slow = 1.0>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 1048576, page = 65536}} {

func.func @rows(%x: tensor<?x80xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> (tensor<?x80xbf16> {check.ulp = 1}) {
  %y = ced.rope %x, %p by #swa group 1 : tensor<?x80xbf16>, tensor<?xi32>
  return %y : tensor<?x80xbf16>
}

// Nothing but rotary columns, and an odd number of pairs.
func.func @all_turned(%x: tensor<?x6xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> (tensor<?x6xbf16> {check.ulp = 1}) {
  %y = ced.rope %x, %p by #tiny group 1 : tensor<?x6xbf16>, tensor<?xi32>
  return %y : tensor<?x6xbf16>
}

func.func @group(%x: tensor<?x512xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> (tensor<?x512xbf16> {check.ulp = 1}) {
  %y = ced.rope %x, %p by #main group 2 : tensor<?x512xbf16>, tensor<?xi32>
  return %y : tensor<?x512xbf16>
}

// 11 heads are not a whole number of blocks of heads.
func.func @heads(%x: tensor<?x11x75xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> (tensor<?x11x75xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.rope %x, %p by #main group 1 : tensor<?x11x75xbf16>, tensor<?xi32>
  return %y : tensor<?x11x75xbf16>
}

func.func @inverse(%x: tensor<?x64x512xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> (tensor<?x64x512xbf16> {check.ulp = 1}) {
  %y = ced.rope %x, %p by #main group 1 inverse : tensor<?x64x512xbf16>, tensor<?xi32>
  return %y : tensor<?x64x512xbf16>
}

}
