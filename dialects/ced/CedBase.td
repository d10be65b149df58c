//===- CedBase.td - dialect and op base class -----------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_BASE
#define CEDILLA_DIALECTS_CED_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def CedDialect : Dialect {
  let name = "ced";
  let cppNamespace = "::cedilla::ced";
  let summary = "what a CED/CSA2 language model computes, with its rounding points";
  let description = [{
    Tensors with value semantics. A *row* is one token of one sequence; T rows of a step lie one after
    the other, the rows of one sequence together and in ascending position. What a row is, is said by
    the step's row tensors, all `tensor<?xi32>` of length T, which ops take where they need them:

    | name | meaning |
    |---|---|
    | `tokens` | token id |
    | `kinds` | 0 text, 1 image span |
    | `positions` | absolute position, 0-based; -1 marks a padding row: it reads and writes no state |
    | `slots` | which sequence slot of the session the row belongs to |
    | `starts` | position of the first row of the same sequence in this step |

    `pages : tensor<?x?xi32>` [slot, n] is the page of the paged caches that holds tokens
    n*page .. (n+1)*page-1 of that slot. Caches are values: an op that writes one returns the new one.
    Every op's rounding points are in its description; nothing else rounds.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    // Each lives in the file that includes the generated definitions of its kind.
    void registerTypes();
    void registerAttributes();
  }];
}

class Ced_Op<string mnemonic, list<Trait> traits = []> : Op<CedDialect, mnemonic, traits>;

// A double in an attribute (Real.h), printed with as many digits as it takes to read the same value back.
def Ced_Double : AttrOrTypeParameter<"::cedilla::ced::Real", "a double", "double"> {
  let parser = [{ ::cedilla::ced::detail::parseReal($_parser) }];
  let printer = [{ $_printer.printFloat(::llvm::APFloat($_self)) }];
}

// Shorthands for the constraints that traits can check.
def Ced_BF16Tensor : TensorOf<[BF16]>;
def Ced_F32Tensor : TensorOf<[F32]>;
def Ced_RowsI32 : 1DTensorOf<[I32]>;
def Ced_PageTable : 2DTensorOf<[I32]>;

#endif
