// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @rms_norm
func.func @rms_norm(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>) {
  // CHECK: ced.rms_norm %{{.*}}, %{{.*}} eps 9.99999968E-21 : tensor<?x256xbf16>, tensor<256xbf16>
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x256xbf16>, tensor<256xbf16>
  return
}
