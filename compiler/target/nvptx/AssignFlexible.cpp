//===- AssignFlexible.cpp - ops that wait for a reader's layout ------------------------------===//

#include "compiler/target/nvptx/Assigner.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;
using tile::TileType;

// Elements of a load, and ops of a map, that are done twice rather than exchanged.
static constexpr int64_t cheapElements = 1024, cheapOps = 12;
// Words that a thread may compute at once in a product's operand layout (MmaPlan.cpp has the same
// limit for what it plans).
static constexpr int64_t maxOperandWords = 48;

/// Whether any thread can evaluate it in any layout: a map can if all its inputs can.
static bool canWait(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto map = dyn_cast_or_null<tile::MapOp>(op))
    return llvm::all_of(map.getInputs(), canWait);
  return isa_and_nonnull<tile::LoadOp, tile::GatherOp, tile::SplatOp, tile::ConstantOp,
                         tile::DecodeOp>(op);
}

bool Assigner::isFlexible(Value value) const { return !layouts.contains(value) && canWait(value); }

/// Whether the layouts of everything that a value is made from are known or can be chosen.
bool Assigner::isReady(Value value) const {
  if (layouts.contains(value))
    return true;
  return isFlexible(value) &&
         llvm::all_of(value.getDefiningOp()->getOperands(),
                      [&](Value operand) { return !isTile(operand) || isReady(operand); });
}

/// Whether a second evaluation in another layout costs less than an exchange.
bool Assigner::isCheap(Value value) const {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tile::SplatOp, tile::ConstantOp>(op))
    return true;
  if (auto load = dyn_cast_or_null<tile::LoadOp>(op))
    return !isStored(load.getMemory()) &&
           load.getResult().getType().getNumElements() <= cheapElements;
  auto map = dyn_cast_or_null<tile::MapOp>(op);
  if (!map || map.getBody().front().getOperations().size() > cheapOps)
    return false;
  return llvm::all_of(map.getInputs(), [&](Value input) { return isCheap(input); });
}

static bool isZeroSplat(Operation *op) {
  auto splat = dyn_cast<tile::SplatOp>(op);
  auto scalar = splat ? splat.getValue().getDefiningOp<arith::ConstantOp>() : arith::ConstantOp();
  auto value = scalar ? dyn_cast<FloatAttr>(scalar.getValue()) : FloatAttr();
  return value && value.getValue().isPosZero();
}

bool Assigner::takes(Operation *op, LayoutAttr layout) const {
  if (layout.getKind() == LayoutKind::Memory)
    return false;
  if (layout.getKind() == LayoutKind::MmaPart && !isZeroSplat(op))
    return false;
  for (Value result : op->getResults())
    if (!fits(layout, cast<TileType>(result.getType())))
      return false;
  if (auto decode = dyn_cast<tile::DecodeOp>(op))
    return !isa<Float4E2M1FNType>(decode.getElement()) || layout.getVec() % 2 == 0;
  bool operand = layout.getKind() == LayoutKind::MmaA || layout.getKind() == LayoutKind::MmaB;
  if (!operand || !isa<tile::MapOp, tile::GatherOp>(op))
    return true;
  std::string reason;
  auto type = cast<TileType>(op->getResult(0).getType());
  FailureOr<Geometry> geometry = getGeometry(layout, type, reason);
  int64_t bits = geometry->chunks() * geometry->vec * type.getElement().getIntOrFloatBitWidth();
  return bits / 32 <= maxOperandWords;
}

/// Gives a flexible op its reader's layout and asks its operands for theirs.
LogicalResult Assigner::setFlexible(Operation *op, LayoutAttr layout) {
  for (Value result : op->getResults())
    layouts[result] = layout;
  if (auto decode = dyn_cast<tile::DecodeOp>(op)) {
    int64_t perByte = isa<Float4E2M1FNType>(decode.getElement()) ? 2 : 1;
    auto codes =
        LayoutAttr::get(context, layout.getKind(), layout.getSplit(), layout.getVec() / perByte);
    return failure(failed(require(decode.getCodesMutable(), codes)) ||
                   failed(requireScales(decode)));
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()) && failed(require(operand, layout)))
      return failure();
  return success();
}
