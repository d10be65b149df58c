// RUN: ced-opt %s --ced-expand-math | FileCheck %s

// What is computed is tested by numbers in x86/MathTest.cpp; here: what is replaced, and by which ops.

// CHECK-LABEL: func @rsqrt
func.func @rsqrt(%x: f32) -> f32 {
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: %[[S:.*]] = math.sqrt %{{.*}} : f32
  // CHECK: %[[Y:.*]] = arith.divf %[[ONE]], %[[S]] : f32
  // CHECK: return %[[Y]]
  %y = math.rsqrt %x : f32
  return %y : f32
}

// CHECK-LABEL: func @scalars
// CHECK-NOT: math.{{exp|log|log1p|sin|cos}}
// CHECK: return
func.func @scalars(%x: f32) -> (f32, f32, f32, f32, f32) {
  %a = math.exp %x : f32
  %b = math.log %x : f32
  %c = math.log1p %x : f32
  %d = math.sin %x : f32
  %e = math.cos %x : f32
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f32
}

// Vectors keep their shape.
// CHECK-LABEL: func @vector
// CHECK-NOT: math.exp
// CHECK: math.fma {{.*}} : vector<8xf32>
func.func @vector(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  return %y : vector<8xf32>
}

// Other types and ops are not ours.
// CHECK-LABEL: func @others
func.func @others(%x: f64, %y: f32) -> (f64, f32, f32) {
  // CHECK: math.exp %{{.*}} : f64
  // CHECK: math.sqrt
  // CHECK: math.tanh
  %a = math.exp %x : f64
  %b = math.sqrt %y : f32
  %c = math.tanh %y : f32
  return %a, %b, %c : f64, f32, f32
}
