// RUN: ced-opt %s -pass-pipeline='builtin.module(func.func(ced-form-groups,ced-explain-groups))' | FileCheck %s
// RUN: ced-opt %s -pass-pipeline='builtin.module(func.func(ced-form-groups,ced-explain-groups{split=true}))' | FileCheck --check-prefix=SPLIT %s

// The first has none before it.
// CHECK: ced.group "norm_cast"
// CHECK-NOT: not_fused
// CHECK: ced.group "linear"({{.*}}) {ced.layer = {{[0-9]+}} : i64, ced.not_fused = "ced-fuse-glue joins glue with glue only, the second is a product"}
// CHECK: ced.group "norm_cast"({{.*}}) {ced.layer = {{[0-9]+}} : i64, ced.not_fused = "ced-fuse-glue joins glue with glue only, the first is a product"}
// CHECK: ced.group "linear"({{.*}}) {ced.layer = {{[0-9]+}} : i64, ced.not_fused = "ced-fuse-glue joins glue with glue only, the second is a product"}
// SPLIT: ced.not_fused = "the schedule is split: every group is a kernel"
func.func @products(%x: tensor<?x64xbf16>, %w: !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU>) -> tensor<?x64xbf16> {
  %q = ced.quantize %x : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  %y = ced.linear %q, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  %r = ced.quantize %y : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
  %z = ced.linear %r, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return %z : tensor<?x64xbf16>
}
