// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

!table = !ced.scaled<90x64, f8E4M3FN, 1x32, f8E8M0FNU>
!rows = !ced.scaled<250x64, f8E4M3FN, 1x32, f8E8M0FNU>
!odd = !ced.scaled<90x40, f8E4M3FN, 1x32, f8E8M0FNU>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

func.func @lookup(%r: tensor<?x2x6xi64> {check.below = 90}, %t: !table) -> tensor<?x384xbf16> {
  %y = ced.engram_lookup %r, %t layer 1 : tensor<?x2x6xi64>, !table -> tensor<?x384xbf16>
  return %y : tensor<?x384xbf16>
}

func.func @lookup_rest(%r: tensor<?x1x3xi64> {check.below = 90}, %t: !odd) -> tensor<?x120xbf16> {
  %y = ced.engram_lookup %r, %t layer 0 : tensor<?x1x3xi64>, !odd -> tensor<?x120xbf16>
  return %y : tensor<?x120xbf16>
}

// Somebody has laid the rows in place of the table, or not: both are drawn.
func.func @gathered(%r: tensor<?x2x6xi64> {check.below = 250}, %t: !rows, %g: tensor<1xi32> {check.below = 2}) -> tensor<?x384xbf16> {
  %y = ced.engram_lookup %r, %t gathered %g layer 1 : tensor<?x2x6xi64>, !rows, tensor<1xi32> -> tensor<?x384xbf16>
  return %y : tensor<?x384xbf16>
}

// The gate follows three sums over d.
func.func @inject(%x: tensor<?x4x96xbf16>, %kv: tensor<?x480xbf16>, %q: tensor<4x96xbf16>, %w: tensor<4x96xbf16>,
                  %k: tensor<?xi32> {ced.name = "kinds"}) -> (tensor<?x4x96xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.engram_inject %x, %kv, %q, %w, %k eps 1.0e-20
    : tensor<?x4x96xbf16>, tensor<?x480xbf16>, tensor<4x96xbf16>, tensor<4x96xbf16>, tensor<?xi32> -> tensor<?x4x96xbf16>
  return %y : tensor<?x4x96xbf16>
}

func.func @inject_odd(%x: tensor<?x2x33xbf16>, %kv: tensor<?x99xbf16>, %q: tensor<2x33xbf16>, %w: tensor<2x33xbf16>,
                      %k: tensor<?xi32> {ced.name = "kinds"}) -> (tensor<?x2x33xbf16> {check.ulp = 1}) {
  %y = ced.engram_inject %x, %kv, %q, %w, %k eps 1.0e-6
    : tensor<?x2x33xbf16>, tensor<?x99xbf16>, tensor<2x33xbf16>, tensor<2x33xbf16>, tensor<?xi32> -> tensor<?x2x33xbf16>
  return %y : tensor<?x2x33xbf16>
}

func.func @inject_released(%x: tensor<?x4x5120xbf16>, %kv: tensor<?x25600xbf16>, %q: tensor<4x5120xbf16>, %w: tensor<4x5120xbf16>,
                           %k: tensor<?xi32> {ced.name = "kinds"}) -> (tensor<?x4x5120xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.engram_inject %x, %kv, %q, %w, %k eps 1.0e-20
    : tensor<?x4x5120xbf16>, tensor<?x25600xbf16>, tensor<4x5120xbf16>, tensor<4x5120xbf16>, tensor<?xi32> -> tensor<?x4x5120xbf16>
  return %y : tensor<?x4x5120xbf16>
}

}
