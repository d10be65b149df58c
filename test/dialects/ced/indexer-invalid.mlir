// RUN: ced-opt %s -split-input-file -verify-diagnostics

!q = !ced.scaled<?x8x32, f8E4M3FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x32, f8E8M0FNU, row>>
func.func @index_scores_c1(%q: !q, %w: tensor<?x8xbf16>, %keys: !keys, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.index_scores' op expected 'q' of format f4E2M1FN 1x32 f8E8M0FNU, got '!ced.scaled<?x8x32, f8E4M3FN, 1x32, f8E8M0FNU>'}}
  %s = ced.index_scores %q, %w, %keys at %r, %r, %pages : !q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return
}

// -----

!q = !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x32, f8E8M0FNU, row>>
func.func @index_scores_c1_weights(%q: !q, %w: tensor<?x4xbf16>, %keys: !keys, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.index_scores' op expected 'weights' of shape [T, 8], got 'tensor<?x4xbf16>'}}
  %s = ced.index_scores %q, %w, %keys at %r, %r, %pages : !q, tensor<?x4xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return
}

// -----

// Main KV is no index key, although both are FP4.
!q = !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x16, f8E4M3FN, row>>
func.func @index_scores_c1_keys(%q: !q, %w: tensor<?x8xbf16>, %keys: !keys, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.index_scores' op expected 'keys' with rows of 32 columns in the format of 'q', got '!ced.scaled<32, f4E2M1FN, 1x16, f8E4M3FN, row>'}}
  %s = ced.index_scores %q, %w, %keys at %r, %r, %pages : !q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  return
}

// -----

!q = !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x32, f8E8M0FNU, row>>
func.func @index_scores_c2(%q: !q, %w: tensor<?x8xbf16>, %keys: !keys, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.index_scores' op expected 'result' of shape [T, ?], got 'tensor<?x8x?xbf16>'}}
  %s = ced.index_scores %q, %w, %keys at %r, %r, %pages : !q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x8x?xbf16>
  return
}

// -----

!q = !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x32, f8E8M0FNU, row>>
func.func @index_scores_c3(%q: !q, %w: tensor<?x8xbf16>, %keys: !keys, %r: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // expected-error @+1 {{'ced.index_scores' op expected 'pool' and 'block_size' together, got only 'block_size'}}
  %s = "ced.index_scores"(%q, %w, %keys, %r, %r, %pages) <{block_size = 8 : i64}> : (!q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>) -> tensor<?x?xbf16>
  return
}

// -----

!q = !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x32, f8E8M0FNU, row>>
func.func @index_scores_c3_pool(%q: !q, %w: tensor<?x8xbf16>, %keys: !keys, %r: tensor<?xi32>, %pages: tensor<?x?xi32>, %pool: !ced.index_set<4>) {
  // expected-error @+1 {{'ced.index_scores' op expected 'pool' and 'block_size' together, got only 'pool'}}
  %s = "ced.index_scores"(%q, %w, %keys, %r, %r, %pages, %pool) : (!q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<4>) -> tensor<?x?xbf16>
  return
}

// -----

!q = !ced.scaled<?x8x32, f4E2M1FN, 1x32, f8E8M0FNU>
!keys = !ced.paged<ratio 1, page 64, <32, f4E2M1FN, 1x32, f8E8M0FNU, row>>
func.func @index_scores_c3_size(%q: !q, %w: tensor<?x8xbf16>, %keys: !keys, %r: tensor<?xi32>, %pages: tensor<?x?xi32>, %pool: !ced.index_set<4>) {
  // expected-error @+1 {{'ced.index_scores' op expected block_size to be at least 1, got 0}}
  %s = ced.index_scores %q, %w, %keys at %r, %r, %pages pool %pool of 0
    : !q, tensor<?x8xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<4> -> tensor<?x?xbf16>
  return
}

// -----

func.func @candidate_blocks_c1(%s: tensor<?x?xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.candidate_blocks' op expected block_size to be at least 1, got 0}}
  %i = ced.candidate_blocks %s at %positions block 0 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<4>
  return
}

// -----

func.func @candidate_blocks_c1_ratio(%s: tensor<?x?xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.candidate_blocks' op expected ratio to be at least 1, got 0}}
  %i = ced.candidate_blocks %s at %positions block 8 ratio 0 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<4>
  return
}

// -----

func.func @candidate_blocks_c2(%s: tensor<?xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.candidate_blocks' op expected 'maxima' of shape [T, ?], got 'tensor<?xbf16>'}}
  %i = ced.candidate_blocks %s at %positions block 8 ratio 1 : tensor<?xbf16>, tensor<?xi32> -> !ced.index_set<4>
  return
}

// -----

func.func @block_max_c1(%s: tensor<?x?xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.block_max' op expected block_size to be at least 1, got 0}}
  %m = ced.block_max %s at %positions block 0 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> tensor<?x?xbf16>
  return
}

// -----

func.func @block_max_c1_ratio(%s: tensor<?x?xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.block_max' op expected ratio to be at least 1, got -1}}
  %m = ced.block_max %s at %positions block 8 ratio -1 : tensor<?x?xbf16>, tensor<?xi32> -> tensor<?x?xbf16>
  return
}

// -----

func.func @block_max_c2(%s: tensor<?x17xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.block_max' op expected 'result' of shape [T, 3], got 'tensor<?x2xbf16>'}}
  %m = ced.block_max %s at %positions block 8 ratio 1 : tensor<?x17xbf16>, tensor<?xi32> -> tensor<?x2xbf16>
  return
}

// -----

func.func @topk_c1(%s: tensor<?x?xbf16>, %positions: tensor<?xi32>) {
  // expected-error @+1 {{'ced.topk' op expected ratio to be at least 1, got -2}}
  %i = ced.topk %s at %positions ratio -2 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<4>
  return
}

// -----

func.func @topk_c2(%s: tensor<4x?xbf16>, %positions: tensor<3xi32>) {
  // expected-error @+1 {{'ced.topk' op expected 'positions' of shape [T = 4], got 'tensor<3xi32>'}}
  %i = ced.topk %s at %positions ratio 2 : tensor<4x?xbf16>, tensor<3xi32> -> !ced.index_set<4>
  return
}
