//===- Norm.td - RMS norm -----------------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_NORM
#define CEDILLA_DIALECTS_CED_OPS_NORM

include "dialects/ced/CedTypes.td"

def Ced_RmsNormOp : Ced_Op<"rms_norm", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "bf16( w * (x * rsqrt(mean(x^2) + eps)) ) over the last dim, f32 inside";
  let description = [{
    ```mlir
    %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x256xbf16>, tensor<256xbf16>
    ```
    C1: w is bf16 [last dim of x].
  }];
  let arguments = (ins Ced_BF16Tensor:$x, Ced_BF16Tensor:$w, F32Attr:$eps);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$x `,` $w `eps` $eps attr-dict `:` type($x) `,` type($w)";
  let hasVerifier = 1;
}

#endif
