//===- TileLayout.td - where a GPU keeps a tile ----------------------------------------*- tablegen -*-===//
//
// The closed set of layouts. GPU target passes put them on ops as the discardable attribute
// `tile.layouts`, one entry per tile result; families never write them and the CPU never sees them.
//
//===--------------------------------------------------------------------------------------------------===//

#ifndef CEDILLA_DIALECTS_TILE_LAYOUT
#define CEDILLA_DIALECTS_TILE_LAYOUT

include "dialects/tile/TileBase.td"

def Tile_LayoutKind : I32EnumAttr<"LayoutKind", "how the threads of a block hold a tile", [
  I32EnumAttrCase<"Flat", 0, "flat">, I32EnumAttrCase<"MmaAcc", 1, "mma_acc">, I32EnumAttrCase<"MmaPart", 2, "mma_part">,
  I32EnumAttrCase<"MmaA", 3, "mma_a">, I32EnumAttrCase<"MmaB", 4, "mma_b">, I32EnumAttrCase<"Memory", 5, "memory">]> {
  let cppNamespace = "::cedilla::tile";
  let genSpecializedAttr = 0;
}

def Tile_LayoutAttr : AttrDef<TileDialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "one layout: a kind, how the block is dealt over the tile, how many columns lie together";
  let description = [{
    `vec`: neighbouring columns in one thread. `split` = [rows, columns, k]:

    | kind | split counts | who holds what |
    |---|---|---|
    | `flat` | threads | thread (i, j) has rows i, i + split[0], .. and column chunks j, j + split[1], .. With [warps, 32, 1] a warp owns whole rows. split[2] groups of threads hold copies |
    | `mma_acc` | warps | accumulator of mma.sync: lane l has rows l/4 and l/4 + 8, columns 2(l%4) and the next; k-warps hold copies |
    | `mma_part` | warps | the same, but each k-warp holds its own part of the sum |
    | `mma_a` | warps | rows as mma_acc; lane l has the columns of k from vec (l%4) on; k-warps have different columns |
    | `mma_b` | warps | row l/4 (a column of the product); columns as mma_a |
    | `memory` | – | not in registers: readers fetch what they need from where it lies, in global or in shared memory |

    Where a tile has fewer rows or columns than the split deals out, and where a dim is 1, threads hold copies. So the
    row vector or the column of a tile has its layout too.

    ```mlir
    #tile.layout<mma_acc, split = [2, 1, 2], vec = 2>
    ```
  }];
  let parameters = (ins EnumParameter<Tile_LayoutKind>:$kind, ArrayRefParameter<"int64_t">:$split, "int64_t":$vec);
  let assemblyFormat = "`<` $kind `,` `split` `=` `[` $split `]` `,` `vec` `=` $vec `>`";
}

def Tile_StagingAttr : AttrDef<TileDialect, "Staging"> {
  let mnemonic = "staging";
  let summary = "a load that fills a ring of `stages` slots of shared memory";
  let description = [{
    The columns are cut into `parts`; with more than one, part w is copied and read by warp w alone. Slot s of part w begins
    at byte `offset + (w * stages + s) * rows * pitch`. Byte b of row r of a part lies in its slot at
    `r * pitch + ((b / 16) ^ (((r / div) & mask) << shift)) * 16 + b % 16`: rows are displaced against each other so that a
    warp's fragment reads touch every bank once. `width`: bytes of one asynchronous copy.

    ```mlir
    #tile.staging<offset = 0, pitch = 128, div = 1, mask = 1, shift = 2, width = 16, stages = 4, parts = 1>
    ```
  }];
  let parameters = (ins "int64_t":$offset, "int64_t":$pitch, "int64_t":$div, "int64_t":$mask, "int64_t":$shift,
                        "int64_t":$width, "int64_t":$stages, "int64_t":$parts);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_RelayoutOp : Tile_Op<"relayout", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "the same tile in another layout";
  let description = [{
    Written by GPU target passes alone, where a consumer wants what its producer does not have. It goes through shared
    memory, and its number in a kernel is the number of such exchanges.

    ```mlir
    %1 = tile.relayout %0 {tile.layouts = [#tile.layout<flat, split = [4, 32, 1], vec = 1>]} : !tile.tile<16x32xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif
