//===- Tile.h - the tile dialect: how one kernel does it --------------------------------------===//
//
// The one header of the dialect: types, attributes, ops and the few functions that belong to them.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/tile/TileDialect.h.inc"
#include "dialects/tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tile/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/tile/TileOps.h.inc"

namespace cedilla::tile {

/// The memref dims along which a tile's rows and columns run, -1 for none: `dims` where given, else
/// the last two dims ([-1, 0] for a rank-1 memref).
struct MemoryDims {
  int64_t rows, cols;
};
MemoryDims getMemoryDims(mlir::MemRefType memory, std::optional<mlir::ArrayRef<int64_t>> dims);

/// Is `type` something a tile may hold?
bool isTileElement(mlir::Type type);

/// The three rules of tile.encode.
enum class EncodeRule { Q8, Q4Index, Q4Main };
std::optional<EncodeRule> getEncodeRule(mlir::Type element, mlir::Type scale, int64_t group);

} // namespace cedilla::tile
