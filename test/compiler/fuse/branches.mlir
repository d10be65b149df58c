// RUN: ced-opt %s "-pass-pipeline=builtin.module(func.func(ced-form-groups,ced-fuse-siblings{branches-apart=true},ced-fuse-glue{branches-apart=true}))" | FileCheck %s
// RUN: ced-opt %s -ced-form-groups -ced-fuse-siblings -ced-fuse-glue | FileCheck --check-prefix=TOGETHER %s

!q8 = !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
!w = !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU>
!q4 = !ced.scaled<?x64, f4E2M1FN, 1x32, f8E8M0FNU>
!cache = !ced.paged<ratio 1, page 64, !ced.scaled<64, f4E2M1FN, 1x32, f8E8M0FNU, row>>

// Two caches are written from products of the same rows. Apart, each has its product and its glue; its rotation waits for nobody, and
// nobody for it. Products whose results end in the same cache are one kernel either way.
// CHECK-LABEL: func.func @caches
// CHECK-NOT: phases
// CHECK: ced.group "linear"
// CHECK: ced.linear
// CHECK: ced.group "phases"
// CHECK: ced.rms_norm
// CHECK: ced.quantize
// CHECK: ced.append_paged
// CHECK: ced.group "linear"
// CHECK: ced.linear
// CHECK: ced.group "phases"
// CHECK: ced.quantize
// CHECK: ced.append_paged
// CHECK: return
// TOGETHER-LABEL: func.func @caches
// TOGETHER: ced.group "phases"
// TOGETHER: ced.linear
// TOGETHER: ced.linear
// TOGETHER: ced.group "phases"
// TOGETHER: ced.append_paged
// TOGETHER: ced.append_paged
// TOGETHER-NOT: ced.group
// TOGETHER: return
func.func @caches(%x: !q8, %a: !w, %b: !w, %n: tensor<64xbf16>, %one: !cache, %two: !cache, %p: tensor<?xi32>, %s: tensor<?xi32>,
                  %t: tensor<?x?xi32>) -> (!cache, !cache) {
  %k = ced.linear %x, %a : !q8, !w -> tensor<?x64xbf16>
  %m = ced.rms_norm %k, %n eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  %c = ced.quantize %m : tensor<?x64xbf16> -> !q4
  %first = ced.append_paged %one, %c at %p, %s, %t : !cache, !q4, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> !cache
  %l = ced.linear %x, %b : !q8, !w -> tensor<?x64xbf16>
  %d = ced.quantize %l : tensor<?x64xbf16> -> !q4
  %second = ced.append_paged %two, %d at %p, %s, %t : !cache, !q4, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> !cache
  return %first, %second : !cache, !cache
}
