// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @embed_c1(%tokens: tensor<?xi32>, %table: tensor<384x64xbf16>) {
  // expected-error @+1 {{'ced.embed' op expected 'result' of shape [T, 64], got 'tensor<?x32xbf16>'}}
  %0 = ced.embed %tokens, %table : tensor<?xi32>, tensor<384x64xbf16> -> tensor<?x32xbf16>
  return
}

// -----

func.func @engram_rows_c1(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 3 multipliers, got 2}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_rows_c1_primes(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 4 primes, got 3}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_rows_c1_offsets(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 4 offsets, got 5}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59, 88>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_rows_c1_small_prime(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected primes above 1, got 1}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 1, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_rows_c1_layers(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected layers, orders and heads to be at least 1, got 0, 2 and 2}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 0 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_rows_c2(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 'rows' of shape [T, 1, 4], got 'tensor<?x4xi64>'}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_rows_c2_history(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<3xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 'history' of type '!ced.state<2xi32>', got '!ced.state<3xi32>'}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<3xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<3xi32>
  return
}

// -----

func.func @engram_rows_c2_new_history(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 'new_history' of type '!ced.state<2xi32>', got '!ced.state<2xf32>'}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xf32>
  return
}

// -----

func.func @engram_rows_c3(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 'pad' to be a token id of 'token_map' 'tensor<384xi32>', got 384}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 384 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_rows_c3(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>) {
  // expected-error @+1 {{'ced.engram_rows' op expected 'pad' to be a token id of 'token_map' 'tensor<384xi32>', got 384}}
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 384 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  return
}

// -----

func.func @engram_lookup_c1(%rows: tensor<?x2x4xi64>, %table: !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.engram_lookup' op expected a layer from 0 to 1, got 2}}
  %0 = ced.engram_lookup %rows, %table layer 2 : tensor<?x2x4xi64>, !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x128xbf16>
  return
}

// -----

func.func @engram_lookup_c1_format(%rows: tensor<?x2x4xi64>, %table: !ced.scaled<90x32, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.engram_lookup' op expected 'table' of format f8E4M3FN 1x32 f8E8M0FNU, got '!ced.scaled<90x32, f8E4M3FN, 32x32, f8E8M0FNU>'}}
  %0 = ced.engram_lookup %rows, %table layer 1 : tensor<?x2x4xi64>, !ced.scaled<90x32, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x128xbf16>
  return
}

// -----

func.func @engram_lookup_c1_result(%rows: tensor<?x2x4xi64>, %table: !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU>) {
  // expected-error @+1 {{'ced.engram_lookup' op expected 'result' of shape [T, 128], got 'tensor<?x256xbf16>'}}
  %0 = ced.engram_lookup %rows, %table layer 1 : tensor<?x2x4xi64>, !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x256xbf16>
  return
}

// -----

// n keys and one value: (4 + 1) * 64 columns.
func.func @engram_inject_c1(%stream: tensor<?x4x64xbf16>, %kv: tensor<?x256xbf16>, %q: tensor<4x64xbf16>, %kinds: tensor<?xi32>) {
  // expected-error @+1 {{'ced.engram_inject' op expected 'kv' of shape [T, 320], got 'tensor<?x256xbf16>'}}
  %1 = ced.engram_inject %stream, %kv, %q, %q, %kinds eps 1.0e-20
    : tensor<?x4x64xbf16>, tensor<?x256xbf16>, tensor<4x64xbf16>, tensor<4x64xbf16>, tensor<?xi32> -> tensor<?x4x64xbf16>
  return
}

// -----

func.func @engram_lookup_c2(%rows: tensor<?x2x4xi64>, %table: !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU>, %g: tensor<2xi32>) {
  // expected-error @+1 {{'ced.engram_lookup' op expected 'gathered' of shape [1], got 'tensor<2xi32>'}}
  %0 = ced.engram_lookup %rows, %table gathered %g layer 1 : tensor<?x2x4xi64>, !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<2xi32> -> tensor<?x128xbf16>
  return
}
