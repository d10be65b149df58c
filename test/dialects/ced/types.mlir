// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func.func private @scaled_planar_is_not_printed(!ced.scaled<1280x5120, f8E4M3FN, 32x32, f8E8M0FNU>)
func.func private @scaled_planar_is_not_printed(!ced.scaled<1280x5120, f8E4M3FN, 32x32, f8E8M0FNU, planar>)

// CHECK-LABEL: func.func private @scaled_rows(!ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>)
func.func private @scaled_rows(!ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>)

// CHECK-LABEL: func.func private @scaled_cache_row(!ced.scaled<512, f4E2M1FN, 1x16, f8E4M3FN, row>)
func.func private @scaled_cache_row(!ced.scaled<512, f4E2M1FN, 1x16, f8E4M3FN, row>)

// Partial tiles and stacked experts.
// CHECK-LABEL: func.func private @scaled_partial(!ced.scaled<33x40, f8E4M3FN, 32x32, f8E8M0FNU>, !ced.scaled<8x33x40, f4E2M1FN, 1x32, f8E8M0FNU>)
func.func private @scaled_partial(!ced.scaled<33x40, f8E4M3FN, 32x32, f8E8M0FNU>, !ced.scaled<8x33x40, f4E2M1FN, 1x32, f8E8M0FNU>)

// The row of a cache may be written whole; it is printed short.
// CHECK-LABEL: func.func private @caches(!ced.window<128 + 8, <512, f8E4M3FN, 1x32, f8E8M0FNU, row>>, !ced.paged<ratio 2, page 64, <512, f4E2M1FN, 1x16, f8E4M3FN, row>>)
func.func private @caches(!ced.window<128 + 8, !ced.scaled<512, f8E4M3FN, 1x32, f8E8M0FNU, row>>,
                          !ced.paged<ratio 2, page 64, !ced.scaled<512, f4E2M1FN, 1x16, f8E4M3FN, row>>)

// CHECK-LABEL: func.func private @state_and_index_set(!ced.state<1x2x512xf32>, !ced.state<3xi32>, !ced.index_set<512>)
func.func private @state_and_index_set(!ced.state<1x2x512xf32>, !ced.state<3xi32>, !ced.index_set<512>)

// Every digit of a double survives.
// CHECK-LABEL: func.func private @rope
// CHECK-SAME: #ced.rope<dim = 64, theta = 1.600000e+05, original = 65536, factor = 1.600000e+01, beta_fast = 3.200000e+01, beta_slow = 1.000000e+00>
// CHECK-SAME: #ced.rope<dim = 64, theta = 10000.000000000002, original = 0, factor = 0.000000e+00, beta_fast = 0.000000e+00, beta_slow = 0.000000e+00>
func.func private @rope() attributes {
  a = #ced.rope<dim = 64, theta = 1.6e5, original = 65536, factor = 1.6e1, beta_fast = 3.2e1, beta_slow = 1.0>,
  b = #ced.rope<dim = 64, theta = 10000.000000000002, original = 0, factor = 0.0, beta_fast = 0.0, beta_slow = 0.0>
}

// CHECK-LABEL: func.func private @layer
// CHECK-SAME: #ced.layer<window = 128, ratio = 1, kv = 20, select = 24, pool = -1, engram = false>
func.func private @layer() attributes {
  a = #ced.layer<window = 128, ratio = 1, kv = 20, select = 24, pool = -1, engram = false>
}
