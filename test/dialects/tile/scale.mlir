// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @decode
func.func @decode(%c: !tile.tile<33x96xi8>, %s: !tile.tile<2x3xi8>, %n: !tile.tile<4x32xi8>, %e: !tile.tile<4x4xi8>) {
  // CHECK: tile.decode %{{.*}}, %{{.*}} element f8E4M3FN scale f8E8M0FNU block 32 x 32 : <33x96xi8>, <2x3xi8> -> <33x96xbf16>
  %w = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 32 x 32 : !tile.tile<33x96xi8>, !tile.tile<2x3xi8> -> !tile.tile<33x96xbf16>
  // CHECK: tile.decode %{{.*}}, %{{.*}} element f4E2M1FN scale f8E4M3FN block 1 x 16 : <4x32xi8>, <4x4xi8> -> <4x64xf32>
  %v = tile.decode %n, %e element f4E2M1FN scale f8E4M3FN block 1 x 16 : !tile.tile<4x32xi8>, !tile.tile<4x4xi8> -> !tile.tile<4x64xf32>
  return
}

// CHECK-LABEL: func @encode
func.func @encode(%x: !tile.tile<8x48xf32>) {
  // CHECK: tile.encode %{{.*}} element f8E4M3FN scale f8E8M0FNU group 32 : <8x48xf32> -> <8x48xi8>, <8x2xi8>
  %q8, %s8 = tile.encode %x element f8E4M3FN scale f8E8M0FNU group 32 : !tile.tile<8x48xf32> -> !tile.tile<8x48xi8>, !tile.tile<8x2xi8>
  // CHECK: tile.encode %{{.*}} element f4E2M1FN scale f8E8M0FNU group 32
  %qi, %si = tile.encode %x element f4E2M1FN scale f8E8M0FNU group 32 : !tile.tile<8x48xf32> -> !tile.tile<8x24xi8>, !tile.tile<8x2xi8>
  // CHECK: tile.encode %{{.*}} element f4E2M1FN scale f8E4M3FN group 16
  %qm, %sm = tile.encode %x element f4E2M1FN scale f8E4M3FN group 16 : !tile.tile<8x48xf32> -> !tile.tile<8x24xi8>, !tile.tile<8x3xi8>
  return
}
