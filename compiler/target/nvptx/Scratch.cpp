//===- Scratch.cpp - the shared memory that single ops need -----------------------------------===//

#include "compiler/target/nvptx/Scratch.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;
using tile::TileType;

static constexpr int64_t unit = 16;

static int64_t elementBytes(TileType tile) { return tile.getElement().getIntOrFloatBitWidth() / 8; }

int64_t nvptx::scratchPitch(TileType tile) {
  int64_t row = tile.getCols() * elementBytes(tile);
  if (row < unit)
    return llvm::PowerOf2Ceil(row);
  int64_t pitch = llvm::alignTo(row, unit);
  return pitch / unit % 2 == 0 && tile.getRows() > 1 ? pitch + unit : pitch;
}

static int64_t tileBytes(TileType tile) { return tile.getRows() * scratchPitch(tile); }

//===------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------===//

int64_t ReducedTerms::parts() const {
  int64_t count = 1;
  for (const ThreadTerm &term : warps)
    count *= term.mod;
  return count;
}

ReducedTerms nvptx::reducedTerms(tile::ReduceOp op, const Geometry &geometry) {
  ReducedTerms terms;
  for (ThreadTerm term : op.getDim() == 1 ? geometry.col : geometry.row) {
    if (term.div >= warpSize) {
      terms.warps.push_back(term);
      continue;
    }
    int64_t inside = std::min(term.mod, warpSize / term.div);
    terms.lanes.push_back({term.div, inside, term.scale});
    if (inside < term.mod)
      terms.warps.push_back({warpSize, term.mod / inside, term.scale * inside});
  }
  llvm::sort(terms.lanes,
             [](const ThreadTerm &x, const ThreadTerm &y) { return x.scale < y.scale; });
  llvm::sort(terms.warps,
             [](const ThreadTerm &x, const ThreadTerm &y) { return x.scale < y.scale; });
  return terms;
}

//===------------------------------------------------------------------------------------------===//
// Ops
//===------------------------------------------------------------------------------------------===//

static int64_t bytesOf(tile::ReduceOp op, int64_t threads) {
  std::string reason;
  TileType type = op.getValue().getType();
  FailureOr<Geometry> geometry = getGeometry(getLayout(op.getValue()), type, reason);
  if (failed(geometry) || reducedTerms(op, *geometry).parts() == 1)
    return 0;
  int64_t results = op.getDim() == 1 ? int64_t(geometry->rowOffsets.size())
                                     : int64_t(geometry->colOffsets.size()) * geometry->vec;
  return threads * results * elementBytes(type);
}

static int64_t bytesOf(tile::RelayoutOp op) {
  TileType type = op.getResult().getType();
  LayoutAttr from = getLayout(op.getValue()), to = getLayout(op.getResult());
  if (from.getKind() == LayoutKind::Memory)
    return 0; // it lies somewhere already
  if (from.getKind() == LayoutKind::MmaPart)
    return from.getSplit()[2] * type.getNumElements() * elementBytes(type);
  bool inPlace = from.getKind() == LayoutKind::MmaAcc && to.getKind() == LayoutKind::MmaPart &&
                 from.getSplit() == to.getSplit();
  return inPlace ? 0 : tileBytes(type);
}

int64_t nvptx::scratchBytes(Operation *op, int64_t threads) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](tile::ReduceOp reduce) { return bytesOf(reduce, threads); })
      .Case([](tile::RelayoutOp relayout) { return bytesOf(relayout); })
      .Case([](tile::EncodeOp encode) { return tileBytes(encode.getScales().getType()); })
      .Case([&](tile::SelectTopkOp) { return SelectScratch::bytes(threads); })
      .Default([](Operation *) { return int64_t(0); });
}
