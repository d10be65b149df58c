// RUN: ced-opt %s | ced-opt | FileCheck %s

!ring = !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!main = !ced.paged<ratio 2, page 64, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>

// Planar rows go into row-placed caches: the format agrees, the placement need not.
// CHECK-LABEL: func @append
func.func @append(%ring: !ring, %main: !main, %kv: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %e: !ced.scaled<?x64, f4E2M1FN, 1x16, f8E4M3FN>,
                  %positions: tensor<?xi32>, %slots: tensor<?xi32>, %pages: tensor<?x?xi32>) -> (!ring, !main) {
  // CHECK: ced.append_window %{{.*}}, %{{.*}} at %{{.*}}, %{{.*}} : !ced.window<16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> <16 + 4, <64, f8E4M3FN, 1x32, f8E8M0FNU, row>>
  %0 = ced.append_window %ring, %kv at %positions, %slots : !ring, !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> !ring
  // CHECK: ced.append_paged %{{.*}}, %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}} : !ced.paged<{{.*}}>, !ced.scaled<?x64, f4E2M1FN, 1x16, f8E4M3FN>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> <ratio 2, page 64, <64, f4E2M1FN, 1x16, f8E4M3FN, row>>
  %1 = ced.append_paged %main, %e at %positions, %slots, %pages : !main, !ced.scaled<?x64, f4E2M1FN, 1x16, f8E4M3FN>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> !main
  return %0, %1 : !ring, !main
}
