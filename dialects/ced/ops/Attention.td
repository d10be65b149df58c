//===- Attention.td - attention over window and selected entries ---------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_ATTENTION
#define CEDILLA_DIALECTS_CED_OPS_ATTENTION

include "dialects/ced/CedTypes.td"

def Ced_AttentionOp : Ced_Op<"attention", [Pure, AttrSizedOperandSegments]> {
  let summary = "MQA over window positions, then selected main-KV entries; K = V; a sink per head";
  let description = [{
    List of row t at position i: W window slots (W = window size): positions max(0, i-W+1) .. i ascending, then -1 up to W; then
    the k slots of `index`. Main and window are not de-duplicated. A window position q >= starts[t] is row t-(i-q) of `fresh` when
    `fresh` is given (the ring then still holds the time before this step), everything else is read from the ring.
    KV vectors are bf16(code x scale).

    s = (q_h . kv) * f32(D^-0.5) in f32. Online softmax over blocks of 64 list slots: m' = max(m, block max), m starts at -1e30;
    e = exp(s - m') in f32, 0 for slots of -1 (any index < 0 or not visible); denominator and accumulator are rescaled by exp(m - m');
    denominator += sum e; accumulator += sum bf16(e) * kv, f32. At the end denominator += exp(sink_h - m);
    o = bf16(acc / denominator); a row with an empty list is 0.

    ```mlir
    %o = ced.attention %q, %sink window %ring fresh %kv main %cache at %index : ...
    ```
    C1: q is bf16 [T,H,D]; sink f32 [H]; window and cache rows have D columns; fresh is [T,D] of the window's format (placement aside).
    C2: main and index are given together. C3: the result has q's type.
  }];
  let arguments = (ins Ced_BF16Tensor:$q, Ced_F32Tensor:$sink, Ced_Window:$window, Optional<Ced_Scaled>:$fresh,
                       Optional<Ced_Paged>:$main, Optional<Ced_IndexSet>:$index,
                       Ced_RowsI32:$positions, Ced_RowsI32:$slots, Ced_RowsI32:$starts, Ced_PageTable:$pages);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = [{
    $q `,` $sink `window` $window (`fresh` $fresh^)? (`main` $main^ `select` $index)?
    `at` $positions `,` $slots `,` $starts `,` $pages attr-dict `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
