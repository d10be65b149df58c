//===- AssignLayouts.cpp - give every tile a layout -------------------------------------------===//
//
// Expects tile.kernel ops as families write them. Matrix products choose first (MmaPlan.h). Then
// ops are visited in order: a load, splat, constant or decode is flexible until somebody reads it
// and then takes the reader's layout; other ops take the layout of what they read. A reader that
// finds another layout gets a copy of a cheap producer, or a tile.relayout. Leaves `tile.layouts`
// on every op with tile results and `tile.instruction` on every product.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Geometry.h"
#include "compiler/target/nvptx/MmaPlan.h"

#include "llvm/ADT/TypeSwitch.h"

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

namespace {
class Assigner {
public:
  Assigner(tile::KernelOp kernel, const Chip &chip)
      : kernel(kernel), chip(chip), context(kernel.getContext()),
        warps(getConfig(kernel, "warps", 0)) {}

  LogicalResult run();

private:
  LogicalResult planProducts();
  LogicalResult visit(Block &block);
  LogicalResult visit(Operation *op);
  LogicalResult visitMma(tile::MmaOp mma);
  LogicalResult visitLoop(scf::ForOp loop);
  LogicalResult visitIf(scf::IfOp branch);
  LogicalResult visitElementwise(Operation *op);
  LogicalResult require(OpOperand &operand, LayoutAttr layout);
  LogicalResult setFlexible(Operation *op, LayoutAttr layout);
  void write();

  bool isFlexible(Value value) const;
  LayoutAttr flat(TileType tile) const;
  LayoutAttr finished(LayoutAttr layout) const;
  LayoutAttr memory() const { return LayoutAttr::get(context, LayoutKind::Memory, {1, 1, 1}, 1); }
  LayoutAttr carried(BlockArgument argument, Value init, Value yielded) const;
  FailureOr<LayoutAttr> settled(OpOperand &operand);

  tile::KernelOp kernel;
  const Chip &chip;
  MLIRContext *context;
  int64_t warps;
  DenseMap<Value, LayoutAttr> layouts;
  DenseMap<Operation *, MmaPlan> plans;
};
} // namespace

static bool isTile(Value value) { return isa<TileType>(value.getType()); }

//===------------------------------------------------------------------------------------------===//
// Layouts
//===------------------------------------------------------------------------------------------===//

/// Largest power of two that divides `size`, at most `limit`.
static int64_t powerOfTwo(int64_t size, int64_t limit) {
  int64_t power = 1;
  while (power < limit && size % (2 * power) == 0)
    power *= 2;
  return power;
}

/// Rows to neighbouring lanes' full width: 16-byte chunks along a row, then rows.
LayoutAttr Assigner::flat(TileType tile) const {
  int64_t bytes = tile.getElement().getIntOrFloatBitWidth() / 8;
  int64_t vec = powerOfTwo(tile.getCols(), 16 / bytes);
  int64_t cols = powerOfTwo(tile.getCols() / vec, chip.warp);
  return LayoutAttr::get(context, LayoutKind::Flat, {warps * chip.warp / cols, cols, 1}, vec);
}

/// A part of a sum is of no use to anybody but the next product.
LayoutAttr Assigner::finished(LayoutAttr layout) const {
  if (layout.getKind() != LayoutKind::MmaPart)
    return layout;
  return LayoutAttr::get(context, LayoutKind::MmaAcc, layout.getSplit(), layout.getVec());
}

bool Assigner::isFlexible(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && !layouts.contains(value) &&
         isa<tile::LoadOp, tile::SplatOp, tile::ConstantOp, tile::DecodeOp>(op);
}

