//===- AssignOps.cpp - which layouts each op asks for and leaves ------------------------------===//

#include "compiler/target/nvptx/Assigner.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;
using tile::TileType;

static TileType tileOf(Value value) { return cast<TileType>(value.getType()); }

//===------------------------------------------------------------------------------------------===//
// Products
//===------------------------------------------------------------------------------------------===//

/// Before anything else has a layout: operands that the lanes make themselves from nothing but
/// memory.
LogicalResult Assigner::chooseOperands(tile::MmaOp mma) {
  const MmaPlan &plan = plans[mma];
  mma->setAttr(instructionAttr, StringAttr::get(context, plan.instruction));
  if (plan.fromMemory)
    return success();
  if (isReady(mma.getA()) && failed(require(mma.getAMutable(), plan.a(context))))
    return failure();
  return isReady(mma.getB()) ? require(mma.getBMutable(), plan.b(context)) : success();
}

LogicalResult Assigner::visitMma(tile::MmaOp mma) {
  const MmaPlan &plan = plans[mma];
  if (!plan.fromMemory && (failed(require(mma.getAMutable(), plan.a(context))) ||
                           failed(require(mma.getBMutable(), plan.b(context)))))
    return failure();
  if (plan.fromMemory) {
    Value a = mma.getA();
    bool inPlace = plan.instruction != "fma" && !isFlexible(a) &&
                   holdAlike(layouts.lookup(a), plan.a(context), tileOf(a));
    if (failed(require(mma.getAMutable(), inPlace ? plan.a(context) : memory())) ||
        failed(require(mma.getBMutable(), memory())))
      return failure();
  }
  layouts[mma.getResult()] = plan.acc(context);
  return require(mma.getAccMutable(), plan.acc(context));
}

//===------------------------------------------------------------------------------------------===//
// Loops and branches
//===------------------------------------------------------------------------------------------===//

/// The accumulator layout of the product that a carried tile is the sum of; null if there is none.
LayoutAttr Assigner::productOf(BlockArgument argument) const {
  auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
  for (OpOperand &use : argument.getUses()) {
    if (auto mma = dyn_cast<tile::MmaOp>(use.getOwner()))
      if (use.get() == mma.getAcc())
        return plans.lookup(mma).acc(context);
    if (auto inner = dyn_cast<scf::ForOp>(use.getOwner()))
      if (LayoutAttr found = productOf(inner.getTiedLoopRegionIterArg(&use)))
        return found;
  }
  Value yielded = loop.getTiedLoopYieldedValue(argument)->get();
  if (auto mma = yielded.getDefiningOp<tile::MmaOp>())
    return plans.lookup(mma).acc(context);
  return {};
}

/// The layout of what a carried tile is combined with: tiles that products or other loops have
/// given one, looked for through maps and reductions.
LayoutAttr Assigner::neighbour(BlockArgument argument) const {
  TileType type = tileOf(argument);
  SmallVector<Value> queue{argument};
  DenseSet<Value> seen{argument};
  auto push = [&](Value value) {
    if (isTile(value) && seen.insert(value).second)
      queue.push_back(value);
  };
  for (size_t i = 0; i < queue.size(); ++i) {
    Value value = queue[i];
    LayoutAttr layout = layouts.lookup(value);
    if (auto mma = value.getDefiningOp<tile::MmaOp>())
      layout = plans.lookup(mma).sum(context);
    if (layout && layout.getKind() != LayoutKind::Memory && layout.getKind() != LayoutKind::Flat &&
        fits(layout, type))
      return finished(layout, type);
    if (isa_and_nonnull<tile::MapOp, tile::ReduceOp>(value.getDefiningOp()))
      llvm::for_each(value.getDefiningOp()->getOperands(), push);
    for (OpOperand &use : value.getUses())
      if (auto inner = dyn_cast<scf::ForOp>(use.getOwner()))
        push(inner.getTiedLoopRegionIterArg(&use));
    for (Operation *user : value.getUsers())
      if (isa<tile::MapOp, tile::ReduceOp>(user)) {
        llvm::for_each(user->getOperands(), push);
        llvm::for_each(user->getResults(), push);
      }
  }
  return {};
}

LayoutAttr Assigner::carried(BlockArgument argument, Value init) const {
  if (LayoutAttr product = productOf(argument))
    return product;
  if (LayoutAttr known = layouts.lookup(init))
    return finished(known, tileOf(init));
  if (LayoutAttr found = neighbour(argument))
    return found;
  return flat(tileOf(argument));
}

LogicalResult Assigner::visitLoop(scf::ForOp loop) {
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!isTile(argument))
      continue;
    LayoutAttr layout = carried(argument, loop.getInitArgs()[i]);
    layouts[argument] = layout;
    layouts[loop.getResult(i)] = layout;
    if (failed(require(loop.getInitArgsMutable()[i], layout)))
      return failure();
  }
  if (failed(visit(*loop.getBody())))
    return failure();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
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

//===------------------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------------------===//

