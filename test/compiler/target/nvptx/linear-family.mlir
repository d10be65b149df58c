// RUN: ced-opt %s "-sched-select-configs=target=nvptx chip=sm_90a" -tile-build-kernels -canonicalize -cse -ced-target-nvptx | FileCheck %s

// The family's own bodies become tensor-core code: codes by codes, FP4 weights, bf16 rows by FP8 weights, bf16 by bf16, and sizes that
// no tile divides.
// CHECK-LABEL: llvm.func @fp8
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.mma.sync {{.*}} (vector<2xf16>, vector<2xf16>, f32)
// CHECK-LABEL: llvm.func @fp4
// CHECK: nvvm.mma.sync {{.*}} (vector<2xf16>, vector<2xf16>, f32)
// CHECK-LABEL: llvm.func @odd
// CHECK: nvvm.mma.sync
// CHECK-LABEL: llvm.func @grouped
// CHECK: nvvm.mma.sync {{.*}} (i32, i32, f32)
// CHECK-LABEL: llvm.func @gate
// CHECK: nvvm.mma.sync {{.*}} (i32, i32, f32)
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  sched.kernel @fp8 family "linear" config {} {
  ^bb0(%x: !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<1280x5120, f8E4M3FN, 32x32, f8E8M0FNU>):
    %y = ced.linear %x, %w : !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<1280x5120, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x1280xbf16>
    sched.result %y : tensor<?x1280xbf16>
  }
  sched.kernel @fp4 family "linear" config {} {
  ^bb0(%x: !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<2304x5120, f4E2M1FN, 1x32, f8E8M0FNU>):
    %y = ced.linear %x, %w : !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<2304x5120, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2304xbf16>
    sched.result %y : tensor<?x2304xbf16>
  }
  sched.kernel @odd family "linear" config {} {
  ^bb0(%x: !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<33x96, f8E4M3FN, 32x32, f8E8M0FNU>):
    %y = ced.linear %x, %w : !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<33x96, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x33xbf16>
    sched.result %y : tensor<?x33xbf16>
  }
  sched.kernel @grouped family "linear" config {} {
  ^bb0(%x: tensor<?x8192xbf16>, %w: !ced.scaled<2048x4096, f8E4M3FN, 32x32, f8E8M0FNU>):
    %y = ced.grouped_linear %x, %w groups 2 : tensor<?x8192xbf16>, !ced.scaled<2048x4096, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x2048xbf16>
    sched.result %y : tensor<?x2048xbf16>
  }
  sched.kernel @gate family "linear" config {} {
  ^bb0(%x: tensor<?x5120xbf16>, %w: tensor<384x5120xbf16>):
    %y = ced.matmul %x, %w : tensor<?x5120xbf16>, tensor<384x5120xbf16> -> tensor<?x384xf32>
    sched.result %y : tensor<?x384xf32>
  }
}
