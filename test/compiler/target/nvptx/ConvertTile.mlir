// RUN: ced-opt %s --ced-nvptx-assign-layouts --ced-nvptx-place-shared --ced-nvptx-convert-tile | FileCheck %s

// The loop runs its copies two iterations ahead. Warps that copy for themselves meet their own warp only; the sum's parts
// are exchanged behind the loop, where the block meets.
// CHECK: gpu.module @kernels
// CHECK: llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 128 : i64}
// CHECK: llvm.func @linear(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64)
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 64>, tile.shared_bytes = 31104 : i64
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache =  cg
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"
// CHECK: nvvm.mma.sync {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32)
// CHECK: math.fma
// CHECK: scf.yield
// CHECK: nvvm.barrier
// CHECK: nvvm.barrier
// CHECK: arith.truncf
// CHECK: llvm.store {{.*}} : bf16, !llvm.ptr<1>
tile.kernel @linear grid [#tile.grid<value = 2, rows_per = 0>, #tile.grid<value = 1, rows_per = 8>] config {warps = 2 : i64, stages = 3 : i64} class "batch" {
^bb0(%x: memref<?x512xi8>, %xs: memref<?x16xi8>, %w: memref<64x512xi8>, %ws: memref<2x16xi8>, %y: memref<?x64xbf16>, %rows: index, %bn: index, %bm: index):
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %n0 = arith.muli %bn, %c32 : index
  %m0 = arith.muli %bm, %c8 : index
  %left = arith.subi %rows, %m0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<32x8xf32>
  %acc = scf.for %k = %c0 to %c512 step %c256 iter_args(%a = %init) -> (!tile.tile<32x8xf32>) {
    %ks = arith.divui %k, %c32 : index
    %wc = tile.load %w[%n0, %k] : memref<64x512xi8> -> !tile.tile<32x256xi8>
    %wsc = tile.load %ws[%bn, %ks] : memref<2x16xi8> -> !tile.tile<1x8xi8>
    %xc = tile.load %x[%m0, %k] rows %left : memref<?x512xi8> -> !tile.tile<8x256xi8>
    %xsc = tile.load %xs[%m0, %ks] rows %left : memref<?x16xi8> -> !tile.tile<8x8xi8>
    %wv = tile.decode %wc, %wsc element f8E4M3FN scale f8E8M0FNU block 32 x 32 : !tile.tile<32x256xi8>, !tile.tile<1x8xi8> -> !tile.tile<32x256xbf16>
    %xv = tile.decode %xc, %xsc element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<8x256xi8>, !tile.tile<8x8xi8> -> !tile.tile<8x256xbf16>
    %r = tile.mma %wv, %xv, %a : !tile.tile<32x256xbf16>, !tile.tile<8x256xbf16>, !tile.tile<32x8xf32>
    scf.yield %r : !tile.tile<32x8xf32>
  }
  %out = tile.map ins(%acc : !tile.tile<32x8xf32>) -> !tile.tile<32x8xbf16> {
  ^bb0(%v: f32):
    %b = arith.truncf %v : f32 to bf16
    tile.yield %b : bf16
  }
  tile.store %out, %y[%m0, %n0] dims [1, 0] cols %left : !tile.tile<32x8xbf16>, memref<?x64xbf16>
  tile.return
}

// A product that begins before its predecessor ends: weights are copied first, then it waits, then the rest follows.
// Then its own successor may begin.
// CHECK: llvm.func @dependent
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16
// CHECK-NOT: nvvm.cp.async.commit.group
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK-NOT: nvvm.griddepcontrol
// CHECK: llvm.return
tile.kernel @dependent grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 1 : i64, stages = 2 : i64} class "phase" attributes {tile.constants = array<i64: 1>} {
^bb0(%x: memref<8x256xbf16>, %w: memref<16x256xbf16>, %y: memref<16x8xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<16x8xf32>
  %acc = scf.for %k = %c0 to %c256 step %c64 iter_args(%a = %init) -> (!tile.tile<16x8xf32>) {
    %xt = tile.load %x[%c0, %k] : memref<8x256xbf16> -> !tile.tile<8x64xbf16>
    %wt = tile.load %w[%c0, %k] : memref<16x256xbf16> -> !tile.tile<16x64xbf16>
    %r = tile.mma %wt, %xt, %a : !tile.tile<16x64xbf16>, !tile.tile<8x64xbf16>, !tile.tile<16x8xf32>
    scf.yield %r : !tile.tile<16x8xf32>
  }
  tile.store %acc, %y[%c0, %c0] : !tile.tile<16x8xf32>, memref<16x8xf32>
  tile.return
}

// A kernel that only reads constants and does nothing with them still waits before it ends; one that touches other
// memory in a branch waits before the branch.
// CHECK: llvm.func @waits_before_branch
// CHECK: nvvm.griddepcontrol wait
// CHECK: scf.if
// CHECK-NOT: nvvm.griddepcontrol wait
// CHECK: llvm.return
// CHECK: llvm.func @waits_at_the_end
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: llvm.return
tile.kernel @waits_before_branch grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 1 : i64} class "phase" attributes {tile.constants = array<i64: 0>} {
^bb0(%x: memref<8x32xf32>, %y: memref<8x32xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x32xf32> -> !tile.tile<8x32xf32>
  %any = arith.cmpi sgt, %rows, %c0 : index
  scf.if %any {
    tile.store %t, %y[%c0, %c0] : !tile.tile<8x32xf32>, memref<8x32xf32>
  }
  tile.return
}
tile.kernel @waits_at_the_end grid [#tile.grid<value = 1, rows_per = 0>] config {warps = 1 : i64} class "phase" attributes {tile.constants = array<i64: 0>} {
^bb0(%x: memref<8x32xf32>, %rows: index, %b: index):
  tile.return
}
