//===- Compressor.td - gated pooling of token groups -----------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_COMPRESSOR
#define CEDILLA_DIALECTS_CED_OPS_COMPRESSOR

include "dialects/ced/CedTypes.td"

def Ced_CompressOp : Ced_Op<"compress", [Pure]> {
  let summary = "softmax-weighted mean of each closed group of `ratio` tokens";
  let description = [{
    Row-aligned: the row that closes a group ((position+1) mod ratio = 0) holds z = bf16( sum_i w_i c_i ) with
    w = softmax over the group's tokens of g, per channel, f32, max-subtracted; every other row is 0. Tokens of the group
    before this step (position < starts) come from `open`, which afterwards holds (c, g) of the unfinished group:
    open[slot, position mod ratio, 0 | 1, channel].

    C1: latent and gate are f32 [T,D]; result bf16 [T,D]; open is !ced.state<(ratio-1)x2xDxf32>. C2: ratio >= 2.
  }];
  let arguments = (ins Ced_F32Tensor:$latent, Ced_F32Tensor:$gate, Ced_State:$open,
                       Ced_RowsI32:$positions, Ced_RowsI32:$slots, Ced_RowsI32:$starts, I64Attr:$ratio);
  let results = (outs Ced_BF16Tensor:$result, Ced_State:$new_open);
  let assemblyFormat = [{
    $latent `,` $gate `,` $open `at` $positions `,` $slots `,` $starts `ratio` $ratio attr-dict
    `:` type(operands) `->` type($result) `,` type($new_open)
  }];
  let hasVerifier = 1;
}

#endif
