//===- HyperConnection.td - single-pass mHC: mix, post, collapse ---------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_HYPERCONNECTION
#define CEDILLA_DIALECTS_CED_OPS_HYPERCONNECTION

include "dialects/ced/CedTypes.td"

def Ced_HcExpandOp : Ced_Op<"hc_expand", [Pure]> {
  let summary = "copy a row to all n streams; the initial pre is (1, 0, .., 0)";
  let description = [{
    C1: x is bf16 [T,d]; stream is bf16 [T,n,d]; pre is f32 [T,n].
  }];
  let arguments = (ins Ced_BF16Tensor:$x);
  let results = (outs Ced_BF16Tensor:$stream, Ced_F32Tensor:$pre);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($stream) `,` type($pre)";
  let hasVerifier = 1;
}

def Ced_HcMixOp : Ced_Op<"hc_mix", [Pure]> {
  let summary = "mixing coefficients of a sublayer from the stream, with Sinkhorn";
  let description = [{
    All f32. v = the row's n*d values; r = rsqrt(mean(v^2) + norm_eps); g = (v fn^T) * r in R^(2n+n*n).
    pre_j = sigmoid(g_j*scale_0 + base_j) + eps; post_j = 2*sigmoid(g_(n+j)*scale_1 + base_(n+j));
    C_ij = g_(2n+n*i+j)*scale_2 + base_(2n+n*i+j); C = softmax over j + eps; C /= colsum_j + eps; then iters-1 times
    C /= rowsum_i + eps, C /= colsum_j + eps.

    C1: stream bf16 [T,n,d]; fn f32 [2n+n*n, n*d]; scale f32 [3]; base f32 [2n+n*n]; pre, post f32 [T,n]; comb f32 [T,n,n].
    C2: iters >= 1.
  }];
  let arguments = (ins Ced_BF16Tensor:$stream, Ced_F32Tensor:$fn, Ced_F32Tensor:$scale, Ced_F32Tensor:$base,
                       I64Attr:$iters, F32Attr:$eps, F32Attr:$norm_eps);
  let results = (outs Ced_F32Tensor:$pre, Ced_F32Tensor:$post, Ced_F32Tensor:$comb);
  let assemblyFormat = [{
    $stream `,` $fn `,` $scale `,` $base `iters` $iters `eps` $eps `norm_eps` $norm_eps attr-dict
    `:` type(operands) `->` type($pre) `,` type($post) `,` type($comb)
  }];
  let hasVerifier = 1;
}

def Ced_HcCollapseOp : Ced_Op<"hc_collapse", [Pure]> {
  let summary = "bf16( sum_j pre_j * X_j ), f32 inside, j ascending";
  let description = [{
    C1: stream bf16 [T,n,d]; pre f32 [T,n]; result bf16 [T,d].
  }];
  let arguments = (ins Ced_BF16Tensor:$stream, Ced_F32Tensor:$pre);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$stream `,` $pre attr-dict `:` type($stream) `,` type($pre) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_HcPostOp : Ced_Op<"hc_post", [Pure]> {
  let summary = "X'_j = bf16( post_j*y + sum_i C_ij X_i ), f32 inside, i ascending";
  let description = [{
    The sum runs over the *first* index of C.
    C1: y bf16 [T,d]; stream and result bf16 [T,n,d]; post f32 [T,n]; comb f32 [T,n,n].
  }];
  let arguments = (ins Ced_BF16Tensor:$y, Ced_BF16Tensor:$stream, Ced_F32Tensor:$post, Ced_F32Tensor:$comb);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = [{
    $y `,` $stream `,` $post `,` $comb attr-dict
    `:` type($y) `,` type($stream) `,` type($post) `,` type($comb) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