/// map, store, scatter, a choice: all tiles in one layout, that of the largest one that has one.
LogicalResult Assigner::visitElementwise(Operation *op) {
  TileType shape;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (auto tile = dyn_cast<TileType>(type))
      if (!shape || tile.getNumElements() > shape.getNumElements())
        shape = tile;
  LayoutAttr layout;
  int64_t elements = 0;
  for (Value operand : op->getOperands())
    if (isTile(operand) && !isFlexible(operand) && tileOf(operand).getNumElements() > elements) {
      layout = finished(layouts.lookup(operand), tileOf(operand));
      elements = tileOf(operand).getNumElements();
    }
  // A row or column says how rows or columns are dealt out; flat tiles agree on that anyway.
  bool vector = layout && layout.getKind() == LayoutKind::Flat && elements < shape.getNumElements();
  if (!layout || vector || !fits(layout, shape))
    layout = flat(shape);
  for (OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()) && failed(require(operand, layout)))
      return failure();
  for (Value result : op->getResults())
    if (isTile(result))
      layouts[result] = layout;
  return success();
}

LogicalResult Assigner::visitReduce(tile::ReduceOp op) {
  FailureOr<LayoutAttr> layout = settled(op.getValueMutable());
  if (succeeded(layout))
    layouts[op.getResult()] = *layout;
  return layout;
}

//===------------------------------------------------------------------------------------------===//
// Shapes that change inside a thread
//===------------------------------------------------------------------------------------------===//

static LayoutAttr withVec(LayoutAttr layout, int64_t vec) {
  return LayoutAttr::get(layout.getContext(), layout.getKind(), layout.getSplit(), vec);
}

/// Neighbours lie in one thread: each half has half of its run.
LogicalResult Assigner::visitDeinterleave(tile::DeinterleaveOp op) {
  TileType type = op.getValue().getType();
  LayoutAttr layout;
  if (!isFlexible(op.getValue()))
    layout = finished(layouts.lookup(op.getValue()), type);
  if (!layout || layout.getVec() % 2 != 0)
    layout = flat(type, 2);
  LayoutAttr half = withVec(layout, layout.getVec() / 2);
  layouts[op.getEven()] = half;
  layouts[op.getOdd()] = half;
  return require(op.getValueMutable(), layout);
}

LogicalResult Assigner::visitInterleave(tile::InterleaveOp op) {
  FailureOr<LayoutAttr> layout = settled(op.getEvenMutable());
  if (failed(layout) || failed(require(op.getOddMutable(), *layout)))
    return failure();
  // One column has a run of 1, whatever its layout says.
  int64_t vec = op.getEven().getType().getCols() == 1 ? 1 : layout->getVec();
  layouts[op.getResult()] = withVec(*layout, 2 * vec);
  return success();
}

/// Groups lie in neighbouring lanes of one warp. The scales go to memory: their readers seldom deal
/// them out like the codes.
LogicalResult Assigner::visitEncode(tile::EncodeOp op) {
  TileType type = op.getX().getType();
  int64_t perByte = isa<Float4E2M1FNType>(op.getElement()) ? 2 : 1;
  auto suits = [&](LayoutAttr layout) {
    return layout.getKind() == LayoutKind::Flat && layout.getVec() % perByte == 0 &&
           op.getGroup() % layout.getVec() == 0;
  };
  LayoutAttr layout = isFlexible(op.getX()) ? LayoutAttr() : layouts.lookup(op.getX());
  if (!layout || !suits(layout))
    layout = flat(type, perByte);
  if (failed(require(op.getXMutable(), layout)))
    return failure();
  layouts[op.getCodes()] = withVec(layout, layout.getVec() / perByte);
  layouts[op.getScales()] = memory();
  return success();
}

/// A single element is in every thread; others are read from memory.
LogicalResult Assigner::visitExtract(tile::ExtractOp op) {
  if (op.getValue().getType().getNumElements() == 1)
    return settled(op.getValueMutable());
  return require(op.getValueMutable(), memory());
}

//===------------------------------------------------------------------------------------------===//
// All ops
//===------------------------------------------------------------------------------------------===//

LogicalResult Assigner::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tile::MmaOp mma) { return visitMma(mma); })
      .Case([&](scf::ForOp loop) { return visitLoop(loop); })
      .Case([&](scf::IfOp branch) { return visitIf(branch); })
      .Case([&](tile::ReduceOp reduce) { return visitReduce(reduce); })
      .Case([&](tile::DeinterleaveOp each) { return visitDeinterleave(each); })
      .Case([&](tile::InterleaveOp each) { return visitInterleave(each); })
      .Case([&](tile::EncodeOp encode) { return visitEncode(encode); })
      .Case([&](tile::ExtractOp extract) { return visitExtract(extract); })
      .Case([&](tile::MapOp map) -> LogicalResult {
        bool done = layouts.contains(map.getResult(0)) || isFlexible(map.getResult(0));
        return done ? success() : visitElementwise(map);
      })
      .Case<tile::StoreOp, tile::ScatterOp>([&](Operation *each) { return visitElementwise(each); })
      .Case<tile::LoadOp, tile::GatherOp, tile::SplatOp, tile::ConstantOp, tile::DecodeOp,
            tile::RelayoutOp, tile::SelectTopkOp, scf::YieldOp, tile::ReturnOp>(
          [](Operation *) { return success(); })
      .Default([&](Operation *each) -> LogicalResult {
        if (isa<arith::SelectOp>(each) && isTile(each->getResult(0)))
          return visitElementwise(each);
        if (isa<arith::ArithDialect, math::MathDialect>(each->getDialect()))
          return success();
        return each->emitOpError("is not carried by target 'nvptx' yet, in kernel '")
               << kernel.getSymName() << "'";
      });
}

LogicalResult Assigner::visit(Block &block) {
  // What is inserted stands behind producers, and so before the op that is visited.
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}
