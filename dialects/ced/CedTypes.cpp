//===- CedTypes.cpp - block-scaled values, caches, index sets ---------------------------------===//

#include "dialects/ced/Ced.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cedilla::ced;

#define GET_TYPEDEF_CLASSES
#include "dialects/ced/CedTypes.cpp.inc"

void CedDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/ced/CedTypes.cpp.inc"
      >();
}

//===------------------------------------------------------------------------------------------===//
// ScaledType: verification and text
//===------------------------------------------------------------------------------------------===//

LogicalResult ScaledType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                 Type element, int64_t blockRows, int64_t blockCols, Type scale,
                                 Placement placement) {
  // C1
  if (!isa<Float8E4M3FNType, Float4E2M1FNType>(element))
    return emitError() << "expected element f8E4M3FN or f4E2M1FN, got " << element;
  if (!isa<Float8E8M0FNUType, Float8E4M3FNType>(scale))
    return emitError() << "expected scale f8E8M0FNU or f8E4M3FN, got " << scale;
  // C2
  if (shape.empty())
    return emitError() << "expected at least one dim, got none";
  for (auto [index, dim] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(dim) && (index > 0 || shape.size() == 1))
      return emitError() << "expected only the first of several dims to be dynamic, got dim " << index << " dynamic";
    if (!ShapedType::isDynamic(dim) && dim <= 0)
      return emitError() << "expected positive dims, got dim " << index << " = " << dim;
  }
  // C3
  if (blockRows <= 0 || blockCols <= 0)
    return emitError() << "expected positive block dims, got " << blockRows << "x" << blockCols;
  if (shape.size() == 1 && blockRows != 1)
    return emitError() << "expected a block of one row over one dim, got " << blockRows << "x" << blockCols;
  // C4
  if (isa<Float4E2M1FNType>(element) && shape.back() % 2 != 0)
    return emitError() << "expected an even last dim with f4E2M1FN, got " << shape.back();
  // C5
  if (placement == Placement::Row && blockRows != 1)
    return emitError() << "expected a block of one row with row placement, got " << blockRows << "x" << blockCols;
  return success();
}