/// Gives a flexible op its reader's layout and asks its operands for theirs.
LogicalResult Assigner::setFlexible(Operation *op, LayoutAttr layout) {
  layouts[op->getResult(0)] = layout;
  auto decode = dyn_cast<tile::DecodeOp>(op);
  if (!decode)
    return success();
  int64_t perByte = isa<Float4E2M1FNType>(decode.getElement()) ? 2 : 1;
  if (layout.getVec() % perByte != 0)
    return decode.emitOpError("expected an even run of columns per thread, got ") << layout;
  auto codes =
      LayoutAttr::get(context, layout.getKind(), layout.getSplit(), layout.getVec() / perByte);
  if (failed(require(decode.getCodesMutable(), codes)))
    return failure();
  if (!decode.getScales().getDefiningOp<tile::LoadOp>())
    return decode.emitOpError(
        "expected scales from a tile.load; computed scales are not carried by this "
        "target yet");
  return require(decode.getScalesMutable(), memory());
}

LogicalResult Assigner::require(OpOperand &operand, LayoutAttr layout) {
  Value value = operand.get();
  if (isFlexible(value))
    return setFlexible(value.getDefiningOp(), layout);
  if (layouts.lookup(value) == layout)
    return success();

  Operation *producer = value.getDefiningOp();
  OpBuilder builder(operand.getOwner());
  if (producer && isa<tile::SplatOp, tile::ConstantOp>(producer)) {
    Operation *copy = builder.clone(*producer);
    operand.set(copy->getResult(0));
    return setFlexible(copy, layout);
  }
  LayoutAttr from = layouts.lookup(value);
  if (from.getKind() == LayoutKind::Memory || layout.getKind() == LayoutKind::Memory)
    return operand.getOwner()->emitOpError(
        "reads a tile both as scales and as values; load it twice");
  Value moved = tile::RelayoutOp::create(builder, operand.getOwner()->getLoc(), value);
  layouts[moved] = layout;
  operand.set(moved);
  return success();
}

/// The layout an op that takes what it finds will find; a flexible producer becomes flat.
FailureOr<LayoutAttr> Assigner::settled(OpOperand &operand) {
  Value value = operand.get();
  if (isFlexible(value)) {
    LayoutAttr layout = flat(cast<TileType>(value.getType()));
    if (failed(setFlexible(value.getDefiningOp(), layout)))
      return failure();
    return layout;
  }
  LayoutAttr layout = finished(layouts.lookup(value));
  if (failed(require(operand, layout)))
    return failure();
  return layout;
}

//===------------------------------------------------------------------------------------------===//
// Ops
//===------------------------------------------------------------------------------------------===//

LogicalResult Assigner::planProducts() {
  WalkResult walked = kernel.walk([&](tile::MmaOp mma) {
    FailureOr<MmaPlan> plan = planMma(mma, kernel, chip);
    if (failed(plan))
      return WalkResult::interrupt();
    mma->setAttr(instructionAttr, StringAttr::get(context, plan->instruction));
    plans[mma] = *plan;
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult Assigner::visitMma(tile::MmaOp mma) {
  const MmaPlan &plan = plans[mma];
  if (failed(require(mma.getAMutable(), plan.a(context))) ||
      failed(require(mma.getBMutable(), plan.b(context))) ||
      failed(require(mma.getAccMutable(), plan.acc(context))))
    return failure();
  layouts[mma.getResult()] = plan.acc(context);
  return success();
}

/// What a loop carries: the accumulator layout of the product it feeds, or what comes in.
LayoutAttr Assigner::carried(BlockArgument argument, Value init, Value yielded) const {
  for (OpOperand &use : argument.getUses())
    if (auto mma = dyn_cast<tile::MmaOp>(use.getOwner()))
      if (use.get() == mma.getAcc())
        return plans.lookup(mma).acc(context);
  if (auto mma = yielded.getDefiningOp<tile::MmaOp>())
    return plans.lookup(mma).acc(context);
  if (LayoutAttr known = layouts.lookup(init))
    return finished(known);
  return flat(cast<TileType>(argument.getType()));
}

LogicalResult Assigner::visitLoop(scf::ForOp loop) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!isTile(argument))
      continue;
    LayoutAttr layout = carried(argument, loop.getInitArgs()[i], yield.getOperand(i));
    layouts[argument] = layouts[loop.getResult(i)] = layout;
    if (failed(require(loop.getInitArgsMutable()[i], layout)))
      return failure();
  }
  if (failed(visit(*loop.getBody())))
    return failure();
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (isTile(argument) && failed(require(yield->getOpOperand(i), layouts[argument])))
      return failure();
  return success();
}

