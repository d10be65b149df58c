// RUN: ced-opt %s --ced-target-x86=chip=avx2 | FileCheck %s

// Down to the LLVM dialect, nothing else left.
// CHECK-LABEL: llvm.func @copy(
// CHECK-NOT: {{(tile|scf|arith|vector|math|cf)\.}}
// CHECK: llvm.return
tile.kernel @copy grid [#tile.grid<value = 1, rows_per = 16>] config {} class "phase" {
^bb0(%in: memref<?x64xf32>, %out: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %r0 = arith.muli %b, %c16 : index
  %left = arith.subi %rows, %r0 : index
  %t = tile.load %in[%r0, %c0] rows %left : memref<?x64xf32> -> !tile.tile<16x64xf32>
  %e = tile.map ins(%t : !tile.tile<16x64xf32>) -> !tile.tile<16x64xf32> {
  ^bb0(%a: f32):
    %x = math.exp %a : f32
    tile.yield %x : f32
  }
  tile.store %e, %out[%r0, %c0] rows %left : !tile.tile<16x64xf32>, memref<?x64xf32>
  tile.return
}
