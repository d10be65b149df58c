//===- Memory.td - between global memory and tiles ------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_TILE_OPS_MEMORY
#define CEDILLA_DIALECTS_TILE_OPS_MEMORY

include "dialects/tile/TileBase.td"

// Common to all four: `offsets` has one index per memref dim. `dims` says along which memref dim the tile's rows and its
// columns run (default: the last two; for a rank-1 memref [-1, 0]); -1 means none, and then that tile dim is 1.
// `row_count` / `col_count`: how many rows / columns, from the offset on, exist; elements beyond are 0 when loaded and are not
// stored. Counts may be negative (nothing exists) or larger than the tile. Without a count every element must exist.
// Memory is row-major and positions are only multiplied by strides: what runs past the end of a dim goes on in the dim before
// it. So with offsets of 0 and the default dims an index counts the rows of all leading dims together ([page, row], [row, head]).

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments]> {
  let summary = "affine tile load";
  let description = [{
    ```mlir
    %t = tile.load %x[%r, %k] rows %left : memref<?x256xbf16> -> !tile.tile<16x32xbf16>
    %h = tile.load %q[%r, %head, %c0] dims [0, 2] rows %left : memref<?x4x64xbf16> -> !tile.tile<16x64xbf16>
    ```
    C1: one offset per memref dim. C2: dims are two different dims of the memref or -1; -1 only for a tile dim of 1.
    C3: element types agree.
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$memory, Variadic<Index>:$offsets, Optional<Index>:$row_count,
                       Optional<Index>:$col_count, OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $memory `[` $offsets `]` (`dims` $dims^)? (`rows` $row_count^)? (`cols` $col_count^)? attr-dict `:` type($memory) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [AttrSizedOperandSegments]> {
  let summary = "affine tile store";
  let description = [{
    C1 to C3 as tile.load.
  }];
  let arguments = (ins Tile_Tile:$value, Arg<AnyMemRef, "", [MemWrite]>:$memory, Variadic<Index>:$offsets, Optional<Index>:$row_count,
                       Optional<Index>:$col_count, OptionalAttr<DenseI64ArrayAttr>:$dims);
  let assemblyFormat = [{
    $value `,` $memory `[` $offsets `]` (`dims` $dims^)? (`rows` $row_count^)? (`cols` $col_count^)? attr-dict `:` type($value) `,` type($memory)
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [AttrSizedOperandSegments]> {
  let summary = "tile load whose rows are named by an index tile";
  let description = [{
    Row m of the tile is row offsets[dims[0]] + index[m] of the memref's dim dims[0]. A negative index gives a row of 0.

    ```mlir
    %kv = tile.gather %cache[%c0, %c0] at %idx : memref<?x288xi8>, !tile.tile<64x1xi32> -> !tile.tile<64x256xi8>
    ```
    C1 to C3 as tile.load (dims[0] is not -1). C4: index is Mx1, i32 or i64, M the rows of the result.
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$memory, Variadic<Index>:$offsets, Tile_Tile:$index, Optional<Index>:$col_count,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $memory `[` $offsets `]` `at` $index (`dims` $dims^)? (`cols` $col_count^)? attr-dict `:` type($memory) `,` type($index) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ScatterOp : Tile_Op<"scatter", [AttrSizedOperandSegments]> {
  let summary = "tile store whose rows are named by an index tile";
  let description = [{
    Rows with a negative index are not stored; the non-negative ones are pairwise different.
    C1 to C4 as tile.gather.
  }];
  let arguments = (ins Tile_Tile:$value, Arg<AnyMemRef, "", [MemWrite]>:$memory, Variadic<Index>:$offsets, Tile_Tile:$index,
                       Optional<Index>:$col_count, OptionalAttr<DenseI64ArrayAttr>:$dims);
  let assemblyFormat = [{
    $value `,` $memory `[` $offsets `]` `at` $index (`dims` $dims^)? (`cols` $col_count^)? attr-dict `:` type($value) `,` type($memory) `,` type($index)
  }];
  let hasVerifier = 1;
}

#endif
