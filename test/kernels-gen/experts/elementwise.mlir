// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33,64
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// combine adds in the interpreter's order and is exact.

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 512, page = 64}} {

func.func @swiglu(%g: tensor<?x96xbf16> {check.scale = 4.0}, %u: tensor<?x96xbf16> {check.scale = 4.0}) -> (tensor<?x96xbf16> {check.ulp = 1}) {
  %v = ced.swiglu %g, %u limit 10.0 : tensor<?x96xbf16>
  return %v : tensor<?x96xbf16>
}

// Limited from above in the gate, on both sides in up (case 71).
func.func @swiglu_limits(%g: tensor<?x96xbf16> {check.values = array<f32: -20.0, -12.0, 2.0, 20.0>},
                         %u: tensor<?x96xbf16> {check.scale = 16.0}) -> (tensor<?x96xbf16> {check.ulp = 1}) {
  %v = ced.swiglu %g, %u limit 10.0 : tensor<?x96xbf16>
  return %v : tensor<?x96xbf16>
}

func.func @swiglu_cut(%g: tensor<?x300xbf16> {check.scale = 4.0}, %u: tensor<?x300xbf16> {check.scale = 4.0}) -> (tensor<?x300xbf16> {check.ulp = 1}) {
  %v = ced.swiglu %g, %u limit 0.0 : tensor<?x300xbf16>
  return %v : tensor<?x300xbf16>
}

func.func @swiglu_released(%g: tensor<?x2304xbf16> {check.scale = 4.0}, %u: tensor<?x2304xbf16> {check.scale = 4.0}) -> (tensor<?x2304xbf16> {check.ulp = 1}) {
  %v = ced.swiglu %g, %u limit 10.0 : tensor<?x2304xbf16>
  return %v : tensor<?x2304xbf16>
}

func.func @combine(%y: tensor<?x2x64xbf16>, %ids: tensor<?x2xi32> {check.below = 8}, %s: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %z = ced.combine %y, %ids, %s : tensor<?x2x64xbf16>, tensor<?x2xi32>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  return %z : tensor<?x64xbf16>
}

func.func @combine_one(%y: tensor<?x1x300xbf16>, %ids: tensor<?x1xi32> {check.below = 4}, %s: tensor<?x300xbf16>) -> tensor<?x300xbf16> {
  %z = ced.combine %y, %ids, %s : tensor<?x1x300xbf16>, tensor<?x1xi32>, tensor<?x300xbf16> -> tensor<?x300xbf16>
  return %z : tensor<?x300xbf16>
}

func.func @combine_released(%y: tensor<?x6x5120xbf16>, %ids: tensor<?x6xi32> {check.below = 384}, %s: tensor<?x5120xbf16>) -> tensor<?x5120xbf16> {
  %z = ced.combine %y, %ids, %s : tensor<?x6x5120xbf16>, tensor<?x6xi32>, tensor<?x5120xbf16> -> tensor<?x5120xbf16>
  return %z : tensor<?x5120xbf16>
}

}
