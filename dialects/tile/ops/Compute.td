//===- Compute.td - elementwise maps, reductions, matrix products -----------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_TILE_OPS_COMPUTE
#define CEDILLA_DIALECTS_TILE_OPS_COMPUTE

include "dialects/tile/TileBase.td"

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "every element is the scalar";
  let description = [{
    The scalar has the result's element type.
  }];
  let arguments = (ins Tile_Scalar:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def Tile_ConstantOp : Tile_Op<"constant", [Pure]> {
  let summary = "a small table";
  let description = [{
    ```mlir
    %f = tile.constant dense<[[1.0, 0.5]]> : tensor<1x2xf32> -> !tile.tile<1x2xf32>
    ```
    C1: the attribute has the tile's shape and element type.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ExtractOp : Tile_Op<"extract", [Pure]> {
  let summary = "one element as a scalar";
  let description = [{
    Row and column lie inside the tile; every thread of the block gets the scalar.
  }];
  let arguments = (ins Tile_Tile:$value, Index:$row, Index:$col);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$value `[` $row `,` $col `]` attr-dict `:` type($value) `->` type($result)";
}

def Tile_MapOp : Tile_Op<"map", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "elementwise over tiles; dims of 1 are broadcast";
  let description = [{
    The region has one scalar argument per input and yields one scalar per result; scalars from outside may be used.
    `tile.coord` gives the element's row or column. Only arith and math ops (and tile.coord) are allowed inside; they
    are executed for every element, order free.

    ```mlir
    %y = tile.map ins(%x, %scale : !tile.tile<16x32xf32>, !tile.tile<16x1xf32>) -> !tile.tile<16x32xf32> {
    ^bb0(%a: f32, %s: f32):
      %p = arith.mulf %a, %s : f32
      tile.yield %p : f32
    }
    ```
    C1: all results have one shape; each dim of an input is 1 or that of the results. C2: region arguments and yielded
    types are the element types. C3: only arith, math and tile.coord ops inside.
  }];
  let arguments = (ins Variadic<Tile_Tile>:$inputs);
  let results = (outs Variadic<Tile_Tile>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`ins` `(` ($inputs^ `:` type($inputs))? `)` attr-dict `->` type($outputs) $body";
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Terminator, Pure, HasParent<"MapOp">]> {
  let summary = "ends a map";
  let description = [{
    One value for each result of the `tile.map`: its element at the place that `tile.coord` names.
  }];
  let arguments = (ins Variadic<Tile_Scalar>:$values);
  let assemblyFormat = "$values `:` type($values) attr-dict";
}

def Tile_CoordOp : Tile_Op<"coord", [Pure]> {
  let summary = "row (dim 0) or column (dim 1) of the element inside a map";
  let description = [{
    Counted from the tile's own first row and column, whatever memory it was loaded from.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1>]>:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$dim attr-dict";
}

def Tile_Combine : I32EnumAttr<"Combine", "how a reduction combines", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::cedilla::tile";
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "combine along one dim, which becomes 1";
  let description = [{
    The order is fixed by the shape alone. Floats: max/min of numbers (no NaN promise).

    ```mlir
    %s = tile.reduce add %x dim 1 : !tile.tile<16x32xf32> -> !tile.tile<16x1xf32>
    ```
    C1: the result has the input's shape with that dim 1, and its element type (f32, i32 or i64).
  }];
  let arguments = (ins Tile_Combine:$kind, Tile_Tile:$value, ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1>]>:$dim);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$kind $value `dim` $dim attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MmaOp : Tile_Op<"mma", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "acc + a b^T (b given [N,K]) or, with `kn`, acc + a b (b given [K,N]); f32 accumulation";
  let description = [{
    The order of each sum depends on K only. Inputs f32 or bf16 (both alike); products of bf16 are exact in f32.

    ```mlir
    %c1 = tile.mma %a, %b, %c : !tile.tile<16x32xbf16>, !tile.tile<8x32xbf16>, !tile.tile<16x8xf32>
    ```
    C1: shapes agree; a and b have the same element, f32 or bf16; acc is f32.
  }];
  let arguments = (ins Tile_Tile:$a, Tile_Tile:$b, Tile_Tile:$acc, UnitAttr:$kn);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$a `,` $b `,` $acc (`kn` $kn^)? attr-dict `:` type($a) `,` type($b) `,` type($acc)";
  let hasVerifier = 1;
}

def Tile_DeinterleaveOp : Tile_Op<"deinterleave", [Pure, AllTypesMatch<["even", "odd"]>]> {
  let summary = "even and odd columns";
  let description = [{
    Of n columns, 2i go to column i of `even`, 2i + 1 to column i of `odd`: pairs of a rotation.
  }];
  let arguments = (ins Tile_Tile:$value);
  let results = (outs Tile_Tile:$even, Tile_Tile:$odd);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($even)";
  let hasVerifier = 1;
}

def Tile_InterleaveOp : Tile_Op<"interleave", [Pure, AllTypesMatch<["even", "odd"]>]> {
  let summary = "columns alternately from even and odd";
  let description = [{
    The reverse of `tile.deinterleave`: columns i of both become columns 2i and 2i + 1.
  }];
  let arguments = (ins Tile_Tile:$even, Tile_Tile:$odd);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$even `,` $odd attr-dict `:` type($even) `->` type($result)";
  let hasVerifier = 1;
}

#endif
