// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,3,7,33,64 --seeds=8
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// Row numbers and histories are exact, also where products wrap around 2^64 and remainders are negative.

!one = !ced.state<1xi32>
!three = !ced.state<3xi32>

module attributes {sched.limits = {max_rows = 64, max_batch = 4, max_context = 256, page = 16}} {

func.func @released_shape(%t: tensor<?xi32> {ced.name = "tokens", check.below = 60}, %k: tensor<?xi32> {ced.name = "kinds"},
                          %map: tensor<60xi32> {check.below = 40}, %h: !three {check.below = 40},
                          %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                          %st: tensor<?xi32> {ced.name = "starts"}) -> (tensor<?x2x6xi64>, !three) {
  %r, %n = ced.engram_rows %t, %k, %map, %h at %p, %s, %st
    {layers = 2, orders = 3, heads = 2, pad = 2,
     multipliers = array<i64: 7777777777777777, -5000000000000000003, 31, 9223372036854775807, 4611686018427387905, -3, 99, 1234567890123456789>,
     primes = array<i64: 97, 101, 103, 107, 109, 113, 16000057, 16000063, 16000079, 3, 5, 7>,
     offsets = array<i64: 0, 97, 198, 301, 408, 517, 0, 16000057, 32000120, 48000199, 48000202, 384000000000>}
    : tensor<?xi32>, tensor<?xi32>, tensor<60xi32>, !three, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x2x6xi64>, !three
  return %r, %n : tensor<?x2x6xi64>, !three
}

func.func @bigrams(%t: tensor<?xi32> {ced.name = "tokens", check.below = 60}, %k: tensor<?xi32> {ced.name = "kinds"},
                   %map: tensor<60xi32> {check.below = 40}, %h: !one {check.below = 40},
                   %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                   %st: tensor<?xi32> {ced.name = "starts"}) -> (tensor<?x1x3xi64>, !one) {
  %r, %n = ced.engram_rows %t, %k, %map, %h at %p, %s, %st
    {layers = 1, orders = 1, heads = 3, pad = 0, multipliers = array<i64: 1000003, 998244353>, primes = array<i64: 11, 13, 17>,
     offsets = array<i64: 0, 11, 24>}
    : tensor<?xi32>, tensor<?xi32>, tensor<60xi32>, !one, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x1x3xi64>, !one
  return %r, %n : tensor<?x1x3xi64>, !one
}

}
