//===- AssignLayouts.cpp - give every tile a layout -------------------------------------------===//
//
// Expects tile.kernel ops as families write them. Matrix products choose first (MmaPlan.h), then
// ops are visited in order (Assigner.h). Leaves `tile.layouts` on every op with tile results and
// `tile.instruction` on every product.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Assigner.h"

namespace cedilla::nvptx {
#define GEN_PASS_DEF_NVPTXASSIGNLAYOUTS
#include "compiler/target/nvptx/Passes.h.inc"
} // namespace cedilla::nvptx

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;
using tile::TileType;

//===------------------------------------------------------------------------------------------===//
// What a reader wants
//===------------------------------------------------------------------------------------------===//

/// Behind the op that makes the value, so that readers in loops and branches share what is
/// inserted.
static void setInsertionPointBehind(OpBuilder &builder, Value value) {
  if (Operation *producer = value.getDefiningOp())
    builder.setInsertionPointAfter(producer);
  else
    builder.setInsertionPointToStart(value.getParentBlock());
}

LogicalResult Assigner::require(OpOperand &operand, LayoutAttr layout) {
  Value value = operand.get();
  auto type = cast<TileType>(value.getType());
  if (isFlexible(value)) {
    Operation *producer = value.getDefiningOp();
    bool agrees = takes(producer, layout);
    if (failed(setFlexible(producer, agrees ? layout : flatFor(producer))))
      return failure();
  }
  LayoutAttr from = layouts.lookup(value);
  if (!from)
    return operand.getOwner()->emitOpError("reads a tile that has no layout yet, ") << value;
  if (holdAlike(from, layout, type))
    return success();
  Value &other = moved[{value, layout}];
  if (other) {
    operand.set(other);
    return success();
  }
  OpBuilder builder(context);
  setInsertionPointBehind(builder, value);
  if (isCheap(value) && takes(value.getDefiningOp(), layout)) {
    Operation *copy = builder.clone(*value.getDefiningOp());
    for (auto [from, to] : llvm::zip(value.getDefiningOp()->getResults(), copy->getResults()))
      moved[{from, layout}] = to;
    operand.set(moved[{value, layout}]);
    return setFlexible(copy, layout);
  }
  Value result = tile::RelayoutOp::create(builder, operand.getOwner()->getLoc(), value);
  layouts[result] = layout;
  moved[{value, layout}] = result;
  operand.set(result);
  return success();
}

/// Scales are read where they lie. What the kernel writes itself, or makes, is put down first.
LogicalResult Assigner::requireScales(tile::DecodeOp op) {
  auto load = op.getScales().getDefiningOp<tile::LoadOp>();
  if (load && !isStored(load.getMemory()) && !layouts.contains(load.getResult()))
    layouts[load.getResult()] = memory();
  return require(op.getScalesMutable(), memory());
}

/// The layout an op that takes what it finds will find.
FailureOr<LayoutAttr> Assigner::settled(OpOperand &operand) {
  Value value = operand.get();
  auto type = cast<TileType>(value.getType());
  LayoutAttr layout =
      isFlexible(value) ? flatFor(value.getDefiningOp()) : finished(layouts.lookup(value), type);
  if (failed(require(operand, layout)))
    return failure();
  return layout;
}

//===------------------------------------------------------------------------------------------===//
// A kernel
//===------------------------------------------------------------------------------------------===//

Assigner::Assigner(tile::KernelOp kernel, const Chip &chip)
    : kernel(kernel), chip(chip), context(kernel.getContext()),
      warps(getConfig(kernel, "warps", 0)) {
  kernel.walk([&](Operation *op) {
    if (isa<tile::StoreOp, tile::ScatterOp>(op))
      stored.insert(op->getOperand(1));
    if (auto select = dyn_cast<tile::SelectTopkOp>(op))
      stored.insert(select.getOut());
  });
}

/// Nobody reads what is flexible still; its operands need layouts that suit it all the same.
LogicalResult Assigner::finishFlexible() {
  SmallVector<Operation *> waiting;
  kernel.walk([&](Operation *op) {
    if (llvm::any_of(op->getResults(), [&](Value v) { return isTile(v) && isFlexible(v); }))
      waiting.push_back(op);
  });
  for (Operation *op : llvm::reverse(waiting))
    if (isFlexible(op->getResult(0)) && failed(setFlexible(op, flatFor(op))))
      return failure();
  return success();
}

void Assigner::write() {
  kernel.walk([&](Operation *op) {
    if (!llvm::any_of(op->getResults(), isTile))
      return;
    SmallVector<Attribute> entries;
    for (Value result : op->getResults())
      entries.push_back(isTile(result) ? Attribute(layouts.lookup(result))
                                       : Attribute(UnitAttr::get(context)));
    op->setAttr(layoutsAttr, ArrayAttr::get(context, entries));
  });
}

LogicalResult Assigner::run() {
  if (warps < 1 || warps * chip.warp > 1024)
    return kernel.emitOpError("expected 1 to ")
           << 1024 / chip.warp << " warps in the config, got " << warps;
  chooseSplit();
  auto flatOf = [&](TileType tile) { return flat(tile); };
  if (failed(planProducts(kernel, chip, flatOf, plans)))
    return failure();
  WalkResult chosen = kernel.walk([&](tile::MmaOp mma) {
    return failed(chooseOperands(mma)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (chosen.wasInterrupted() || failed(visit(kernel.getBody().front())) ||
      failed(finishFlexible()))
    return failure();
  write();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Pass
//===------------------------------------------------------------------------------------------===//

int64_t nvptx::getConfig(tile::KernelOp kernel, StringRef name, int64_t missing) {
  auto value = kernel.getConfig().getAs<IntegerAttr>(name);
  return value ? value.getInt() : missing;
}

LayoutAttr nvptx::getLayout(Value tile) {
  Operation *owner = tile.getDefiningOp();
  unsigned index = 0;
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    owner = argument.getOwner()->getParentOp();
    index = argument.getArgNumber() - 1; // a loop's block has its variable first
  } else {
    index = cast<OpResult>(tile).getResultNumber();
  }
  auto entries = owner->getAttrOfType<ArrayAttr>(layoutsAttr);
  return entries && index < entries.size() ? dyn_cast<LayoutAttr>(entries[index]) : LayoutAttr();
}

const Chip *nvptx::findChipOrError(Operation *op, StringRef name) {
  const Chip *chip = findChip("nvptx", name);
  if (!chip)
    op->emitError("expected a chip of target 'nvptx', got '") << name << "'";
  return chip;
}

namespace {
struct AssignLayouts : nvptx::impl::NvptxAssignLayoutsBase<AssignLayouts> {
  using Base::Base;

  void runOnOperation() override {
    const Chip *row = findChipOrError(getOperation(), chip);
    if (!row)
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<tile::KernelOp>())
      if (failed(Assigner(kernel, *row).run()))
        return signalPassFailure();
  }
};
} // namespace
