//===- Rotary.td - rotary position embedding ------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_ROTARY
#define CEDILLA_DIALECTS_CED_OPS_ROTARY

include "dialects/ced/CedTypes.td"
include "dialects/ced/CedAttrs.td"

def Ced_RopeOp : Ced_Op<"rope", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "rotate the last rope.dim columns of every row by its position; adjacent pairs";
  let description = [{
    Row t turns by p = positions[t] - positions[t] mod `group` (the first token of the row's group; group 1: the position).
    cos/sin of the f32 angle p*f_j in f32; (a, b) -> (a*c - b*s, a*s + b*c), with `inverse` (a*c + b*s, b*c - a*s);
    the result is rounded to bf16. Columns before the last rope.dim are copied. All vectors of a row (heads) turn alike.

    ```mlir
    %y = ced.rope %x, %positions by #ced.rope<dim = 64, ...> group 2 : tensor<?x512xbf16>, tensor<?xi32>
    ```
    C1: x is bf16 [T,D] or [T,H,D] with D >= rope.dim. C2: group >= 1.
  }];
  let arguments = (ins Ced_BF16Tensor:$x, Ced_RowsI32:$positions, Ced_RopeAttr:$rope, I64Attr:$group, UnitAttr:$inverse);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$x `,` $positions `by` $rope `group` $group (`inverse` $inverse^)? attr-dict `:` type($x) `,` type($positions)";
  let hasVerifier = 1;
}

#endif
