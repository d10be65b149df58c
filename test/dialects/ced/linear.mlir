// RUN: ced-opt %s | ced-opt | FileCheck %s

!x = !ced.scaled<?x256, f8E4M3FN, 1x32, f8E8M0FNU>

// CHECK-LABEL: func @linear
func.func @linear(%x: !x, %w8: !ced.scaled<64x256, f8E4M3FN, 32x32, f8E8M0FNU>, %w4: !ced.scaled<64x256, f4E2M1FN, 1x32, f8E8M0FNU>) {
  // CHECK: ced.linear %{{.*}}, %{{.*}} : <?x256, f8E4M3FN, 1x32, f8E8M0FNU>, <64x256, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  %0 = ced.linear %x, %w8 : !x, !ced.scaled<64x256, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  // CHECK: ced.linear %{{.*}}, %{{.*}} : <?x256, f8E4M3FN, 1x32, f8E8M0FNU>, <64x256, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  %1 = ced.linear %x, %w4 : !x, !ced.scaled<64x256, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return
}

// CHECK-LABEL: func @matmul
func.func @matmul(%x: tensor<?x96xbf16>, %w: tensor<8x96xbf16>) {
  // CHECK: ced.matmul %{{.*}}, %{{.*}} : tensor<?x96xbf16>, tensor<8x96xbf16> -> tensor<?x8xbf16>
  %0 = ced.matmul %x, %w : tensor<?x96xbf16>, tensor<8x96xbf16> -> tensor<?x8xbf16>
  // CHECK: ced.matmul %{{.*}}, %{{.*}} : tensor<?x96xbf16>, tensor<8x96xbf16> -> tensor<?x8xf32>
  %1 = ced.matmul %x, %w : tensor<?x96xbf16>, tensor<8x96xbf16> -> tensor<?x8xf32>
  return
}

// CHECK-LABEL: func @grouped_linear
func.func @grouped_linear(%x: tensor<?x256xbf16>, %w: !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU>) {
  // CHECK: ced.grouped_linear %{{.*}}, %{{.*}} groups 2 : tensor<?x256xbf16>, <64x128, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  %0 = ced.grouped_linear %x, %w groups 2 : tensor<?x256xbf16>, !ced.scaled<64x128, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return
}

// CHECK-LABEL: func @scale
func.func @scale(%x: tensor<?x4xbf16>) {
  // CHECK: ced.scale %{{.*}} by 1.562500e-02 : tensor<?x4xbf16>
  %0 = ced.scale %x by 0.015625 : tensor<?x4xbf16>
  return
}
