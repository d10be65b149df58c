// RUN: ced-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected element f8E4M3FN or f4E2M1FN, got 'bf16'}}
func.func private @scaled_c1(!ced.scaled<4x64, bf16, 1x32, f8E8M0FNU>)

// -----

// A scale that was read with another type would be a number some powers of two away.
// expected-error @+1 {{expected scale f8E8M0FNU or f8E4M3FN, got 'i8'}}
func.func private @scaled_c1_scale(!ced.scaled<4x64, f8E4M3FN, 1x32, i8>)

// -----

// expected-error @+1 {{expected only the first of several dims to be dynamic, got dim 1 dynamic}}
func.func private @scaled_c2(!ced.scaled<4x?, f8E4M3FN, 1x32, f8E8M0FNU>)

// -----

// expected-error @+1 {{expected only the first of several dims to be dynamic, got dim 0 dynamic}}
func.func private @scaled_c2_rank_one(!ced.scaled<?, f8E4M3FN, 1x32, f8E8M0FNU, row>)

// -----

// expected-error @+1 {{expected positive dims, got dim 1 = 0}}
func.func private @scaled_c2_zero(!ced.scaled<4x0, f8E4M3FN, 1x32, f8E8M0FNU>)

// -----

// expected-error @+1 {{expected positive block dims, got 0x32}}
func.func private @scaled_c3(!ced.scaled<4x64, f8E4M3FN, 0x32, f8E8M0FNU>)

// -----

// expected-error @+1 {{expected a block of one row over one dim, got 32x32}}
func.func private @scaled_c3_rank_one(!ced.scaled<64, f8E4M3FN, 32x32, f8E8M0FNU>)

// -----

// expected-error @+1 {{expected a block of two dims, got 1}}
func.func private @scaled_c3_syntax(!ced.scaled<4x64, f8E4M3FN, 32, f8E8M0FNU>)

// -----

// expected-error @+1 {{expected an even last dim with f4E2M1FN, got 33}}
func.func private @scaled_c4(!ced.scaled<4x33, f4E2M1FN, 1x32, f8E8M0FNU>)

// -----

// expected-error @+1 {{expected a block of one row with row placement, got 32x32}}
func.func private @scaled_c5(!ced.scaled<4x64, f8E4M3FN, 32x32, f8E8M0FNU, row>)

// -----

// expected-error @+1 {{expected placement planar or row, got swizzled}}
func.func private @scaled_c5_syntax(!ced.scaled<4x64, f8E4M3FN, 1x32, f8E8M0FNU, swizzled>)

// -----

// expected-error @+1 {{expected a positive window size, got 0}}
func.func private @window_c1(!ced.window<0 + 8, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>)

// -----

// expected-error @+1 {{expected a slack of at least 0, got -1}}
func.func private @window_c1_slack(!ced.window<16 + -1, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>)

// -----

// expected-error @+1 {{expected a cache row of rank 1 with row placement, got '!ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU>'}}
func.func private @window_c2(!ced.window<16 + 8, <64, f8E4M3FN, 1x32, f8E8M0FNU>>)

// -----

// expected-error @+1 {{expected a positive page that a positive ratio divides, got ratio 2, page 33}}
func.func private @paged_c1(!ced.paged<ratio 2, page 33, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>)

// -----

// expected-error @+1 {{expected a positive page that a positive ratio divides, got ratio 0, page 32}}
func.func private @paged_c1_zero(!ced.paged<ratio 0, page 32, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>)

// -----

// expected-error @+1 {{expected a cache row of rank 1 with row placement, got '!ced.scaled<2x64, f4E2M1FN, 1x16, f8E4M3FN, row>'}}
func.func private @paged_c2(!ced.paged<ratio 2, page 32, <2x64, f4E2M1FN, 1x16, f8E4M3FN, row>>)

// -----

// expected-error @+1 {{expected at least one dim, all static and positive}}
func.func private @state_c1(!ced.state<0x4xf32>)

// -----

// expected-error @+1 {{expected element f32 or i32, got 'bf16'}}
func.func private @state_c1_element(!ced.state<4xbf16>)

// -----

// expected-error @+1 {{expected a positive k, got 0}}
func.func private @index_set_c1(!ced.index_set<0>)

// -----

// expected-error @+1 {{expected dim to be positive and even, got 63}}
func.func private @rope_c1() attributes {a = #ced.rope<dim = 63, theta = 1.0e4, original = 0, factor = 1.0, beta_fast = 1.0, beta_slow = 1.0>}

// -----

// expected-error @+1 {{expected theta above 1, got 1.000000e+00}}
func.func private @rope_c2() attributes {a = #ced.rope<dim = 64, theta = 1.0, original = 0, factor = 1.0, beta_fast = 1.0, beta_slow = 1.0>}

// -----

// expected-error @+1 {{expected original to be 0 (no YaRN) or positive, got -1}}
func.func private @rope_c3() attributes {a = #ced.rope<dim = 64, theta = 1.0e4, original = -1, factor = 1.0, beta_fast = 1.0, beta_slow = 1.0>}

// -----

// expected-error @+1 {{expected factor to be at least 1, got 5.000000e-01}}
func.func private @rope_c3_factor() attributes {a = #ced.rope<dim = 64, theta = 1.0e4, original = 4096, factor = 0.5, beta_fast = 1.0, beta_slow = 1.0>}

// -----

// expected-error @+1 {{expected beta_fast and beta_slow to be positive, got 0.000000e+00}}
func.func private @rope_c3_beta() attributes {a = #ced.rope<dim = 64, theta = 1.0e4, original = 4096, factor = 2.0, beta_fast = 1.0, beta_slow = 0.0>}
