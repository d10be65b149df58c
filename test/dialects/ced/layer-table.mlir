// RUN: ced-opt %s | ced-opt | FileCheck %s

// One layer of every role, in the order SWA, Full, Reuse, Full with pool, Reuse, Reindex.
// CHECK-LABEL: ced.layer_table @six_roles arch "deepseek_v41" [
// CHECK-SAME: #ced.layer<window = 16, ratio = 0, kv = -1, select = -1, pool = -1, engram = true>
// CHECK-SAME: #ced.layer<window = 16, ratio = 1, kv = 3, select = 5, pool = 3, engram = false>]
ced.layer_table @six_roles arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 0, kv = -1, select = -1, pool = -1, engram = true>,
  #ced.layer<window = 16, ratio = 2, kv = 1, select = 1, pool = -1, engram = true>,
  #ced.layer<window = 16, ratio = 2, kv = 1, select = 1, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 3, select = 3, pool = 3, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 3, select = 3, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 3, select = 5, pool = 3, engram = false>]

// Every class of layer is optional: no window-only layer, no selection at all, nothing but windows.
// CHECK: ced.layer_table @no_window_layer
ced.layer_table @no_window_layer arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 2, kv = 0, select = 0, pool = -1, engram = false>]
// CHECK: ced.layer_table @only_windows
ced.layer_table @only_windows arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 0, kv = -1, select = -1, pool = -1, engram = false>]

// Other decoders are other tables: dense over an earlier layer's cache, an index list of one's own over it, a
// pool that a layer without its own KV builds.
// CHECK: ced.layer_table @dense_and_shared
ced.layer_table @dense_and_shared arch "other" [
  #ced.layer<window = 16, ratio = 4, kv = 0, select = -1, pool = -1, engram = false>,
  #ced.layer<window = 16, ratio = 4, kv = 0, select = 1, pool = 1, engram = false>,
  #ced.layer<window = 16, ratio = 4, kv = 0, select = 2, pool = 1, engram = false>]

// A later KV owner may use an earlier pool.
// CHECK: ced.layer_table @later_owner_earlier_pool
ced.layer_table @later_owner_earlier_pool arch "deepseek_v41" [
  #ced.layer<window = 16, ratio = 1, kv = 0, select = 0, pool = 0, engram = false>,
  #ced.layer<window = 16, ratio = 1, kv = 1, select = 1, pool = 0, engram = false>]
