//===- Linear.td - matrix products ------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_LINEAR
#define CEDILLA_DIALECTS_CED_OPS_LINEAR

include "dialects/ced/CedTypes.td"

def Ced_LinearOp : Ced_Op<"linear", [Pure]> {
  let summary = "block-scaled x block-scaled: out[t,o] = sum_k x[t,k] w[o,k]";
  let description = [{
    f32 accumulation: per 32-wide K block the sum of code products times both scales, blocks added in increasing K;
    the order inside a block is free. Result rounded to bf16.

    ```mlir
    %y = ced.linear %x, %w : !ced.scaled<?x256, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<64x256, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
    ```
    C1: x is [T,K], f8E4M3FN 1x32 f8E8M0FNU; w is [N,K], f8E4M3FN 32x32 or f4E2M1FN 1x32, f8E8M0FNU.
    C2: the K of both agree; the result is [T,N].
  }];
  let arguments = (ins Ced_Scaled:$x, Ced_Scaled:$w);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$x `,` $w attr-dict `:` type($x) `,` type($w) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_MatmulOp : Ced_Op<"matmul", [Pure]> {
  let summary = "bf16 x bf16 with f32 accumulation: out[t,o] = sum_k x[t,k] w[o,k]";
  let description = [{
    The result's element type says whether the f32 sum is rounded to bf16 or kept (compressor, router, head).

    C1: x is [T,K], w is [N,K], both bf16; the result is [T,N], bf16 or f32.
  }];
  let arguments = (ins Ced_BF16Tensor:$x, Ced_BF16Tensor:$w);
  let results = (outs TensorOf<[BF16, F32]>:$result);
  let assemblyFormat = "$x `,` $w attr-dict `:` type($x) `,` type($w) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_GroupedLinearOp : Ced_Op<"grouped_linear", [Pure]> {
  let summary = "one weight slice per group of columns: the first half of the output projection";
  let description = [{
    x [T, G*K] is G groups of K consecutive columns, w [G*N, K] G slices of N rows; out[t, g*N+n] =
    sum_k x[t, g*K+k] bf16(w[g*N+n, k]). The weight is decoded to bf16 exactly; x stays bf16; f32 accumulation, bf16 result.

    C1: x is bf16 [T, groups*K]; w is [groups*N, K], f8E4M3FN 32x32 f8E8M0FNU; the result is bf16 [T, groups*N].
  }];
  let arguments = (ins Ced_BF16Tensor:$x, Ced_Scaled:$w, I64Attr:$groups);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$x `,` $w `groups` $groups attr-dict `:` type($x) `,` type($w) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_ScaleOp : Ced_Op<"scale", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "bf16(x * f32 factor)";
  let description = [{
    Each element is taken to f32, multiplied once and rounded once. Shape and type are those of `x`.
  }];
  let arguments = (ins Ced_BF16Tensor:$x, F32Attr:$factor);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$x `by` $factor attr-dict `:` type($x)";
}

#endif
