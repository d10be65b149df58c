//===- Quantize.td - to and from block-scaled values -----------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_QUANTIZE
#define CEDILLA_DIALECTS_CED_OPS_QUANTIZE

include "dialects/ced/CedTypes.td"

def Ced_QuantizeOp : Ced_Op<"quantize", [Pure]> {
  let summary = "round bf16 rows to a block-scaled format; the result type chooses the rule";
  let description = [{
    | result format | rule | scale |
    |---|---|---|
    | f8E4M3FN, 1x32, f8E8M0FNU | Q8: amax floored at 1e-4, t = amax * f32(1/448) | 2^ceil(log2 t), from the bits of t |
    | f4E2M1FN, 1x32, f8E8M0FNU | Q4i: amax floored at 6*2^-126, t = amax * f32(1/6) | 2^ceil(log2 t) |
    | f4E2M1FN, 1x16, f8E4M3FN | Q4m: amax floored at 6*2^-9 | E4M3(amax / 6), true division, RNE, saturating |

    Then code = RNE(clamp(x / scale, +-max)), true f32 division, sign of zero kept.

    Groups run along the last dim; where that is not a multiple of the group the last group holds the rest.

    C1: `x` is a bf16 tensor of the result's shape. C2: the result has one of the formats above.
  }];
  let arguments = (ins Ced_BF16Tensor:$x);
  let results = (outs Ced_Scaled:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_DequantizeOp : Ced_Op<"dequantize", [Pure]> {
  let summary = "bf16(code x scale)";
  let description = [{
    C1: the result is a bf16 tensor of the input's shape.
  }];
  let arguments = (ins Ced_Scaled:$x);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}

#endif
