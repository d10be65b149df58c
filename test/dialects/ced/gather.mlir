// RUN: ced-opt %s | ced-opt | FileCheck %s

!ring = !ced.window<16 + 4, !ced.scaled<64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!main = !ced.paged<ratio 2, page 16, !ced.scaled<64, f4E2M1FN, 1x16, f8E4M3FN, row>>

// CHECK-LABEL: func @steps
func.func @steps(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %window: !ring, %kv: tensor<?x64xbf16>, %cache: !main,
                 %set: !ced.index_set<8>, %p: tensor<?xi32>, %s: tensor<?xi32>, %b: tensor<?xi32>, %t: tensor<?x?xi32>)
    -> tensor<?x4x64xbf16> {
  // CHECK: ced.gather_window %{{.*}} : !ced.window<16 + 4, {{.*}}> -> tensor<?x20x64xbf16>
  %r = ced.gather_window %window : !ring -> tensor<?x20x64xbf16>
  // CHECK: ced.gather_paged %{{.*}} at %{{.*}} -> tensor<?x?x64xbf16>
  %m = ced.gather_paged %cache at %t : !main, tensor<?x?xi32> -> tensor<?x?x64xbf16>
  // CHECK: ced.combine_lists window 16 ring 20 select %{{.*}} ratio 2 at
  %l = ced.combine_lists window 16 ring 20 select %set ratio 2 at %p, %b
    : !ced.index_set<8>, tensor<?xi32>, tensor<?xi32> -> tensor<?x24xi32>
  // CHECK: ced.attend %{{.*}}, %{{.*}} list %{{.*}} window 16 of %{{.*}}, %{{.*}} at %{{.*}} main
  %o = ced.attend %q, %sink list %l window 16 of %r, %kv at %s main %m
    : tensor<?x4x64xbf16>, tensor<4xf32>, tensor<?x24xi32>, tensor<?x20x64xbf16>, tensor<?x64xbf16>, tensor<?xi32>, tensor<?x?x64xbf16> -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}
