// RUN: ced-opt %s | ced-opt | FileCheck %s

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!main = !ced.paged<ratio 2, page 64, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>
!rows = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>

// CHECK-LABEL: func @forms
func.func @forms(%q: tensor<?x4x64xbf16>, %sink: tensor<4xf32>, %ring: !ring, %kv: !rows, %main: !main, %index: !ced.index_set<16>,
                 %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>, %pages: tensor<?x?xi32>) {
  // CHECK: ced.attention %{{.*}}, %{{.*}} window %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x4x64xbf16>
  %0 = ced.attention %q, %sink window %ring at %positions, %slots, %starts, %pages
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  // CHECK: ced.attention %{{.*}}, %{{.*}} window %{{.*}} fresh %{{.*}} at
  %1 = ced.attention %q, %sink window %ring fresh %kv at %positions, %slots, %starts, %pages
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, !rows, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  // CHECK: ced.attention %{{.*}}, %{{.*}} window %{{.*}} fresh %{{.*}} main %{{.*}} select %{{.*}} at
  // CHECK-SAME: !ced.index_set<16>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  %2 = ced.attention %q, %sink window %ring fresh %kv main %main select %index at %positions, %slots, %starts, %pages
    : tensor<?x4x64xbf16>, tensor<4xf32>, !ring, !rows, !main, !ced.index_set<16>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x4x64xbf16>
  return
}
