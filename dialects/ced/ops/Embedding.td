//===- Embedding.td - token embedding and Engram --------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_EMBEDDING
#define CEDILLA_DIALECTS_CED_OPS_EMBEDDING

include "dialects/ced/CedTypes.td"

def Ced_EmbedOp : Ced_Op<"embed", [Pure]> {
  let summary = "rows of the embedding table; padding rows (position -1) may carry any token id and give any row";
  let description = [{
    C1: table bf16 [V,d]; result bf16 [T,d]. Token ids outside [0,V) are read as 0 (the runtime refuses them earlier).
  }];
  let arguments = (ins Ced_RowsI32:$tokens, Ced_BF16Tensor:$table);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$tokens `,` $table attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_EngramRowsOp : Ced_Op<"engram_rows", [Pure]> {
  let summary = "hashed table rows of the n-grams that end at each token, for every Engram layer";
  let description = [{
    t_s, s = 0 .. orders: compressed id (token_map) of the token s positions back; from the first image-span token or the start of the
    sequence on, looking back, all are token_map[pad] (an image token's own t_0 too; `pad` is a token id, not a compressed one).
    Tokens before this step (position < starts) come from `history` (compressed ids, newest first, -1 for a barrier), which
    afterwards holds the newest ones.
    P_s = t_s * multipliers[layer][s] (i64, wrapping); H_n = P_0 ^ .. ^ P_(n-1), n = 2 .. orders+1;
    rows[t, layer, (n-2)*heads + h] = (H_n mod primes[layer][c]) + offsets[layer][c], c = the column, mod never negative
    (products are below 2^63 for every id of the map).

    C1: multipliers have layers*(orders+1) entries, primes and offsets layers*orders*heads each (row-major); primes > 1.
    C2: rows i64 [T, layers, orders*heads]; history !ced.state<ordersxi32>; token_map i32 [V].
    C3: 0 <= pad < V.
  }];
  let arguments = (ins Ced_RowsI32:$tokens, Ced_RowsI32:$kinds, 1DTensorOf<[I32]>:$token_map, Ced_State:$history,
                       Ced_RowsI32:$positions, Ced_RowsI32:$slots, Ced_RowsI32:$starts,
                       I64Attr:$layers, I64Attr:$orders, I64Attr:$heads, I64Attr:$pad,
                       DenseI64ArrayAttr:$multipliers, DenseI64ArrayAttr:$primes, DenseI64ArrayAttr:$offsets);
  let results = (outs TensorOf<[I64]>:$rows, Ced_State:$new_history);
  let assemblyFormat = [{
    $tokens `,` $kinds `,` $token_map `,` $history `at` $positions `,` $slots `,` $starts
    attr-dict `:` type(operands) `->` type($rows) `,` type($new_history)
  }];
  let hasVerifier = 1;
}

def Ced_EngramLookupOp : Ced_Op<"engram_lookup", [Pure]> {
  let summary = "gather and decode one layer's table rows, side by side";
  let description = [{
    result[t, c*D .. (c+1)*D) = bf16(code x scale) of table row rows[t, index, c]. With `gathered`, where it is not 0, somebody has
    laid just those rows one behind the other in place of the table: the row is then t*C + c.

    C1: rows i64 [T,L,C]; 0 <= index < L; table [R,D] f8E4M3FN 1x32 f8E8M0FNU; result bf16 [T, C*D]. C2: gathered is i32 [1].
  }];
  let arguments = (ins TensorOf<[I64]>:$rows, Ced_Scaled:$table, Optional<Ced_RowsI32>:$gathered, I64Attr:$index);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$rows `,` $table (`gathered` $gathered^)? `layer` $index attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_EngramInjectOp : Ced_Op<"engram_inject", [Pure]> {
  let summary = "gate the Engram value into each stream";
  let description = [{
    kv = n keys of d, then one value of d. f32: dot_j = (sum_k X_jk*(q_jk*k_jk)*key_jk) * rsqrt(mean X_j^2 + eps) * rsqrt(mean key_j^2 + eps)
    * f32(d^-0.5); gate_j = sigmoid(copysign(sqrt(max(|dot_j|, 1e-6)), dot_j)), 0 in rows of kind 1; X_j <- bf16(X_j + gate_j*value).

    C1: stream and result bf16 [T,n,d]; kv bf16 [T,(n+1)*d]; q_weight, k_weight bf16 [n,d].
  }];
  let arguments = (ins Ced_BF16Tensor:$stream, Ced_BF16Tensor:$kv, Ced_BF16Tensor:$q_weight, Ced_BF16Tensor:$k_weight, Ced_RowsI32:$kinds,
                       F32Attr:$eps);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$stream `,` $kv `,` $q_weight `,` $k_weight `,` $kinds `eps` $eps attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

#endif
