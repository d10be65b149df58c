// RUN: ced-opt %s -split-input-file -verify-diagnostics -tile-build-kernels

!cache = !ced.paged<ratio 2, page 32, !ced.scaled<80, f4E2M1FN, 1x16, f8E4M3FN, row>>
!rows = !ced.scaled<?x80, f4E2M1FN, 1x16, f8E4M3FN>

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{expected a cache with the page table's pages of 64 tokens, got pages of 32}}
  sched.kernel @k family "cache" config {warps = 0} {
  ^bb0(%c: !cache, %r: !rows, %p: tensor<?xi32>, %s: tensor<?xi32>, %t: tensor<2x2xi32>):
    %n = ced.append_paged %c, %r at %p, %s, %t : !cache, !rows, tensor<?xi32>, tensor<?xi32>, tensor<2x2xi32> -> !cache
    sched.result %n : !cache
  }
}

// -----

!ring = !ced.window<5 + 2, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!bytes = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU, row>

module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
  // expected-error @below {{cannot build this kernel: expected planar rows to append}}
  sched.kernel @k family "cache" config {warps = 0} {
  ^bb0(%c: !ring, %r: !bytes, %p: tensor<?xi32>, %s: tensor<?xi32>):
    %n = ced.append_window %c, %r at %p, %s : !ring, !bytes, tensor<?xi32>, tensor<?xi32> -> !ring
    sched.result %n : !ring
  }
}
