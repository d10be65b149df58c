// RUN: ced-opt %s -split-input-file -verify-diagnostics -convert-ced-to-sched

// expected-error @below {{expected attribute 'sched.limits' with positive max_rows, max_batch, max_context and page}}
module {
}

// -----

// A cache is written in place: reading its old value afterwards would read the new one.
!row = !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>
!ring = !ced.window<16 + 4, !row>
!kv = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  func.func @prefill(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>,
                     %starts: tensor<?xi32>, %pages: tensor<2x2xi32>, %ring: !ring {ced.name = "window.0"},
                     %kv: !kv {ced.name = "kv"}) -> !ring {
    // expected-note @below {{written here}}
    %first = ced.group "cache" (%ring, %kv, %positions, %slots) : (!ring, !kv, tensor<?xi32>, tensor<?xi32>) -> !ring {
    ^bb0(%a: !ring, %b: !kv, %c: tensor<?xi32>, %d: tensor<?xi32>):
      %r = ced.append_window %a, %b at %c, %d : !ring, !kv, tensor<?xi32>, tensor<?xi32> -> !ring
      ced.yield %r : !ring
    }
    // expected-error @below {{reads a cache after it was written in place}}
    %second = ced.group "cache" (%ring, %kv, %positions, %slots) : (!ring, !kv, tensor<?xi32>, tensor<?xi32>) -> !ring {
    ^bb0(%a: !ring, %b: !kv, %c: tensor<?xi32>, %d: tensor<?xi32>):
      %r = ced.append_window %a, %b at %c, %d : !ring, !kv, tensor<?xi32>, tensor<?xi32> -> !ring
      ced.yield %r : !ring
    }
    return %second : !ring
  }
}

// -----

module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  // expected-error @below {{expected argument 0 of a program to be 'tokens', a tensor of i32, got 'tensor<?x64xf32>'}}
  func.func @prefill(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
    return %x : tensor<?x64xf32>
  }
}
