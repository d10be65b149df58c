//===- Kernel.td - the kernel op ----------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_TILE_OPS_KERNEL
#define CEDILLA_DIALECTS_TILE_OPS_KERNEL

include "dialects/tile/TileBase.td"

def Tile_KernelOp : Tile_Op<"kernel", [Symbol, IsolatedFromAbove, SingleBlock]> {
  let summary = "a kernel over a grid";
  let description = [{
    Block arguments: the memory arguments (memref), then `rows` (index: the step's row count T), then one index per grid
    dim (the block's coordinates). `config` holds what a family chose (tile sizes, warps, stages, ..). `reproducibility`:
    `run`, `batch` (the order of every K-sum depends on N and K only) or `phase` (prefill = decode = chunked).

    ```mlir
    tile.kernel @copy grid [#tile.grid<value = 1, rows_per = 16>] config {warps = 4} class "phase" {
    ^bb0(%in: memref<?x64xf32>, %out: memref<?x64xf32>, %rows: index, %b: index):
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %r0 = arith.muli %b, %c16 : index
      %left = arith.subi %rows, %r0 : index
      %t = tile.load %in[%r0, %c0] rows %left : memref<?x64xf32> -> !tile.tile<16x64xf32>
      tile.store %t, %out[%r0, %c0] rows %left : !tile.tile<16x64xf32>, memref<?x64xf32>
      tile.return
    }
    ```
    C1: arguments are memrefs, then 1 + grid-rank indices. C2: the grid has 1 to 3 dims, each value > 0 or rows_per > 0.
    C3: memrefs are row-major without layout or memory space; only the first dim may be dynamic.
    C4: class is one of the three.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypedArrayAttrBase<Tile_GridAttr, "grid dims">:$grid, DictionaryAttr:$config,
                       StrAttr:$reproducibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `grid` $grid `config` $config `class` $reproducibility attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of memory arguments; then come `rows` and the block coordinates.
    unsigned getNumMemoryArguments() { return getBody().getNumArguments() - 1 - getGrid().size(); }
    ::mlir::Value getRows() { return getBody().getArgument(getNumMemoryArguments()); }
    ::mlir::Value getBlockId(unsigned dim) { return getBody().getArgument(getNumMemoryArguments() + 1 + dim); }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Terminator, HasParent<"KernelOp">]> {
  let summary = "ends a kernel";
  let description = [{
    A kernel has no results: what it computes it has stored.
  }];
  let assemblyFormat = "attr-dict";
}

#endif
