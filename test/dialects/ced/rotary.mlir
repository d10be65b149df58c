// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @rope
func.func @rope(%q: tensor<?x4x64xbf16>, %kv: tensor<?x64xbf16>, %positions: tensor<?xi32>) {
  // CHECK: ced.rope %{{.*}}, %{{.*}} by <dim = 16, theta = 1.000000e+04, original = 0, factor = 4.000000e+00, beta_fast = 3.200000e+01, beta_slow = 1.000000e+00> group 1 : tensor<?x4x64xbf16>, tensor<?xi32>
  %0 = ced.rope %q, %positions by #ced.rope<dim = 16, theta = 1.0e4, original = 0, factor = 4.0, beta_fast = 32.0, beta_slow = 1.0> group 1
    : tensor<?x4x64xbf16>, tensor<?xi32>
  // CHECK: ced.rope %{{.*}}, %{{.*}} by <{{.*}}> group 2 inverse : tensor<?x64xbf16>, tensor<?xi32>
  %1 = ced.rope %kv, %positions by #ced.rope<dim = 64, theta = 1.6e5, original = 65536, factor = 16.0, beta_fast = 32.0, beta_slow = 1.0> group 2 inverse
    : tensor<?x64xbf16>, tensor<?xi32>
  return
}
