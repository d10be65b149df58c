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
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK: llvm.atomicrmw add {{.*}} syncscope("device") acq_rel
// CHECK: scf.for
// CHECK: llvm.call @both.phase
// CHECK: nvvm.griddepcontrol wait
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

// -----

// A phase is in the last stage it can be in: the third one needs nothing and runs beside the second, behind it, because block 0 does both
// phases of the chain where they are one block each, and then nobody arrives.
// CHECK-LABEL: llvm.func @q(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr<1>, %[[Y:.*]]: !llvm.ptr<1>, %[[Z:.*]]: !llvm.ptr<1>, %[[W:.*]]: !llvm.ptr<1>, %{{.*}}: i64
// CHECK: scf.for
// CHECK: llvm.call @copy.phase(%[[X]], %[[Y]],
// CHECK-NOT: llvm.call
// CHECK: arith.cmpi eq, %{{.*}}, %[[ONE:.*]] : i32
// CHECK: %[[CHAIN:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: %[[BROKEN:.*]] = arith.cmpi eq, %[[CHAIN]], %{{.*}} : i1
// CHECK: %[[HANDS:.*]] = arith.andi %{{.*}}, %[[BROKEN]] : i1
// CHECK: scf.if %[[HANDS]]
// CHECK: llvm.atomicrmw add
// CHECK: scf.for
// CHECK: llvm.call @copy.phase(%[[Y]], %[[Z]],
// CHECK: llvm.call @copy.phase(%[[X]], %[[W]],
tile.kernel @copy grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 1 : i64} class "run" attributes {tile.phase_only} {
^bb0(%x: memref<?x32xf32>, %y: memref<?x32xf32>, %rows: index, %row: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%row, %c0] : memref<?x32xf32> -> !tile.tile<1x32xf32>
  tile.store %t, %y[%row, %c0] : !tile.tile<1x32xf32>, memref<?x32xf32>
  tile.return
}
sched.phases @q [@copy, @copy, @copy] on [array<i64: 0, 1>, array<i64: 1, 2>, array<i64: 0, 3>]

// -----

// Here the second stage needs what two phases have made: blocks arrive, whatever their number.
// CHECK-LABEL: llvm.func @r(
// CHECK: llvm.call @copy.phase
// CHECK: llvm.call @copy.phase
// CHECK-NOT: arith.cmpi eq, %{{.*}} : i1
// CHECK: llvm.atomicrmw add
tile.kernel @copy grid [#tile.grid<value = 1, rows_per = 1>] config {warps = 1 : i64} class "run" attributes {tile.phase_only} {
^bb0(%x: memref<?x32xf32>, %y: memref<?x32xf32>, %rows: index, %row: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%row, %c0] : memref<?x32xf32> -> !tile.tile<1x32xf32>
  tile.store %t, %y[%row, %c0] : !tile.tile<1x32xf32>, memref<?x32xf32>
  tile.return
}
sched.phases @r [@copy, @copy, @copy, @copy] on [array<i64: 0, 1>, array<i64: 0, 2>, array<i64: 1, 3>, array<i64: 2, 4>]
