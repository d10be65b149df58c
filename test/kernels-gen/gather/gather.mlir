// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7 --seeds=2 --racecheck

// Codes times scales are exact in bf16, and lists are integers; attention adds in another order than the interpreter.

!ring16 = !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!ring7 = !ced.window<7 + 2, !ced.scaled<48, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!ring100 = !ced.window<100 + 8, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!main1 = !ced.paged<ratio 1, page 16, !ced.scaled<64, f4E2M1FN, 1x16, f8E4M3FN, row>>
!main48 = !ced.paged<ratio 4, page 16, !ced.scaled<48, f4E2M1FN, 1x16, f8E4M3FN, row>>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 512, page = 16}} {

func.func @lists(%index: !ced.index_set<9> {check.ratio = 4}, %p: tensor<?xi32> {ced.name = "positions"},
                 %b: tensor<?xi32> {ced.name = "starts"}) -> tensor<?x16xi32> {
  %l = ced.combine_lists window 7 ring 9 select %index ratio 4 at %p, %b
    : !ced.index_set<9>, tensor<?xi32>, tensor<?xi32> -> tensor<?x16xi32>
  return %l : tensor<?x16xi32>
}

func.func @window_list(%p: tensor<?xi32> {ced.name = "positions"}, %b: tensor<?xi32> {ced.name = "starts"}) -> tensor<?x16xi32> {
  %l = ced.combine_lists window 16 ring 20 at %p, %b : tensor<?xi32>, tensor<?xi32> -> tensor<?x16xi32>
  return %l : tensor<?x16xi32>
}

func.func @window_only(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring16,
                       %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %p: tensor<?xi32> {ced.name = "positions"},
                       %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %r = ced.gather_window %ring : !ring16 -> tensor<?x20x64xbf16>
  %f = ced.dequantize %kv : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  %l = ced.combine_lists window 16 ring 20 at %p, %b : tensor<?xi32>, tensor<?xi32> -> tensor<?x16xi32>
  %o = ced.attend %q, %sink list %l window 16 of %r, %f at %s
    : tensor<?x4x64xbf16>, tensor<4xf32>, tensor<?x16xi32>, tensor<?x20x64xbf16>, tensor<?x64xbf16>, tensor<?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

// 48 columns are no whole tile; a window of 7 shares its block with the selection.
func.func @columns_cut(%q: tensor<?x3x48xbf16>, %sink: tensor<3xf32>, %ring: !ring7,
                       %kv: !ced.scaled<?x48, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main48,
                       %index: !ced.index_set<9> {check.ratio = 4}, %p: tensor<?xi32> {ced.name = "positions"},
                       %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                       %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x3x48xbf16> {check.ulp = 1}) {
  %r = ced.gather_window %ring : !ring7 -> tensor<?x9x48xbf16>
  %f = ced.dequantize %kv : !ced.scaled<?x48, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x48xbf16>
  %m = ced.gather_paged %main at %t : !main48, tensor<?x?xi32> -> tensor<?x?x48xbf16>
  %l = ced.combine_lists window 7 ring 9 select %index ratio 4 at %p, %b
    : !ced.index_set<9>, tensor<?xi32>, tensor<?xi32> -> tensor<?x16xi32>
  %o = ced.attend %q, %sink list %l window 7 of %r, %f at %s main %m
    : tensor<?x3x48xbf16>, tensor<3xf32>, tensor<?x16xi32>, tensor<?x9x48xbf16>, tensor<?x48xbf16>, tensor<?xi32>, tensor<?x?x48xbf16> -> tensor<?x3x48xbf16>
  return %o : tensor<?x3x48xbf16>
}

// A window of more than one block, a selection of more than one.
func.func @blocks(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring100,
                  %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                  %index: !ced.index_set<96> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                  %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                  %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %r = ced.gather_window %ring : !ring100 -> tensor<?x108x64xbf16>
  %f = ced.dequantize %kv : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  %m = ced.gather_paged %main at %t : !main1, tensor<?x?xi32> -> tensor<?x?x64xbf16>
  %l = ced.combine_lists window 100 ring 108 select %index ratio 1 at %p, %b
    : !ced.index_set<96>, tensor<?xi32>, tensor<?xi32> -> tensor<?x196xi32>
  %o = ced.attend %q, %sink list %l window 100 of %r, %f at %s main %m
    : tensor<?x4x64xbf16>, tensor<4xf32>, tensor<?x196xi32>, tensor<?x108x64xbf16>, tensor<?x64xbf16>, tensor<?xi32>, tensor<?x?x64xbf16> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}
}
