// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,5 --seeds=2
// RUN: ced-conformance %s --target=nvptx --rows=1 --seeds=1

// The sizes of DeepSeek-V4.1-Flash. Dots and sums are added in another order than the interpreter's: one ulp of the row's largest value.

!ring = !ced.window<128 + 8, !ced.scaled<512, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!half = !ced.paged<ratio 2, page 64, !ced.scaled<512, f4E2M1FN, 1x16, f8E4M3FN, row>>
!each = !ced.paged<ratio 1, page 64, !ced.scaled<512, f4E2M1FN, 1x16, f8E4M3FN, row>>

module attributes {sched.limits = {max_rows = 8, max_batch = 2, max_context = 2048, page = 64}} {

func.func @full(%q: tensor<?x64x512xbf16>, %sink: tensor<64xf32>, %ring: !ring,
                %kv: !ced.scaled<?x512, f8E4M3FN, 1x32, f8E8M0FNU>, %main: !half,
                %index: !ced.index_set<512> {check.ratio = 2}, %p: tensor<?xi32> {ced.name = "positions"},
                %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x64x512xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %p, %s, %b, %t
    : tensor<?x64x512xbf16>, tensor<64xf32>, !ring, !ced.scaled<?x512, f8E4M3FN, 1x32, f8E8M0FNU>, !half, !ced.index_set<512>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x64x512xbf16>
  return %o : tensor<?x64x512xbf16>
}

func.func @decoder(%q: tensor<?x64x512xbf16>, %sink: tensor<64xf32>, %ring: !ring, %main: !each,
                   %index: !ced.index_set<512> {check.ratio = 1}, %p: tensor<?xi32> {ced.name = "positions"},
                   %s: tensor<?xi32> {ced.name = "slots"}, %b: tensor<?xi32> {ced.name = "starts"},
                   %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (tensor<?x64x512xbf16> {check.ulp = 1}) {
  %o = ced.attention %q, %sink window %ring main %main select %index at %p, %s, %b, %t
    : tensor<?x64x512xbf16>, tensor<64xf32>, !ring, !each, !ced.index_set<512>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x64x512xbf16>
  return %o : tensor<?x64x512xbf16>
}

}
