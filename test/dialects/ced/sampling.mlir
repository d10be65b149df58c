// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @sample
func.func @sample(%logits: tensor<?x512xf32>, %how: !ced.state<2xi32>, %list: !ced.state<64xi32>, %positions: tensor<?xi32>,
                  %slots: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, !ced.state<64xi32>) {
  // CHECK: ced.sample %{{.*}} by %{{.*}} into %{{.*}} at %{{.*}}, %{{.*}} : tensor<?x512xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <64xi32>
  %tokens, %next, %chosen = ced.sample %logits by %how into %list at %positions, %slots
    : tensor<?x512xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>, tensor<?xi32>, <64xi32>
  // CHECK: ced.single_rows %{{.*}} : tensor<?xi32>
  %p, %s = ced.single_rows %next : tensor<?xi32>
  return %tokens, %p, %s, %chosen : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, !ced.state<64xi32>
}
