//===- Moe.td - router, experts, combine ------------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_MOE
#define CEDILLA_DIALECTS_CED_OPS_MOE

include "dialects/ced/CedTypes.td"

def Ced_RouteOp : Ced_Op<"route", [Pure]> {
  let summary = "sqrt-softplus router: k experts and their weights";
  let description = [{
    s = sqrt(softplus(logits)) in f32, softplus(x) = x above 20, else log1p(exp(x)). The k best of s + bias (bias_vl in rows of
    kind 1), best first, equal values to the lower expert. weight = route_scale * s / (sum of the chosen s + 1e-20); with k = 1
    weight = route_scale * s.

    C1: logits f32 [T,E]; bias, bias_vl f32 [E]; ids i32 [T,k]; weights f32 [T,k]; 1 <= k <= E.
  }];
  let arguments = (ins Ced_F32Tensor:$logits, Ced_F32Tensor:$bias, Ced_F32Tensor:$bias_vl, Ced_RowsI32:$kinds, F32Attr:$route_scale);
  let results = (outs TensorOf<[I32]>:$ids, Ced_F32Tensor:$weights);
  let assemblyFormat = [{
    $logits `,` $bias `,` $bias_vl `,` $kinds `scale` $route_scale attr-dict
    `:` type(operands) `->` type($ids) `,` type($weights)
  }];
  let hasVerifier = 1;
}

def Ced_ExpertUpOp : Ced_Op<"expert_up", [Pure]> {
  let summary = "gate and up product of each chosen expert, clamped SwiGLU, routing weight";
  let description = [{
    For slot (t, i), e = ids[t,i]: G = bf16(x_t w1_e^T), U = bf16(x_t w3_e^T) as ced.linear; U clamped to +-limit, G from above only
    (limit 0: neither); v = bf16( weights[t,i] * (silu(G) * U) ), f32 inside, silu(G) = G / (1 + exp(-G)).

    C1: x [T,K] as ced.linear's x; ids i32 [T,k]; weights f32 [T,k]; w1, w3 are [E,N,K], f4E2M1FN 1x32 f8E8M0FNU; result bf16 [T,k,N].
  }];
  let arguments = (ins Ced_Scaled:$x, TensorOf<[I32]>:$ids, Ced_F32Tensor:$weights, Ced_Scaled:$w1, Ced_Scaled:$w3, F32Attr:$limit);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = [{
    $x `,` $ids `,` $weights `,` $w1 `,` $w3 `limit` $limit attr-dict `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ced_ExpertDownOp : Ced_Op<"expert_down", [Pure]> {
  let summary = "down product of each chosen expert: bf16 [T,k,d]";
  let description = [{
    C1: v is [T,k,K] block-scaled as ced.linear's x; ids i32 [T,k]; w2 is [E,N,K] f4E2M1FN 1x32 f8E8M0FNU; result bf16 [T,k,N].
  }];
  let arguments = (ins Ced_Scaled:$v, TensorOf<[I32]>:$ids, Ced_Scaled:$w2);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$v `,` $ids `,` $w2 attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_SwigluOp : Ced_Op<"swiglu", [Pure, AllTypesMatch<["gate", "up", "result"]>]> {
  let summary = "bf16( silu(min(gate, limit)) * clamp(up, +-limit) ): the shared expert";
  let description = [{
    Computed in f32 from the rounded products `gate` and `up`, with one rounding at the end: no routing weight, unlike `ced.expert_up`.
  }];
  let arguments = (ins Ced_BF16Tensor:$gate, Ced_BF16Tensor:$up, F32Attr:$limit);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$gate `,` $up `limit` $limit attr-dict `:` type($gate)";
}

def Ced_CombineOp : Ced_Op<"combine", [Pure]> {
  let summary = "bf16( sum of the chosen experts in increasing expert id + shared ), f32 inside";
  let description = [{
    C1: routed bf16 [T,k,d]; ids i32 [T,k]; shared and result bf16 [T,d].
  }];
  let arguments = (ins Ced_BF16Tensor:$routed, TensorOf<[I32]>:$ids, Ced_BF16Tensor:$shared);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$routed `,` $ids `,` $shared attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

#endif
