//===- CedTypes.td - block-scaled values, caches, index sets --------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_TYPES
#define CEDILLA_DIALECTS_CED_TYPES

include "dialects/ced/CedBase.td"

class Ced_Type<string name, string mnem> : TypeDef<CedDialect, name> { let mnemonic = mnem; }

def Ced_ScaledType : Ced_Type<"Scaled", "scaled"> {
  let summary = "block-scaled matrix: element codes and one scale per block";
  let description = [{
    value = code x scale. The block covers the last two dims (`1x32`: 32 consecutive columns of a row;
    `32x32`: a tile, the last ones may be partial). FP4 codes lie two to a byte along the last dim, the
    low nibble being the even column. `placement`: `planar` = all codes, then (elsewhere) all scales, as
    checkpoints store them; `row` = behind the codes of each row lie its scales, one byte string per row
    (cache rows). Equal size is not equal type.

    ```mlir
    !ced.scaled<1280x5120, f8E4M3FN, 32x32, f8E8M0FNU>          // a weight; `planar` is not printed
    !ced.scaled<?x5120, f8E4M3FN, 1x32, f8E8M0FNU>              // an activation after quantising (Q8)
    !ced.scaled<512, f4E2M1FN, 1x16, f8E4M3FN, row>             // one row of main KV: 256 + 32 bytes
    ```

    C1: element is f8E4M3FN or f4E2M1FN; scale is f8E8M0FNU or f8E4M3FN.
    C2: rank is at least 1, only the first dim may be dynamic, the others are positive.
    C3: block dims are positive; with rank 1 the block's first dim is 1.
    C4: with f4E2M1FN the last dim is even.
    C5: `row` placement needs the block's first dim to be 1.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$element,
    "int64_t":$blockRows,
    "int64_t":$blockCols,
    "::mlir::Type":$scale,
    "::cedilla::ced::Placement":$placement);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Last dim: the number of values in a row.
    int64_t getCols() const { return getShape().back(); }
    bool isFP4() const;

    /// The formats the models use, by their names in the quantisers' table (ced.quantize) and in the checkpoint.
    static ScaledType getQ8(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape, Placement placement = Placement::Planar);
    static ScaledType getQ4Index(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape, Placement placement = Placement::Planar);
    static ScaledType getQ4Main(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape, Placement placement = Placement::Planar);
    static ScaledType getWeightFP8(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape);
    static ScaledType getWeightFP4(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape);
    /// Do element, block and scale format agree with those of the function above? Placement is not asked.
    bool isQ8() const;
    bool isQ4Index() const;
    bool isQ4Main() const;
    bool isWeightFP8() const;
    bool isWeightFP4() const { return isQ4Index(); }
    /// Equal element, block and scale format; shape and placement may differ.
    bool hasSameFormat(ScaledType other) const;
    /// The same format with another shape or placement.
    ScaledType cloneWith(::llvm::ArrayRef<int64_t> shape, Placement placement) const;

    /// Bytes of the codes / scales of one row (scales: of the row of blocks that holds it).
    int64_t getCodeBytesPerRow() const;
    int64_t getScaleBytesPerRow() const;
    /// Codes and scales of one row; the byte count of a cache row.
    int64_t getBytesPerRow() const { return getCodeBytesPerRow() + getScaleBytesPerRow(); }
    /// Shapes as stored: codes as bytes [.., cols or cols/2]; scales [.., ceil(rows/br), ceil(cols/bc)].
    ::llvm::SmallVector<int64_t> getCodeShape() const;
    ::llvm::SmallVector<int64_t> getScaleShape() const;
    /// Which bytes hold what, in words: "row: 256 code bytes (low nibble = even column), then 32 scale bytes".
    std::string getByteMap() const;
  }];
}

