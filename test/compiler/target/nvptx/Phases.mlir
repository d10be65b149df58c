// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile --ced-nvptx-check-dependent --split-input-file | FileCheck %s

// The phases that need nothing of each other are one stage; the third reads what both wrote and waits for all blocks.
// CHECK: llvm.func internal @add.phase(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[COUNTER:.*]]: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-SAME: always_inline
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.icmp "ne" %[[COUNTER]]
// CHECK: scf.while
// CHECK: llvm.load %[[COUNTER]] atomic syncscope("device") acquire
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> i32
// CHECK: llvm.func internal @both.phase
// CHECK: llvm.mlir.global internal @p.arrived(dense<0> : tensor<1xi32>) {addr_space = 1 : i32
// CHECK: llvm.func @p(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %[[FIRST:.*]]: i32, %[[END:.*]]: i32,
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 64>
// CHECK: scf.for
// CHECK: llvm.call @add.phase
// CHECK: llvm.call @add.phase
// CHECK: nvvm.barrier
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.atomicrmw add {{.*}} syncscope("device") acq_rel
// CHECK: scf.for
// CHECK: llvm.call @both.phase
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: nvvm.griddepcontrol wait
// CHECK-NOT: llvm.func
tile.kernel @add grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 1 : i64} class "run" attributes {tile.phase_only} {
^bb0(%x: memref<?x32xf32>, %y: memref<?x32xf32>, %rows: index, %row: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%row, %c0] : memref<?x32xf32> -> !tile.tile<1x32xf32>
  tile.store %t, %y[%row, %c0] : !tile.tile<1x32xf32>, memref<?x32xf32>
  tile.return
}
tile.kernel @both grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 2 : i64} class "run" attributes {tile.phase_only} {
^bb0(%x: memref<?x32xf32>, %y: memref<?x32xf32>, %z: memref<?x32xf32>, %rows: index, %row: index):
  %c0 = arith.constant 0 : index
  %s = tile.load %x[%row, %c0] : memref<?x32xf32> -> !tile.tile<1x32xf32>
  %t = tile.load %y[%row, %c0] : memref<?x32xf32> -> !tile.tile<1x32xf32>
  %u = tile.map ins(%s, %t : !tile.tile<1x32xf32>, !tile.tile<1x32xf32>) -> !tile.tile<1x32xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %u, %z[%row, %c0] : !tile.tile<1x32xf32>, memref<?x32xf32>
  tile.return
}
sched.phases @p [@add, @add, @both] on [array<i64: 0, 1>, array<i64: 0, 2>, array<i64: 1, 2, 3>]
