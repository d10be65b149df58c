// RUN: ced-opt %s --pass-pipeline='builtin.module(tile.kernel(ced-x86-plan-arena),ced-x86-lower-kernels,canonicalize)' | FileCheck %s

// A map: runs outside, 8 elements inside; what does not vary along a run is broadcast outside.
// CHECK-LABEL: llvm.func @scale(
// CHECK-SAME: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias})
// CHECK-SAME: arena_bytes
tile.kernel @scale grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<4x24xf32>, %s: memref<4x1xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<4x24xf32> -> !tile.tile<4x24xf32>
  %u = tile.load %s[%c0, %c0] : memref<4x1xf32> -> !tile.tile<4x1xf32>
  // CHECK: %[[F:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> f32
  // CHECK: %[[V:.*]] = vector.broadcast %[[F]] : f32 to vector<8xf32>
  // CHECK: scf.for
  // CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xf32>
  // CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[V]] : vector<8xf32>
  // CHECK: llvm.store %[[Y]]
  %y = tile.map ins(%t, %u : !tile.tile<4x24xf32>, !tile.tile<4x1xf32>) -> !tile.tile<4x24xf32> {
  ^bb0(%a: f32, %f: f32):
    %p = arith.mulf %a, %f fastmath<fast> : f32
    tile.yield %p : f32
  }
  tile.store %y, %x[%c0, %c0] : !tile.tile<4x24xf32>, memref<4x24xf32>
  tile.return
}

// Fast-math of the input is dropped; bf16 is f32 rounded by integer operations.
// CHECK-LABEL: llvm.func @narrow(
// CHECK-NOT: fastmath
// CHECK-NOT: bf16
// CHECK: llvm.return
tile.kernel @narrow grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<4x8xbf16>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<4x8xbf16> -> !tile.tile<4x8xbf16>
  %y = tile.map ins(%t : !tile.tile<4x8xbf16>) -> !tile.tile<4x8xbf16> {
  ^bb0(%a: bf16):
    %p = arith.mulf %a, %a fastmath<contract> : bf16
    tile.yield %p : bf16
  }
  tile.store %y, %x[%c0, %c0] : !tile.tile<4x8xbf16>, memref<4x8xbf16>
  tile.return
}
