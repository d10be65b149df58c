// RUN: ced-opt %s | ced-opt | FileCheck %s

// CHECK-LABEL: func @embed
func.func @embed(%tokens: tensor<?xi32>, %table: tensor<384x64xbf16>) {
  // CHECK: ced.embed %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<384x64xbf16> -> tensor<?x64xbf16>
  %0 = ced.embed %tokens, %table : tensor<?xi32>, tensor<384x64xbf16> -> tensor<?x64xbf16>
  return
}

// One layer, orders 2 and 3, two heads.
// CHECK-LABEL: func @engram
func.func @engram(%r: tensor<?xi32>, %map: tensor<384xi32>, %history: !ced.state<2xi32>, %table: !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU>,
                  %stream: tensor<?x4x64xbf16>, %kv: tensor<?x320xbf16>, %q: tensor<4x64xbf16>) {
  // CHECK: %[[ROWS:.*]], %{{.*}} = ced.engram_rows %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}} {heads = 2 : i64, layers = 1 : i64
  // CHECK-SAME: -> tensor<?x1x4xi64>, <2xi32>
  %rows, %next = ced.engram_rows %r, %r, %map, %history at %r, %r, %r
    {layers = 1 : i64, orders = 2 : i64, heads = 2 : i64, pad = 2 : i64, multipliers = array<i64: 3, 5, 7>,
     primes = array<i64: 17, 19, 23, 29>, offsets = array<i64: 0, 17, 36, 59>}
    : tensor<?xi32>, tensor<?xi32>, tensor<384xi32>, !ced.state<2xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?x1x4xi64>, !ced.state<2xi32>
  // CHECK: ced.engram_lookup %[[ROWS]], %{{.*}} layer 0 : tensor<?x1x4xi64>, !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x128xbf16>
  %0 = ced.engram_lookup %rows, %table layer 0 : tensor<?x1x4xi64>, !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU> -> tensor<?x128xbf16>
  // CHECK: ced.engram_lookup %[[ROWS]], %{{.*}} gathered %{{.*}} layer 0 : tensor<?x1x4xi64>, !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<1xi32> -> tensor<?x128xbf16>
  %flag = ced.weight ["flag"] : tensor<1xi32>
  %2 = ced.engram_lookup %rows, %table gathered %flag layer 0 : tensor<?x1x4xi64>, !ced.scaled<90x32, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<1xi32> -> tensor<?x128xbf16>
  // CHECK: ced.engram_inject %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} eps 9.99999968E-21 : tensor<?x4x64xbf16>, tensor<?x320xbf16>, tensor<4x64xbf16>, tensor<4x64xbf16>, tensor<?xi32> -> tensor<?x4x64xbf16>
  %1 = ced.engram_inject %stream, %kv, %q, %q, %r eps 1.0e-20
    : tensor<?x4x64xbf16>, tensor<?x320xbf16>, tensor<4x64xbf16>, tensor<4x64xbf16>, tensor<?xi32> -> tensor<?x4x64xbf16>
  return
}
