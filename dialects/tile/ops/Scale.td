//===- Scale.td - block-scaled codes to and from numbers -----------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_TILE_OPS_SCALE
#define CEDILLA_DIALECTS_TILE_OPS_SCALE

include "dialects/tile/TileBase.td"

def Tile_DecodeOp : Tile_Op<"decode", [Pure]> {
  let summary = "code x scale";
  let description = [{
    Codes are bytes: one E4M3 value, or two E2M1 values (low nibble = even column). The scale of element (m, n) is
    scales[m / block_rows, n / block_cols] (E8M0 2^(byte-127), 255 = NaN; or E4M3). Result bf16: rounded to nearest even (exact
    for the models' formats); f32: the f32 product.

    ```mlir
    %w = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 32 x 32
           : !tile.tile<64x64xi8>, !tile.tile<2x2xi8> -> !tile.tile<64x64xbf16>
    ```
    C1: codes and scales are i8; codes have the result's rows and its cols (E2M1: half of them).
    C2: scales are ceil(rows/block_rows) x ceil(cols/block_cols). C3: formats f8E4M3FN | f4E2M1FN, scale f8E8M0FNU | f8E4M3FN.
    C4: the result is f32 or bf16.
  }];
  let arguments = (ins Tile_Tile:$codes, Tile_Tile:$scales, TypeAttr:$element, TypeAttr:$scale, I64Attr:$block_rows, I64Attr:$block_cols);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $codes `,` $scales `element` $element `scale` $scale `block` $block_rows `x` $block_cols attr-dict
    `:` type($codes) `,` type($scales) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_EncodeOp : Tile_Op<"encode", [Pure]> {
  let summary = "quantise rows in groups of `group` columns; the rules of ced.quantize";
  let description = [{
    | element, scale, group | rule |
    |---|---|
    | f8E4M3FN, f8E8M0FNU, 32 | Q8 |
    | f4E2M1FN, f8E8M0FNU, 32 | Q4i |
    | f4E2M1FN, f8E4M3FN, 16 | Q4m |

    C1: x is f32; codes and scales are i8; codes have x's rows and cols (E2M1: half), scales rows x ceil(cols/group).
    C2: one of the three rules.
  }];
  let arguments = (ins Tile_Tile:$x, TypeAttr:$element, TypeAttr:$scale, I64Attr:$group);
  let results = (outs Tile_Tile:$codes, Tile_Tile:$scales);
  let assemblyFormat = "$x `element` $element `scale` $scale `group` $group attr-dict `:` type($x) `->` type($codes) `,` type($scales)";
  let hasVerifier = 1;
}

#endif
