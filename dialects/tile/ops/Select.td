//===- Select.td - exact top-k of a row in memory ------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_TILE_OPS_SELECT
#define CEDILLA_DIALECTS_TILE_OPS_SELECT

include "dialects/tile/TileBase.td"

def Tile_SelectTopkOp : Tile_Op<"select_topk", [AttrSizedOperandSegments]> {
  let summary = "positions of the k largest of the first `count` values of a row, ascending, then -1";
  let description = [{
    Reads scores[offsets.., 0 .. count) along the last dim and writes out[out_offsets.., 0 .. k) (i32). Equal values: the lower
    position. -0 ranks as +0. With `drop_lowest` values of -inf are never taken. count <= 0 gives all -1.

    ```mlir
    tile.select_topk 512 of %scores[%t, %c0] count %n into %out[%t, %c0] : memref<?x4096xbf16>, memref<?x512xi32>
    ```
    C1: scores are bf16; out is i32; one offset per memref dim. C2: k is positive.
  }];
  let arguments = (ins I64Attr:$k, Arg<AnyMemRef, "", [MemRead]>:$scores, Variadic<Index>:$offsets, Index:$count,
                       Arg<AnyMemRef, "", [MemWrite]>:$out, Variadic<Index>:$out_offsets, UnitAttr:$drop_lowest);
  let assemblyFormat = [{
    $k `of` $scores `[` $offsets `]` `count` $count `into` $out `[` $out_offsets `]` (`drop_lowest` $drop_lowest^)? attr-dict
    `:` type($scores) `,` type($out)
  }];
  let hasVerifier = 1;
}

#endif