LogicalResult Assigner::visitIf(scf::IfOp branch) {
  for (Region &region : branch->getRegions())
    if (!region.empty() && failed(visit(region.front())))
      return failure();
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    if (!isTile(result))
      continue;
    FailureOr<LayoutAttr> layout = settled(branch.thenYield()->getOpOperand(i));
    if (failed(layout) || failed(require(branch.elseYield()->getOpOperand(i), *layout)))
      return failure();
    layouts[result] = *layout;
  }
  return success();
}

/// The tile that the others of an op are rows, columns or elements of.
static TileType largestTile(Operation *op) {
  TileType largest;
  auto see = [&](Type type) {
    auto tile = dyn_cast<TileType>(type);
    if (tile && (!largest || tile.getNumElements() > largest.getNumElements()))
      largest = tile;
  };
  llvm::for_each(op->getOperandTypes(), see);
  llvm::for_each(op->getResultTypes(), see);
  return largest;
}

/// map, store, scatter, reduce, ..: all tiles in one layout, that of the first one that has one.
LogicalResult Assigner::visitElementwise(Operation *op) {
  LayoutAttr layout;
  for (Value operand : op->getOperands())
    if (isTile(operand) && !isFlexible(operand) && !layout)
      layout = finished(layouts.lookup(operand));
  if (!layout)
    layout = flat(largestTile(op));
  for (OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()) && failed(require(operand, layout)))
      return failure();
  for (Value result : op->getResults())
    if (isTile(result))
      layouts[result] = layout;
  return success();
}

LogicalResult Assigner::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tile::MmaOp mma) { return visitMma(mma); })
      .Case([&](scf::ForOp loop) { return visitLoop(loop); })
      .Case([&](scf::IfOp branch) { return visitIf(branch); })
      .Case<tile::LoadOp, tile::SplatOp, tile::ConstantOp, tile::DecodeOp, scf::YieldOp,
            tile::ReturnOp>([](Operation *) { return success(); })
      .Case<tile::MapOp, tile::StoreOp, tile::ReduceOp>(
          [&](Operation *each) { return visitElementwise(each); })
      .Case<arith::ConstantOp>([](Operation *) { return success(); })
      .Default([&](Operation *each) -> LogicalResult {
        if (isa<arith::ArithDialect, math::MathDialect>(each->getDialect()))
          return success();
        return each->emitOpError("is not carried by target 'nvptx' yet, in kernel '")
               << kernel.getSymName() << "'";
      });
}

LogicalResult Assigner::visit(Block &block) {
  // Relayouts and copies are inserted before the op that is visited.
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Writing down
//===------------------------------------------------------------------------------------------===//

void Assigner::write() {
  kernel.walk([&](Operation *op) {
    if (!llvm::any_of(op->getResults(), isTile))
      return;
    SmallVector<Attribute> entries;
    for (Value result : op->getResults()) {
      Attribute entry = UnitAttr::get(context);
      if (isTile(result))
        // Nobody reads a tile without a layout.
        entry = layouts.contains(result) ? layouts[result] : flat(cast<TileType>(result.getType()));
      entries.push_back(entry);
    }
    op->setAttr(layoutsAttr, ArrayAttr::get(context, entries));
  });
}

LogicalResult Assigner::run() {
  if (warps < 1 || warps * chip.warp > 1024)
    return kernel.emitOpError("expected 1 to ")
           << 1024 / chip.warp << " warps in the config, got " << warps;
  if (failed(planProducts()) || failed(visit(kernel.getBody().front())))
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
