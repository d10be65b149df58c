//===- TileBase.td - dialect, tile type, grid and layout attributes -----------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_TILE_BASE
#define CEDILLA_DIALECTS_TILE_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def TileDialect : Dialect {
  let name = "tile";
  let cppNamespace = "::cedilla::tile";
  let summary = "one kernel: a program over a grid, sequential within a block, on tiles";
  let description = [{
    A tile is a value, always of two dims, [rows, cols]; a row vector is 1xN, a column Mx1. Memory in global space is a
    `memref` (row-major, only the first dim may be dynamic); addresses are 64-bit. Scalars (`index`, arith) and
    `scf.for` / `scf.if` with tile operands are used as they are. Reading a body in text order, one block after the
    other, is its meaning: no barriers, no threads. How tiles are placed (registers, shared memory, an arena) is decided
    by target passes from the kernel's `config`.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::math::MathDialect"];
}

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<TileDialect, mnemonic, traits>;

def Tile_TileType : TypeDef<TileDialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "a static two-dim block of values";
  let description = [{
    ```mlir
    !tile.tile<16x64xf32>
    ```
    C1: two positive dims. C2: the element is f32, bf16, i8, i32 or i64.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$cols, "::mlir::Type":$element);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumElements() const { return getRows() * getCols(); }
  }];
}

def Tile_Tile : Type<CPred<"::llvm::isa<::cedilla::tile::TileType>($_self)">, "tile", "::cedilla::tile::TileType">;
def Tile_Scalar : AnyTypeOf<[F32, BF16, I8, I32, I64]>;

def Tile_GridAttr : AttrDef<TileDialect, "Grid"> {
  let mnemonic = "grid";
  let summary = "one dim of a grid: `value` blocks, or one block per `rows_per` rows of the step";
  let description = [{
    ```mlir
    #tile.grid<value = 8, rows_per = 0>     // always 8 blocks
    #tile.grid<value = 1, rows_per = 16>    // ceil(rows / 16) blocks
    ```
  }];
  let parameters = (ins "int64_t":$value, "int64_t":$rows_per);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
