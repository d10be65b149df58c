// RUN: ced-opt %s --ced-target-null | FileCheck %s
// RUN: not ced-compile --from=target --to=target --target=x86:avx1024 -o - %s 2>&1 | FileCheck %s --check-prefix=CHIP

// No passes: the kernels stay. (The image is tested by x86/EmitTest.cpp.)
// CHECK: tile.kernel @first
// CHECK: tile.kernel @second

// A chip that a back end does not know is refused with those it does.
// CHIP: expected one of avx2, avx512 for target x86, got 'avx1024'
tile.kernel @first grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  tile.return
}
tile.kernel @second grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  tile.return
}
