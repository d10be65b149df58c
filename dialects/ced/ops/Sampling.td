//===- Sampling.td - from logits to the rows of the next step ----------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_SAMPLING
#define CEDILLA_DIALECTS_CED_OPS_SAMPLING

include "dialects/ced/CedTypes.td"

def Ced_SampleOp : Ced_Op<"sample", [Pure, AllTypesMatch<["chosen", "new_chosen"]>]> {
  let summary = "the token of each row, and where it goes";
  let description = [{
    sampling[slots[t]] = (bits of an f32, key). The f32 is a temperature; where it is 0, an id's score is its logit, otherwise
    f32(logit / temperature) + g(key, next[t], id) in f32, where g is distributed such that the id of the largest score is chosen with the
    probability softmax(logits / temperature) gives it (Gumbel): a function of three integers in add, multiply and divide alone, so that
    it has the same bits everywhere (runtime/engine/Gumbel.h).
    The choice is the largest score, the lowest id of equal ones (-0 equals +0); it is -1 where a score of the row is NaN, which is never
    a legal result of a model. tokens[t] = max(choice, 0): an id that exists, so that the next step may be run before anybody has looked.
    next[t] = positions[t] + 1. chosen[slots[t]][next[t] mod N] = choice, N the size of the list, which therefore holds the newest N
    choices of a sequence by position. A padding row gives token 0, next -1, and is not written down.

    C1: logits f32 [T,V] with a known V; tokens and next i32 [T]. C2: sampling is !ced.state<2xi32>. C3: chosen is !ced.state<Nxi32>.
    A step has at most N rows of a sequence.

    ```mlir
    %tokens, %next, %list = ced.sample %logits by %sampling into %chosen at %positions, %slots
      : tensor<?x512xf32>, !ced.state<2xi32>, !ced.state<64xi32>, tensor<?xi32>, tensor<?xi32>
      -> tensor<?xi32>, tensor<?xi32>, <64xi32>
    ```
  }];
  let arguments = (ins Ced_F32Tensor:$logits, Ced_State:$sampling, Ced_State:$chosen, Ced_RowsI32:$positions, Ced_RowsI32:$slots);
  let results = (outs Ced_RowsI32:$tokens, Ced_RowsI32:$next, Ced_State:$new_chosen);
  let assemblyFormat = [{
    $logits `by` $sampling `into` $chosen `at` $positions `,` $slots attr-dict
    `:` type(operands) `->` type($tokens) `,` type($next) `,` type($new_chosen)
  }];
  let hasVerifier = 1;
}

def Ced_SingleRowsOp : Ced_Op<"single_rows", [Pure, AllTypesMatch<["next", "positions", "starts"]>]> {
  let summary = "positions and starts of a step with one row of each sequence";
  let description = [{
    Both are `next`: the only row of a sequence is where its part of the step starts. An op of its own, because no kernel may write the
    rows of the step that it reads.
  }];
  let arguments = (ins Ced_RowsI32:$next);
  let results = (outs Ced_RowsI32:$positions, Ced_RowsI32:$starts);
  let assemblyFormat = "$next attr-dict `:` type($next)";
}

#endif
