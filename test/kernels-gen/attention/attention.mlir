// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7 --seeds=2 --racecheck

// Dots and sums are added in another order than the interpreter's: one ulp of the row's largest value. Heads that fill no tile and fill more
// than one (case 107), beside caches that are NaN wherever nothing was written (case 8).

!ring16 = !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!ring7 = !ced.window<7 + 2, !ced.scaled<48, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!ring64 = !ced.window<64 + 8, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!ring100 = !ced.window<100 + 8, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!main1 = !ced.paged<ratio 1, page 16, !ced.scaled<64, f4E2M1FN, 1x16, f8E4M3FN, row>>
!main2 = !ced.paged<ratio 2, page 16, !ced.scaled<64, f4E2M1FN, 1x16, f8E4M3FN, row>>
!main48 = !ced.paged<ratio 4, page 16, !ced.scaled<48, f4E2M1FN, 1x16, f8E4M3FN, row>>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 512, page = 16}} {

func.func @ring_only(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring16,
                     %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                     %b: tensor<?xi32> {ced.name = "starts"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring16, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

func.func @fresh(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring16,
                 %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %p: tensor<?xi32> {ced.name = "positions"},
                 %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                 %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

// 48 columns are no whole tile; a window of 7 shares its block with the selection.
func.func @columns_cut(%q: tensor<?x3x48xbf16>, %sink: tensor<3xf32>, %ring: !ring7,
                       %kv: !ced.scaled<?x48, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main48,
                       %index: !ced.index_set<9> {check.ratio = 4}, %p: tensor<?xi32> {ced.name = "positions"},
                       %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                       %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x3x48xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x3x48xbf16>, tensor<3xf32>, !ring7, !ced.scaled<?x48, f8E4M3FN, 1x32, f8E8M0FNU>, !main48, !ced.index_set<9>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x3x48xbf16>
  return %o : tensor<?x3x48xbf16>
}

// Window and selection in one block of 64.
func.func @one_block(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring16,
                     %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main2,
                     %index: !ced.index_set<16> {check.ratio = 2}, %p: tensor<?xi32> {ced.name = "positions"},
                     %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                     %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main2, !ced.index_set<16>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

// Behind the entries: the number of visible ones, one more, the largest integer (case 6).
func.func @strange_pads(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring16,
                        %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main2,
                        %index: !ced.index_set<70> {check.ratio = 2, check.beyond}, %p: tensor<?xi32> {ced.name = "positions"},
                        %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                        %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main2, !ced.index_set<70>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

func.func @decode(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring16, %main: !main2,
                  %index: !ced.index_set<16> {check.ratio = 2}, %p: tensor<?xi32> {ced.name = "positions"},
                  %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                  %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring main %main select %index at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring16, !main2, !ced.index_set<16>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

// The second block holds 36 window slots and 28 selected ones.
func.func @straddling(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring100,
                      %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main2,
                      %index: !ced.index_set<93> {check.ratio = 2}, %p: tensor<?xi32> {ced.name = "positions"},
                      %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                      %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring100, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main2, !ced.index_set<93>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

// The shared block takes the whole selection.
func.func @straddling_all(%q: tensor<?x2x64xbf16>, %sink: tensor<2xf32>, %ring: !ring100,
                          %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                          %index: !ced.index_set<20> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                          %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                          %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x2x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x2x64xbf16>, tensor<2xf32>, !ring100, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<20>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x2x64xbf16>
  return %o : tensor<?x2x64xbf16>
}

func.func @aligned(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring64,
                   %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                   %index: !ced.index_set<130> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                   %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                   %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring64, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<130>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

func.func @selection_one(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring64,
                         %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                         %index: !ced.index_set<1> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                         %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                         %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring64, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<1>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

func.func @heads_1(%q: tensor<?x1x64xbf16>, %sink: tensor<1xf32>, %ring: !ring16,
                   %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                   %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                   %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                   %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x1x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x1x64xbf16>, tensor<1xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x1x64xbf16>
  return %o : tensor<?x1x64xbf16>
}

func.func @heads_2(%q: tensor<?x2x64xbf16>, %sink: tensor<2xf32>, %ring: !ring16,
                   %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                   %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                   %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                   %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x2x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x2x64xbf16>, tensor<2xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x2x64xbf16>
  return %o : tensor<?x2x64xbf16>
}

func.func @heads_8(%q: tensor<?x8x64xbf16>, %sink: tensor<8xf32>, %ring: !ring16,
                   %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                   %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                   %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                   %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x8x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x8x64xbf16>, tensor<8xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x8x64xbf16>
  return %o : tensor<?x8x64xbf16>
}

func.func @heads_9(%q: tensor<?x9x64xbf16>, %sink: tensor<9xf32>, %ring: !ring16,
                   %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                   %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                   %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                   %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x9x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x9x64xbf16>, tensor<9xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x9x64xbf16>
  return %o : tensor<?x9x64xbf16>
}

func.func @heads_16(%q: tensor<?x16x64xbf16>, %sink: tensor<16xf32>, %ring: !ring16,
                    %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                    %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                    %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                    %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x16x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x16x64xbf16>, tensor<16xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x16x64xbf16>
  return %o : tensor<?x16x64xbf16>
}

func.func @heads_17(%q: tensor<?x17x64xbf16>, %sink: tensor<17xf32>, %ring: !ring16,
                    %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                    %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                    %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                    %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x17x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x17x64xbf16>, tensor<17xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x17x64xbf16>
  return %o : tensor<?x17x64xbf16>
}

func.func @heads_65(%q: tensor<?x65x64xbf16>, %sink: tensor<65xf32>, %ring: !ring16,
                    %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                    %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                    %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                    %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x65x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x65x64xbf16>, tensor<65xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x65x64xbf16>
  return %o : tensor<?x65x64xbf16>
}

// Sinks far above and below every score: 0, and as without a sink.
func.func @sink_extreme(%q: tensor<?x16x64xbf16>, %sink: tensor<16xf32> {check.scale = 200.0}, %ring: !ring16,
                        %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                        %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                        %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                        %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x16x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x16x64xbf16>, tensor<16xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x16x64xbf16>
  return %o : tensor<?x16x64xbf16>
}

// Scores of some hundreds: one slot takes all.
func.func @scores_extreme(%q: tensor<?x4x64xbf16> {check.scale = 100.0}, %sink: tensor<4xf32>, %ring: !ring16,
                          %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !main1,
                          %index: !ced.index_set<40> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                          %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                          %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x4x64xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring16, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !main1, !ced.index_set<40>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}

// With the rotations of the query and of the result in one body, as ced-fuse-attention makes it.
func.func @turned(%q: tensor<?x5x64xbf16>, %sink: tensor<5xf32>, %ring: !ring100, %main: !main2, %index: !ced.index_set<70> {check.ratio = 2},
                  %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                  %b: tensor<?xi32> {ced.name = "starts"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x5x64xbf16> {check.ulp = 2}) {
  %o = ced.group "attention"(%q, %sink, %ring, %main, %index, %p, %s, %b, %t)
    : (tensor<?x5x64xbf16>, tensor<5xf32>, !ring100, !main2, !ced.index_set<70>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>) -> tensor<?x5x64xbf16> {
  ^bb0(%gq: tensor<?x5x64xbf16>, %gsink: tensor<5xf32>, %gring: !ring100, %gmain: !main2, %gindex: !ced.index_set<70>, %gp: tensor<?xi32>,
       %gs: tensor<?xi32>, %gb: tensor<?xi32>, %gt: tensor<?x?xi32>):
    %r = ced.rope %gq, %gp by <dim = 32, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 32.0, beta_slow = 1.0> group 1 : tensor<?x5x64xbf16>, tensor<?xi32>
    %a = ced.attention %r, %gsink window %gring main %gmain select %gindex at %gp, %gs, %gb, %gt
      : tensor<?x5x64xbf16>, tensor<5xf32>, !ring100, !main2, !ced.index_set<70>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x5x64xbf16>
    %i = ced.rope %a, %gp by <dim = 32, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 32.0, beta_slow = 1.0> group 1 inverse : tensor<?x5x64xbf16>, tensor<?xi32>
    ced.yield %i : tensor<?x5x64xbf16>
  }
  return %o : tensor<?x5x64xbf16>
}

}
