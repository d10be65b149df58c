// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @affine
tile.kernel @affine grid [#tile.grid<value = 1, rows_per = 8>] config {} class "run" {
^bb0(%x: memref<?x4x64xbf16>, %v: memref<64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [0, 2] rows %{{.*}} : memref<?x4x64xbf16> -> <8x64xbf16>
  %t = tile.load %x[%b, %c0, %c0] dims [0, 2] rows %rows : memref<?x4x64xbf16> -> !tile.tile<8x64xbf16>
  // CHECK: tile.load %{{.*}}[%{{.*}}] cols %{{.*}} : memref<64xf32> -> <1x16xf32>
  %w = tile.load %v[%c0] cols %rows : memref<64xf32> -> !tile.tile<1x16xf32>
  // A column out of a rank-1 memref.
  // CHECK: tile.load %{{.*}}[%{{.*}}] dims [0, -1] : memref<64xf32> -> <16x1xf32>
  %c = tile.load %v[%c0] dims [0, -1] : memref<64xf32> -> !tile.tile<16x1xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [2, 0] rows %{{.*}} cols %{{.*}} : <8x64xbf16>, memref<?x4x64xbf16>
  tile.store %t, %x[%b, %c0, %c0] dims [2, 0] rows %rows cols %rows : !tile.tile<8x64xbf16>, memref<?x4x64xbf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @indexed
tile.kernel @indexed grid [#tile.grid<value = 1, rows_per = 8>] config {} class "run" {
^bb0(%cache: memref<?x288xi8>, %list: memref<?x64xi32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %idx = tile.load %list[%b, %c0] dims [1, 0] : memref<?x64xi32> -> !tile.tile<64x1xi32>
  // CHECK: tile.gather %{{.*}}[%{{.*}}, %{{.*}}] at %{{.*}} : memref<?x288xi8>, <64x1xi32> -> <64x256xi8>
  %kv = tile.gather %cache[%c0, %c0] at %idx : memref<?x288xi8>, !tile.tile<64x1xi32> -> !tile.tile<64x256xi8>
  // CHECK: tile.scatter %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] at %{{.*}} cols %{{.*}} : <64x256xi8>, memref<?x288xi8>, <64x1xi32>
  tile.scatter %kv, %cache[%c0, %c0] at %idx cols %rows : !tile.tile<64x256xi8>, memref<?x288xi8>, !tile.tile<64x1xi32>
  tile.return
}