def Ced_WindowType : Ced_Type<"Window", "window"> {
  let summary = "sliding-window KV rings of all slots";
  let description = [{
    Per slot a ring of `size + slack` rows; position p lies in ring row p mod (size + slack). `slack` is at
    least the draft length + 1. Query i sees positions max(0, i-size+1) .. i.

    ```mlir
    !ced.window<128 + 8, !ced.scaled<512, f8E4M3FN, 1x32, f8E8M0FNU, row>>
    ```
    C1: size is positive, slack not negative. C2: the row is rank 1 with `row` placement.
  }];
  let parameters = (ins "int64_t":$size, "int64_t":$slack, "::cedilla::ced::ScaledType":$row);
  let assemblyFormat = "`<` $size `+` $slack `,` $row `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRingRows() const { return getSize() + getSlack(); }
    int64_t getBytesPerSlot() const { return getRingRows() * getRow().getBytesPerRow(); }
  }];
}

def Ced_PagedType : Ced_Type<"Paged", "paged"> {
  let summary = "paged cache with one entry per `ratio` tokens";
  let description = [{
    Entry j of a slot belongs to tokens j*ratio .. (j+1)*ratio-1 and lies in page
    pages[slot, j*ratio / page] at row (j*ratio mod page) / ratio. Main KV and index keys.

    ```mlir
    !ced.paged<ratio 2, page 64, !ced.scaled<512, f4E2M1FN, 1x16, f8E4M3FN, row>>
    ```
    C1: ratio and page are positive and ratio divides page. C2: the row is rank 1 with `row` placement.
  }];
  let parameters = (ins "int64_t":$ratio, "int64_t":$page, "::cedilla::ced::ScaledType":$row);
  let assemblyFormat = "`<` `ratio` $ratio `,` `page` $page `,` $row `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getEntriesPerPage() const { return getPage() / getRatio(); }
    int64_t getBytesPerPage() const { return getEntriesPerPage() * getRow().getBytesPerRow(); }
    double getBytesPerToken() const { return double(getRow().getBytesPerRow()) / double(getRatio()); }
  }];
}

def Ced_StateType : Ced_Type<"State", "state"> {
  let summary = "a small array per slot: open compressor group, Engram history";
  let description = [{
    ```mlir
    !ced.state<1x2x512xf32>    // open group of a ratio-2 compressor: [ratio-1, latent | gate, channel]
    !ced.state<3xi32>          // the last three compressed token ids, newest first; -1 = barrier
    ```
    C1: every dim is static and positive; the element is f32 or i32.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$element);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumElements() const { return ::llvm::product_of(getShape()); }
    int64_t getBytesPerSlot() const { return 4 * getNumElements(); }
  }];
}

def Ced_IndexSetType : Ced_Type<"IndexSet", "index_set"> {
  let summary = "per row: at most k positions, ascending, valid ones first, then -1";
  let description = [{
    Positions are row-local (entry or block numbers of the row's own sequence). Chosen by score; among
    exactly equal scores the lowest position wins. Stored as i32 [T, k].

    ```mlir
    !ced.index_set<512>
    ```
    C1: k is positive.
  }];
  let parameters = (ins "int64_t":$k);
  let assemblyFormat = "`<` $k `>`";
  let genVerifyDecl = 1;
}

def Ced_Scaled : Type<CPred<"::llvm::isa<::cedilla::ced::ScaledType>($_self)">, "block-scaled value", "::cedilla::ced::ScaledType">;
def Ced_Window : Type<CPred<"::llvm::isa<::cedilla::ced::WindowType>($_self)">, "window cache", "::cedilla::ced::WindowType">;
def Ced_Paged : Type<CPred<"::llvm::isa<::cedilla::ced::PagedType>($_self)">, "paged cache", "::cedilla::ced::PagedType">;
def Ced_State : Type<CPred<"::llvm::isa<::cedilla::ced::StateType>($_self)">, "per-slot state", "::cedilla::ced::StateType">;
def Ced_IndexSet : Type<CPred<"::llvm::isa<::cedilla::ced::IndexSetType>($_self)">, "index set", "::cedilla::ced::IndexSetType">;

#endif
