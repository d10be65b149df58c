//===- Select.cpp - verifier of the top-k of a row --------------------------------------------===//

#include "dialects/tile/Tile.h"

using namespace mlir;
using namespace cedilla::tile;

LogicalResult SelectTopkOp::verify() {
  auto scores = cast<MemRefType>(getScores().getType()), out = cast<MemRefType>(getOut().getType());
  // C1
  if (!scores.getElementType().isBF16())
    return emitOpError("expected scores of bf16, got ") << scores.getElementType();
  if (!out.getElementType().isInteger(32))
    return emitOpError("expected out of i32, got ") << out.getElementType();
  if (scores.getRank() == 0 || int64_t(getOffsets().size()) != scores.getRank())
    return emitOpError("expected one offset for each of the ")
           << scores.getRank() << " dims of scores, got " << getOffsets().size();
  if (out.getRank() == 0 || int64_t(getOutOffsets().size()) != out.getRank())
    return emitOpError("expected one offset for each of the ")
           << out.getRank() << " dims of out, got " << getOutOffsets().size();

  // C2
  if (int64_t(getK()) <= 0)
    return emitOpError("expected a positive k, got ") << int64_t(getK());
  return success();
}
