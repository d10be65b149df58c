// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7 --seeds=2 --racecheck

// Products of FP4 values and their sums are exact in f32, so every rounding sees what the interpreter's sees:
// scores are equal bit for bit, and so is every choice made from them. Any number of heads is built, with pages of any length (case 10).

!each64 = !ced.paged<ratio 1, page 16, !ced.scaled<64, f4E2M1FN, 1x32, f8E8M0FNU, row>>
!half64 = !ced.paged<ratio 2, page 16, !ced.scaled<64, f4E2M1FN, 1x32, f8E8M0FNU, row>>
!each128 = !ced.paged<ratio 1, page 16, !ced.scaled<128, f4E2M1FN, 1x32, f8E8M0FNU, row>>
!each48 = !ced.paged<ratio 4, page 16, !ced.scaled<48, f4E2M1FN, 1x32, f8E8M0FNU, row>>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 500, page = 16}} {

func.func @each(%q: !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x8xbf16>, %keys: !each64,
                %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t
    : !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x8xbf16>, !each64, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @half(%q: !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x8xbf16>, %keys: !half64,
                %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t
    : !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x8xbf16>, !half64, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @one_head(%q: !ced.scaled<?x1x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x1xbf16>, %keys: !each64,
                    %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t
    : !ced.scaled<?x1x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x1xbf16>, !each64, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @columns_cut(%q: !ced.scaled<?x3x48, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x3xbf16>, %keys: !each48,
                       %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t
    : !ced.scaled<?x3x48, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x3xbf16>, !each48, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @released(%q: !ced.scaled<?x32x128, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x32xbf16>, %keys: !each128,
                    %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t
    : !ced.scaled<?x32x128, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x32xbf16>, !each128, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @pool(%q: !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x8xbf16>, %keys: !each64,
                %pool: !ced.index_set<12> {check.below = 63},
                %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t pool %pool of 8
    : !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x8xbf16>, !each64, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<12> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @pool_of_few(%q: !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x8xbf16>, %keys: !half64,
                       %pool: !ced.index_set<3> {check.below = 63},
                       %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t pool %pool of 4
    : !ced.scaled<?x8x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x8xbf16>, !half64, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<3> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @pool_of_single_entries(%q: !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x4xbf16>, %keys: !each64,
                                  %pool: !ced.index_set<40> {check.below = 500},
                                  %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t pool %pool of 1
    : !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x4xbf16>, !each64, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<40> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// Blocks larger than a tile, the last one cut by the end of the row.
func.func @pool_of_large_blocks(%q: !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x4xbf16>, %keys: !each64,
                                %pool: !ced.index_set<3> {check.below = 5},
                                %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> tensor<?x?xbf16> {
  %r = ced.index_scores %q, %w, %keys at %p, %s, %t pool %pool of 100
    : !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x4xbf16>, !each64, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<3> -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

}