Type ScaledType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, block;
  Type element, scale;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true, /*withTrailingX=*/false) ||
      parser.parseComma() || parser.parseType(element) || parser.parseComma())
    return {};
  llvm::SMLoc blockLoc = parser.getCurrentLocation();
  if (parser.parseDimensionList(block, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return {};
  if (block.size() != 2) {
    parser.emitError(blockLoc, "expected a block of two dims, got ") << block.size();
    return {};
  }
  if (parser.parseComma() || parser.parseType(scale))
    return {};

  Placement placement = Placement::Planar;
  if (succeeded(parser.parseOptionalComma())) {
    llvm::SMLoc placementLoc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return {};
    std::optional<Placement> known = symbolizePlacement(word);
    if (!known) {
      parser.emitError(placementLoc, "expected placement planar or row, got ") << word;
      return {};
    }
    placement = *known;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ScaledType>(start, parser.getContext(), shape, element, block[0], block[1], scale,
                                       placement);
}

void ScaledType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << ", " << getElement() << ", " << getBlockRows() << "x" << getBlockCols() << ", " << getScale();
  if (getPlacement() != Placement::Planar)
    printer << ", " << stringifyPlacement(getPlacement());
  printer << ">";
}

//===------------------------------------------------------------------------------------------===//
// ScaledType: formats
//===------------------------------------------------------------------------------------------===//

ScaledType ScaledType::getQ8(MLIRContext *context, ArrayRef<int64_t> shape, Placement placement) {
  return get(context, shape, Float8E4M3FNType::get(context), 1, 32, Float8E8M0FNUType::get(context), placement);
}

ScaledType ScaledType::getQ4Index(MLIRContext *context, ArrayRef<int64_t> shape, Placement placement) {
  return get(context, shape, Float4E2M1FNType::get(context), 1, 32, Float8E8M0FNUType::get(context), placement);
}

ScaledType ScaledType::getQ4Main(MLIRContext *context, ArrayRef<int64_t> shape, Placement placement) {
  return get(context, shape, Float4E2M1FNType::get(context), 1, 16, Float8E4M3FNType::get(context), placement);
}

ScaledType ScaledType::getWeightFP8(MLIRContext *context, ArrayRef<int64_t> shape) {
  return get(context, shape, Float8E4M3FNType::get(context), 32, 32, Float8E8M0FNUType::get(context),
             Placement::Planar);
}

ScaledType ScaledType::getWeightFP4(MLIRContext *context, ArrayRef<int64_t> shape) {
  return getQ4Index(context, shape);
}

bool ScaledType::hasSameFormat(ScaledType other) const {
  return getElement() == other.getElement() && getScale() == other.getScale() &&
         getBlockRows() == other.getBlockRows() && getBlockCols() == other.getBlockCols();
}

bool ScaledType::isFP4() const { return isa<Float4E2M1FNType>(getElement()); }
bool ScaledType::isQ8() const { return hasSameFormat(getQ8(getContext(), {2})); }
bool ScaledType::isQ4Index() const { return hasSameFormat(getQ4Index(getContext(), {2})); }
bool ScaledType::isQ4Main() const { return hasSameFormat(getQ4Main(getContext(), {2})); }
bool ScaledType::isWeightFP8() const { return hasSameFormat(getWeightFP8(getContext(), {1, 1})); }

ScaledType ScaledType::cloneWith(ArrayRef<int64_t> shape, Placement placement) const {
  return get(getContext(), shape, getElement(), getBlockRows(), getBlockCols(), getScale(), placement);
}

//===------------------------------------------------------------------------------------------===//
// ScaledType: bytes
//===------------------------------------------------------------------------------------------===//

int64_t ScaledType::getCodeBytesPerRow() const { return isFP4() ? getCols() / 2 : getCols(); }

int64_t ScaledType::getScaleBytesPerRow() const { return llvm::divideCeil(getCols(), getBlockCols()); }

SmallVector<int64_t> ScaledType::getCodeShape() const {
  SmallVector<int64_t> shape(getShape());
  shape.back() = getCodeBytesPerRow();
  return shape;
}

SmallVector<int64_t> ScaledType::getScaleShape() const {
  SmallVector<int64_t> shape(getShape());
  shape.back() = getScaleBytesPerRow();
  if (shape.size() > 1 && !ShapedType::isDynamic(shape[shape.size() - 2]))
    shape[shape.size() - 2] = llvm::divideCeil(shape[shape.size() - 2], getBlockRows());
  return shape;
}

std::string ScaledType::getByteMap() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  bool planar = getPlacement() == Placement::Planar;
  out << stringifyPlacement(getPlacement()) << ": " << getCodeBytesPerRow() << " code bytes per row";
  if (isFP4())
    out << " (two codes a byte, low nibble = even column)";
  out << (planar ? "; elsewhere " : ", then ") << getScaleBytesPerRow() << " scale bytes per ";
  if (getBlockRows() == 1)
    out << "row";
  else
    out << getBlockRows() << " rows";
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Caches
//===------------------------------------------------------------------------------------------===//

/// Cache rows are addressed as byte strings, so their scales must lie with their codes.
static LogicalResult verifyCacheRow(function_ref<InFlightDiagnostic()> emitError, ScaledType row) {
  if (row.getRank() == 1 && row.getPlacement() == Placement::Row)
    return success();
  return emitError() << "expected a cache row of rank 1 with row placement, got " << row;
}

LogicalResult WindowType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t size, int64_t slack,
                                 ScaledType row) {
  // C1
  if (size <= 0)
    return emitError() << "expected a positive window size, got " << size;
  if (slack < 0)
    return emitError() << "expected a slack of at least 0, got " << slack;
  // C2
  return verifyCacheRow(emitError, row);
}

LogicalResult PagedType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t ratio, int64_t page,
                                ScaledType row) {
  // C1
  if (ratio <= 0 || page <= 0 || page % ratio != 0)
    return emitError() << "expected a positive page that a positive ratio divides, got ratio " << ratio << ", page "
                       << page;
  // C2
  return verifyCacheRow(emitError, row);
}

//===------------------------------------------------------------------------------------------===//
// StateType, IndexSetType
//===------------------------------------------------------------------------------------------===//

LogicalResult StateType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                Type element) {
  // C1
  if (shape.empty() || llvm::any_of(shape, [](int64_t dim) { return dim <= 0; }))
    return emitError() << "expected at least one dim, all static and positive";
  if (!element.isF32() && !element.isSignlessInteger(32))
    return emitError() << "expected element f32 or i32, got " << element;
  return success();
}

Type StateType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseGreater())
    return {};
  return parser.getChecked<StateType>(start, parser.getContext(), shape, element);
}

void StateType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElement() << ">";
}

LogicalResult IndexSetType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t k) {
  // C1
  if (k <= 0)
    return emitError() << "expected a positive k, got " << k;
  return success();
}
