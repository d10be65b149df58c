// RUN: ced-opt %s -ced-form-groups -convert-ced-to-sched -sched-annotate-costs | FileCheck %s

// Rows: 64 codes and 2 scales in, 128 bf16 out; the weight once.
// CHECK: sched.dispatch @linear_0
// CHECK-SAME: sched.cost = {chain = 1 : i64, flops = {fp8 = "16384 rows"}, pieces = 128 : i64, read = "8200 + 66 rows", written = "256 rows"}

// Experts: as many as the rows go to; a row writes two results of 32 columns.
// CHECK: sched.dispatch @experts_0
// CHECK-SAME: flops = {fp8 = "16384 rows"}
// CHECK-SAME: read = "82 rows + 2176 experts(8, 2)", written = "128 rows"
module attributes {sched.limits = {max_rows = 16 : i64, max_batch = 2 : i64, max_context = 128 : i64, page = 64 : i64}} {
  func.func @decode(%tokens: tensor<?xi32>, %kinds: tensor<?xi32>, %positions: tensor<?xi32>, %slots: tensor<?xi32>, %starts: tensor<?xi32>,
                    %pages: tensor<2x2xi32>) -> tensor<?x2x32xbf16> {
    %e = ced.weight ["e.weight"] : tensor<512x64xbf16>
    %x = ced.embed %tokens, %e : tensor<?xi32>, tensor<512x64xbf16> -> tensor<?x64xbf16>
    %q = ced.quantize %x : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
    %w = ced.weight ["w"] : !ced.scaled<128x64, f8E4M3FN, 32x32, f8E8M0FNU>
    %y = ced.linear %q, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<128x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x128xbf16>
    %m = ced.mark "y" 0 %y : tensor<?x128xbf16>
    %r = ced.weight ["r"] : tensor<8x64xbf16>
    %b = ced.weight ["b"] : tensor<8xf32>
    %l = ced.matmul %x, %r : tensor<?x64xbf16>, tensor<8x64xbf16> -> tensor<?x8xf32>
    %ids, %weights = ced.route %l, %b, %b, %kinds scale 1.5 : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?xi32> -> tensor<?x2xi32>, tensor<?x2xf32>
    %w1 = ced.weight ["0.w1", "1.w1", "2.w1", "3.w1", "4.w1", "5.w1", "6.w1", "7.w1"] : !ced.scaled<8x32x64, f4E2M1FN, 1x32, f8E8M0FNU>
    %w3 = ced.weight ["0.w3", "1.w3", "2.w3", "3.w3", "4.w3", "5.w3", "6.w3", "7.w3"] : !ced.scaled<8x32x64, f4E2M1FN, 1x32, f8E8M0FNU>
    %u = ced.expert_up %q, %ids, %weights, %w1, %w3 limit 10.0 : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?x2xi32>, tensor<?x2xf32>, !ced.scaled<8x32x64, f4E2M1FN, 1x32, f8E8M0FNU>, !ced.scaled<8x32x64, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x2x32xbf16>
    return %u : tensor<?x2x32xbf16>
  }
}
