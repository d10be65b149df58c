// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @compress
func.func @compress(%c: tensor<?x64xf32>, %g: tensor<?x64xf32>, %open: !ced.state<1x2x64xf32>,
                    %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>) {
  // CHECK: %{{.*}}, %{{.*}} = ced.compress %{{.*}}, %{{.*}}, %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}} ratio 2
  // CHECK-SAME: : tensor<?x64xf32>, tensor<?x64xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x64xbf16>, <1x2x64xf32>
  %z, %next = ced.compress %c, %g, %open at %positions, %slots, %starts ratio 2
    : tensor<?x64xf32>, tensor<?x64xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x64xbf16>, !ced.state<1x2x64xf32>
  return
}
