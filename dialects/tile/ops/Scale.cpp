//===- Scale.cpp - verifiers of block-scaled decode and encode --------------------------------===//

#include "dialects/tile/Tile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cedilla::tile;

static LogicalResult expectBytes(Operation *op, TileType tile, StringRef name) {
  if (!tile.getElement().isInteger(8))
    return op->emitOpError("expected ") << name << " of i8, got " << tile.getElement();
  return success();
}

static LogicalResult expectShape(Operation *op, TileType tile, StringRef name, int64_t rows,
                                 int64_t cols) {
  if (tile.getRows() != rows || tile.getCols() != cols)
    return op->emitOpError("expected ") << name << " of " << rows << "x" << cols << ", got "
                                        << tile.getRows() << "x" << tile.getCols();
  return success();
}

LogicalResult DecodeOp::verify() {
  TileType codes = getCodes().getType(), scales = getScales().getType();
  TileType result = getResult().getType();
  // C3 (first: C1 asks the format)
  if (!isa<Float8E4M3FNType, Float4E2M1FNType>(getElement()))
    return emitOpError("expected element f8E4M3FN or f4E2M1FN, got ") << getElement();
  if (!isa<Float8E8M0FNUType, Float8E4M3FNType>(getScale()))
    return emitOpError("expected scale f8E8M0FNU or f8E4M3FN, got ") << getScale();

  // C1
  int64_t perByte = isa<Float4E2M1FNType>(getElement()) ? 2 : 1;
  if (failed(expectBytes(*this, codes, "codes")) || failed(expectBytes(*this, scales, "scales")))
    return failure();
  if (result.getCols() % perByte != 0)
    return emitOpError("expected an even number of columns for f4E2M1FN, got ") << result.getCols();
  if (failed(expectShape(*this, codes, "codes", result.getRows(), result.getCols() / perByte)))
    return failure();

  // C2
  if (getBlockRows() == 0 || getBlockCols() == 0 || int64_t(getBlockRows()) < 0 ||
      int64_t(getBlockCols()) < 0)
    return emitOpError("expected a positive block, got ")
           << int64_t(getBlockRows()) << " x " << int64_t(getBlockCols());
  if (failed(expectShape(*this, scales, "scales",
                         llvm::divideCeil(result.getRows(), int64_t(getBlockRows())),
                         llvm::divideCeil(result.getCols(), int64_t(getBlockCols())))))
    return failure();

  // C4
  if (!result.getElement().isF32() && !result.getElement().isBF16())
    return emitOpError("expected a result of f32 or bf16, got ") << result.getElement();
  return success();
}

std::optional<EncodeRule> cedilla::tile::getEncodeRule(Type element, Type scale, int64_t group) {
  bool e8m0 = isa<Float8E8M0FNUType>(scale), e4m3 = isa<Float8E4M3FNType>(scale);
  if (isa<Float8E4M3FNType>(element) && e8m0 && group == 32)
    return EncodeRule::Q8;
  if (isa<Float4E2M1FNType>(element) && e8m0 && group == 32)
    return EncodeRule::Q4Index;
  if (isa<Float4E2M1FNType>(element) && e4m3 && group == 16)
    return EncodeRule::Q4Main;
  return std::nullopt;
}

LogicalResult EncodeOp::verify() {
  // C2 (first: C1 asks the rule)
  std::optional<EncodeRule> rule = getEncodeRule(getElement(), getScale(), getGroup());
  if (!rule)
    return emitOpError("expected one of the rules f8E4M3FN/f8E8M0FNU/32, f4E2M1FN/f8E8M0FNU/32, "
                       "f4E2M1FN/f8E4M3FN/16, got ")
           << getElement() << "/" << getScale() << "/" << int64_t(getGroup());

  // C1
  TileType x = getX().getType(), codes = getCodes().getType(), scales = getScales().getType();
  if (!x.getElement().isF32())
    return emitOpError("expected x of f32, got ") << x.getElement();
  if (failed(expectBytes(*this, codes, "codes")) || failed(expectBytes(*this, scales, "scales")))
    return failure();
  int64_t perByte = *rule == EncodeRule::Q8 ? 1 : 2;
  if (x.getCols() % perByte != 0)
    return emitOpError("expected an even number of columns for f4E2M1FN, got ") << x.getCols();
  if (failed(expectShape(*this, codes, "codes", x.getRows(), x.getCols() / perByte)))
    return failure();
  return expectShape(*this, scales, "scales", x.getRows(),
                     llvm::divideCeil(x.getCols(), int64_t(getGroup())));
}
