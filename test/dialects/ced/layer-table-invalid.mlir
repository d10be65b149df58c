// RUN: ced-opt %s -split-input-file -verify-diagnostics

// Nothing is read before it is written.
// expected-error @+1 {{'ced.layer_table' op layer 0: expected kv to be -1 or a layer from 0 to 0, got 1}}
ced.layer_table @layer_table_c1 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 1, select = -1, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 2, kv = 1, select = 1, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 1: expected select to be -1 or a layer from 0 to 1, got 7}}
ced.layer_table @layer_table_c1_select arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 7, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 0: expected pool to be -1 or a layer from 0 to 0, got -2}}
ced.layer_table @layer_table_c1_pool arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 0, pool = -2, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 0: expected kv = -1 exactly where ratio = 0, got kv = -1 with ratio = 2}}
ced.layer_table @layer_table_c2 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = -1, select = -1, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 0: expected kv = -1 exactly where ratio = 0, got kv = 0 with ratio = 0}}
ced.layer_table @layer_table_c2_ratio arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 0, kv = 0, select = 0, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 1: expected select = -1 without kv, got 0}}
ced.layer_table @layer_table_c2_select arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 0, kv = -1, select = 0, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 2: expected layer 1, the owner of its kv, to own its kv, got kv = 0 there}}
ced.layer_table @layer_table_c3 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 2, kv = 1, select = 0, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 1: expected the ratio of layer 0, the owner of its kv, 2, got 1}}
ced.layer_table @layer_table_c3_ratio arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 2: expected layer 1, the owner of its select, to select itself, got select = 0 there}}
ced.layer_table @layer_table_c4 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 1, pool = -1, engram = false>]

// -----

// The entry numbers of one owner mean nothing in another's cache.
// expected-error @+1 {{'ced.layer_table' op layer 1: expected layer 0, the owner of its select, to read the same kv = 1, got 0}}
ced.layer_table @layer_table_c4_kv arch "other" [
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 1, select = 0, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 1: expected layer 0, the owner of its pool, to have pool and select = 0, got pool = -1, select = 0 there}}
ced.layer_table @layer_table_c5 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 1, pool = 0, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 1: expected pool = -1 in a layer that does not select itself, got 0}}
ced.layer_table @layer_table_c5_select arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = 0, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = 0, engram = false>]

// -----

// Blocks of another ratio's entries are other tokens.
// expected-error @+1 {{'ced.layer_table' op layer 1: expected the ratio of layer 0, the owner of its pool, 1, got 2}}
ced.layer_table @layer_table_c5_ratio arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = 0, engram = false>,
  #ced.layer<window = 16, ratio = 2, kv = 1, select = 1, pool = 0, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 1: expected a positive window, got 0}}
ced.layer_table @layer_table_c6 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 0, kv = -1, select = -1, pool = -1, engram = false>,
  #ced.layer<window = 0, ratio = 0, kv = -1, select = -1, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 0: expected a ratio of at least 0, got -2}}
ced.layer_table @layer_table_c6_ratio arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = -2, kv = 0, select = 0, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 0: expected a layer that owns its kv to select itself in deepseek_v41, got select = -1}}
ced.layer_table @layer_table_c7 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 0, select = -1, pool = -1, engram = false>]

// -----

// expected-error @+1 {{'ced.layer_table' op layer 1: expected a layer that builds the pool to own its kv in deepseek_v41, got kv = 0}}
ced.layer_table @layer_table_c8 arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 1, pool = 1, engram = false>]
