// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @select_topk_c1(%scores: memref<?x4096xf32>, %out: memref<?x512xi32>, %t: index) {
  // expected-error @+1 {{'tile.select_topk' op expected scores of bf16, got 'f32'}}
  tile.select_topk 512 of %scores[%t, %t] count %t into %out[%t, %t] : memref<?x4096xf32>, memref<?x512xi32>
  return
}

// -----

func.func @select_topk_c1(%scores: memref<?x4096xbf16>, %out: memref<?x512xi64>, %t: index) {
  // expected-error @+1 {{'tile.select_topk' op expected out of i32, got 'i64'}}
  tile.select_topk 512 of %scores[%t, %t] count %t into %out[%t, %t] : memref<?x4096xbf16>, memref<?x512xi64>
  return
}

// -----

func.func @select_topk_c1(%scores: memref<?x4096xbf16>, %out: memref<?x512xi32>, %t: index) {
  // expected-error @+1 {{'tile.select_topk' op expected one offset for each of the 2 dims of out, got 1}}
  tile.select_topk 512 of %scores[%t, %t] count %t into %out[%t] : memref<?x4096xbf16>, memref<?x512xi32>
  return
}

// -----

func.func @select_topk_c2(%scores: memref<?x4096xbf16>, %out: memref<?x512xi32>, %t: index) {
  // expected-error @+1 {{'tile.select_topk' op expected a positive k, got 0}}
  tile.select_topk 0 of %scores[%t, %t] count %t into %out[%t, %t] : memref<?x4096xbf16>, memref<?x512xi32>
  return
}
