// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33,64 --seeds=5
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// Weights: a few roundings of exp, log1p and sqrt.

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 512, page = 64}} {

func.func @released(%x: tensor<?x384xf32> {check.scale = 8.0}, %bias: tensor<384xf32>, %vl: tensor<384xf32>,
                    %kinds: tensor<?xi32> {ced.name = "kinds"})
    -> (tensor<?x6xi32>, tensor<?x6xf32> {check.absolute = 1.0e-6}) {
  %i, %w = ced.route %x, %bias, %vl, %kinds scale 1.5
    : tensor<?x384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<?xi32> -> tensor<?x6xi32>, tensor<?x6xf32>
  return %i, %w : tensor<?x6xi32>, tensor<?x6xf32>
}

func.func @two_of_eight(%x: tensor<?x8xf32> {check.scale = 8.0}, %bias: tensor<8xf32>, %vl: tensor<8xf32>,
                        %kinds: tensor<?xi32> {ced.name = "kinds"})
    -> (tensor<?x2xi32>, tensor<?x2xf32> {check.absolute = 1.0e-6}) {
  %i, %w = ced.route %x, %bias, %vl, %kinds scale 1.5
    : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?xi32> -> tensor<?x2xi32>, tensor<?x2xf32>
  return %i, %w : tensor<?x2xi32>, tensor<?x2xf32>
}

func.func @one(%x: tensor<?x5xf32> {check.scale = 8.0}, %bias: tensor<5xf32>, %vl: tensor<5xf32>,
               %kinds: tensor<?xi32> {ced.name = "kinds"})
    -> (tensor<?x1xi32>, tensor<?x1xf32> {check.absolute = 1.0e-6}) {
  %i, %w = ced.route %x, %bias, %vl, %kinds scale 1.5
    : tensor<?x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<?xi32> -> tensor<?x1xi32>, tensor<?x1xf32>
  return %i, %w : tensor<?x1xi32>, tensor<?x1xf32>
}

func.func @all(%x: tensor<?x7xf32> {check.scale = 8.0}, %bias: tensor<7xf32>, %vl: tensor<7xf32>,
               %kinds: tensor<?xi32> {ced.name = "kinds"})
    -> (tensor<?x7xi32>, tensor<?x7xf32> {check.absolute = 1.0e-6}) {
  %i, %w = ced.route %x, %bias, %vl, %kinds scale 1.5
    : tensor<?x7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<?xi32> -> tensor<?x7xi32>, tensor<?x7xf32>
  return %i, %w : tensor<?x7xi32>, tensor<?x7xf32>
}

func.func @odd(%x: tensor<?x130xf32> {check.scale = 8.0}, %bias: tensor<130xf32>, %vl: tensor<130xf32>,
               %kinds: tensor<?xi32> {ced.name = "kinds"})
    -> (tensor<?x3xi32>, tensor<?x3xf32> {check.absolute = 1.0e-6}) {
  %i, %w = ced.route %x, %bias, %vl, %kinds scale 1.5
    : tensor<?x130xf32>, tensor<130xf32>, tensor<130xf32>, tensor<?xi32> -> tensor<?x3xi32>, tensor<?x3xf32>
  return %i, %w : tensor<?x3xi32>, tensor<?x3xf32>
}

// All logits are 0: the bias alone decides, and within it the lower expert.
func.func @ties(%x: tensor<?x64xf32> {check.scale = 0.0}, %bias: tensor<64xf32>, %vl: tensor<64xf32>,
                %kinds: tensor<?xi32> {ced.name = "kinds"})
    -> (tensor<?x4xi32>, tensor<?x4xf32> {check.absolute = 1.0e-6}) {
  %i, %w = ced.route %x, %bias, %vl, %kinds scale 1.5
    : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<?xi32> -> tensor<?x4xi32>, tensor<?x4xf32>
  return %i, %w : tensor<?x4xi32>, tensor<?x4xf32>
}

}
