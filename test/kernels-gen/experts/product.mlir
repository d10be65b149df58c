// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33,128
// RUN: ced-conformance %s --target=nvptx --rows=1,7 --seeds=1 --racecheck
// Steps of few rows have kernels of their own: a block for each slot.
// RUN: sed 's/max_rows = 128/max_rows = 2/' %s > %t.mlir
// RUN: ced-conformance %t.mlir --target=nvptx --rows=1,2 --seeds=1 --racecheck

// Sums over K are added in another order than the interpreter's: an ulp of the row's largest value behind a
// product, two behind both products and the SwiGLU of their rounded results.

module attributes {sched.limits = {max_rows = 128, max_batch = 3, max_context = 512, page = 64}} {

func.func @up(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 8}, %r: tensor<?x2xf32>,
              %w1: !ced.scaled<8x96x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<8x96x64, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x2x96xbf16> {check.ulp = 2}) {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 10.0
    : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, tensor<?x2xf32>, !ced.scaled<8x96x64, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<8x96x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x96xbf16>
  return %v : tensor<?x2x96xbf16>
}

func.func @up_one_choice(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x1xi32> {check.below = 4}, %r: tensor<?x1xf32>,
                         %w1: !ced.scaled<4x64x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<4x64x64, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x1x64xbf16> {check.ulp = 2}) {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 10.0
    : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x1xi32>, tensor<?x1xf32>, !ced.scaled<4x64x64, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<4x64x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x1x64xbf16>
  return %v : tensor<?x1x64xbf16>
}

func.func @up_six(%x: !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x6xi32> {check.below = 16}, %r: tensor<?x6xf32>,
                  %w1: !ced.scaled<16x80x96, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<16x80x96, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x6x80xbf16> {check.ulp = 2}) {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 10.0
    : !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x6xi32>, tensor<?x6xf32>, !ced.scaled<16x80x96, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<16x80x96, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x6x80xbf16>
  return %v : tensor<?x6x80xbf16>
}

func.func @up_no_limit(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 8}, %r: tensor<?x2xf32>,
                       %w1: !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x2x64xbf16> {check.ulp = 2}) {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 0.0
    : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, tensor<?x2xf32>, !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x64xbf16>
  return %v : tensor<?x2x64xbf16>
}

func.func @up_tight_limit(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 8}, %r: tensor<?x2xf32>,
                          %w1: !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x2x64xbf16> {check.ulp = 2}) {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 0.5
    : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, tensor<?x2xf32>, !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<8x64x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x64xbf16>
  return %v : tensor<?x2x64xbf16>
}

func.func @up_columns_cut(%x: !ced.scaled<?x160, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 6}, %r: tensor<?x2xf32>,
                          %w1: !ced.scaled<6x33x160, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<6x33x160, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x2x33xbf16> {check.ulp = 2}) {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 10.0
    : !ced.scaled<?x160, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, tensor<?x2xf32>, !ced.scaled<6x33x160, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<6x33x160, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x33xbf16>
  return %v : tensor<?x2x33xbf16>
}

// Every row chooses all experts: many tiles of rows for each.
func.func @up_all(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x3xi32> {check.below = 3}, %r: tensor<?x3xf32>,
                  %w1: !ced.scaled<3x48x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<3x48x64, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x3x48xbf16> {check.ulp = 2}) {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 10.0
    : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x3xi32>, tensor<?x3xf32>, !ced.scaled<3x48x64, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<3x48x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x3x48xbf16>
  return %v : tensor<?x3x48xbf16>
}

func.func @down(%x: !ced.scaled<?x2x96, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 8}, %w2: !ced.scaled<8x64x96, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x2x64xbf16> {check.ulp = 1}) {
  %y = ced.expert_down %x, %ids, %w2 : !ced.scaled<?x2x96, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, !ced.scaled<8x64x96, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x64xbf16>
  return %y : tensor<?x2x64xbf16>
}

func.func @down_one_choice(%x: !ced.scaled<?x1x64, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x1xi32> {check.below = 4}, %w2: !ced.scaled<4x64x64, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x1x64xbf16> {check.ulp = 1}) {
  %y = ced.expert_down %x, %ids, %w2 : !ced.scaled<?x1x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x1xi32>, !ced.scaled<4x64x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x1x64xbf16>
  return %y : tensor<?x1x64xbf16>
}

func.func @down_six(%x: !ced.scaled<?x6x96, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x6xi32> {check.below = 16}, %w2: !ced.scaled<16x80x96, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x6x80xbf16> {check.ulp = 1}) {
  %y = ced.expert_down %x, %ids, %w2 : !ced.scaled<?x6x96, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x6xi32>, !ced.scaled<16x80x96, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x6x80xbf16>
  return %y : tensor<?x6x80xbf16>
}

func.func @down_columns_cut(%x: !ced.scaled<?x2x160, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 6}, %w2: !ced.scaled<6x33x160, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x2x33xbf16> {check.ulp = 1}) {
  %y = ced.expert_down %x, %ids, %w2 : !ced.scaled<?x2x160, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, !ced.scaled<6x33x160, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x33xbf16>
  return %y : tensor<?x2x33xbf16>
}

// Several blocks of K for all warps along it, the last one cut.
func.func @up_long(%x: !ced.scaled<?x1184, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 5}, %r: tensor<?x2xf32>,
                   %w1: !ced.scaled<5x40x1184, f4E2M1FN, 1x32, f8E8M0FNU>, %w3: !ced.scaled<5x40x1184, f4E2M1FN, 1x32, f8E8M0FNU>)
    -> (tensor<?x2x40xbf16> {check.ulp = 2}) attributes {check.alone} {
  %v = ced.expert_up %x, %ids, %r, %w1, %w3 limit 10.0
    : !ced.scaled<?x1184, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, tensor<?x2xf32>, !ced.scaled<5x40x1184, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<5x40x1184, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x40xbf16>
  return %v : tensor<?x2x40xbf16>
}

func.func @down_long(%x: !ced.scaled<?x2x672, f8E4M3FN, 1x32, f8E8M0FNU>, %ids: tensor<?x2xi32> {check.below = 5}, %w2: !ced.scaled<5x72x672, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x2x72xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.expert_down %x, %ids, %w2 : !ced.scaled<?x2x672, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, !ced.scaled<5x72x672, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x72xbf16>
  return %y : tensor<?x2x72xbf16>
}

}
