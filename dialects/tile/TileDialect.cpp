//===- TileDialect.cpp - registers the dialect's types, attributes and ops --------------------===//

#include "dialects/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cedilla::tile;

#include "dialects/tile/TileDialect.cpp.inc"
#include "dialects/tile/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tile/TileTypes.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/tile/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/tile/TileOps.cpp.inc"
      >();
}

//===------------------------------------------------------------------------------------------===//
// The tile type
//===------------------------------------------------------------------------------------------===//

bool cedilla::tile::isTileElement(Type type) {
  return type.isF32() || type.isBF16() || type.isSignlessInteger(8) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

/// `<16x64xf32>`
Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> dims;
  Type element;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false) || parser.parseType(element) ||
      parser.parseGreater())
    return {};
  if (dims.size() != 2) {
    parser.emitError(loc, "expected a tile of 2 dims, got ") << dims.size();
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), dims[0], dims[1],
                    element);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<" << getRows() << "x" << getCols() << "x" << getElement() << ">";
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rows,
                               int64_t cols, Type element) {
  // C1
  if (rows <= 0 || cols <= 0)
    return emitError() << "expected positive tile dims, got " << rows << "x" << cols;
  // C2
  if (!isTileElement(element))
    return emitError() << "expected a tile element of f32, bf16, i8, i32 or i64, got " << element;
  return success();
}

// The ops' definitions; their verifiers are in ops/, one file per subject.
#define GET_OP_CLASSES
#include "dialects/tile/TileOps.cpp.inc"
