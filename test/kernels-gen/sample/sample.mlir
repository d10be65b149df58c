// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7 --seeds=2 --racecheck

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

// Rows with equal maxima, with -inf here, there and everywhere, with a NaN.
func.func @ties(%l: tensor<?x77xf32> {check.special}, %h: !ced.state<2xi32> {check.temperatures}, %c: !ced.state<40xi32> {check.below = 9}, %p: tensor<?xi32> {ced.name = "positions"},
                %s: tensor<?xi32> {ced.name = "slots"}) -> (tensor<?xi32>, tensor<?xi32>, !ced.state<40xi32>) {
  %t, %n, %list = ced.sample %l by %h into %c at %p, %s
    : tensor<?x77xf32>, !ced.state<2xi32>, !ced.state<40xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <40xi32>
  return %t, %n, %list : tensor<?xi32>, tensor<?xi32>, !ced.state<40xi32>
}

// Several passes, the last one short.
func.func @passes(%l: tensor<?x4200xf32> {check.special}, %h: !ced.state<2xi32> {check.temperatures}, %c: !ced.state<64xi32> {check.below = 9}, %p: tensor<?xi32> {ced.name = "positions"},
                  %s: tensor<?xi32> {ced.name = "slots"}) -> (tensor<?xi32>, tensor<?xi32>, !ced.state<64xi32>) {
  %t, %n, %list = ced.sample %l by %h into %c at %p, %s
    : tensor<?x4200xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <64xi32>
  return %t, %n, %list : tensor<?xi32>, tensor<?xi32>, !ced.state<64xi32>
}

// Rows that differ in nothing but chance, in passes of one warp.
func.func @plain(%l: tensor<?x512xf32>, %h: !ced.state<2xi32> {check.temperatures}, %c: !ced.state<64xi32> {check.below = 9}, %p: tensor<?xi32> {ced.name = "positions"},
                 %s: tensor<?xi32> {ced.name = "slots"}) -> (tensor<?xi32>, tensor<?xi32>, !ced.state<64xi32>)
    attributes {check.config = {cols = 32 : i64, warps = 1 : i64}} {
  %t, %n, %list = ced.sample %l by %h into %c at %p, %s
    : tensor<?x512xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <64xi32>
  return %t, %n, %list : tensor<?xi32>, tensor<?xi32>, !ced.state<64xi32>
}

func.func @single_rows(%n: tensor<?xi32> {check.below = 1000}) -> (tensor<?xi32>, tensor<?xi32>) {
  %p, %s = ced.single_rows %n : tensor<?xi32>
  return %p, %s : tensor<?xi32>, tensor<?xi32>
}

}
