//===- Structure.cpp - blocks, scf.for, scf.if ------------------------------------------------===//
//
// Loops and branches keep their scalars; their tiles are places, known before. What is handed over
// at a yield (or at the start of a loop) is copied only where the plan gave it another place.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static bool isTile(Value value) { return isa<tile::TileType>(value.getType()); }

//===------------------------------------------------------------------------------------------===//
// Blocks
//===------------------------------------------------------------------------------------------===//

template <typename Op, void (*lower)(Lowering &, Op)>
static auto always(Lowering &l) {
  return [&l](Op op) {
    lower(l, op);
    return success();
  };
}

static LogicalResult lowerOp(Lowering &l, Operation &op) {
  l.loc = op.getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](scf::ForOp loop) { return lowerFor(l, loop); })
      .Case([&](scf::IfOp branch) { return lowerIf(l, branch); })
      .Case([&](tile::MapOp map) { return lowerMap(l, map); })
      .Case(always<tile::LoadOp, lowerLoad>(l))
      .Case(always<tile::StoreOp, lowerStore>(l))
      .Case(always<tile::GatherOp, lowerGather>(l))
      .Case(always<tile::ScatterOp, lowerScatter>(l))
      .Case(always<tile::SplatOp, lowerSplat>(l))
      .Case(always<tile::ConstantOp, lowerConstant>(l))
      .Case(always<tile::ExtractOp, lowerExtract>(l))
      .Case(always<tile::DeinterleaveOp, lowerDeinterleave>(l))
      .Case(always<tile::InterleaveOp, lowerInterleave>(l))
      .Case(always<tile::ReduceOp, lowerReduce>(l))
      .Case(always<tile::MmaOp, lowerMma>(l))
      .Case(always<tile::DecodeOp, lowerDecode>(l))
      .Case(always<tile::EncodeOp, lowerEncode>(l))
      .Case(always<tile::SelectTopkOp, lowerSelectTopk>(l))
      .Default([&](Operation *op) -> LogicalResult {
        if (auto choice = dyn_cast<arith::SelectOp>(op); choice && isTile(choice.getResult())) {
          lowerChoice(l, choice);
          return success();
        }
        if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()))
          return lowerScalar(l, *op, l.scalars, 1, Value());
        return op->emitOpError(
            "expected a tile, scf.for, scf.if, arith or math op in a kernel for x86");
      });
}

LogicalResult cedilla::x86::lowerBlock(Lowering &l, Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(lowerOp(l, op)))
      return failure();
  l.loc = block.getTerminator()->getLoc();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Places
//===------------------------------------------------------------------------------------------===//

/// Offsets of a region op's tile results.
static ArrayRef<int64_t> placesOf(Operation *op) {
  auto places = op->getAttrOfType<DenseI64ArrayAttr>("arena");
  return places ? places.asArrayRef() : ArrayRef<int64_t>();
}

/// Copies `values` to `targets` where they lie elsewhere. `temps` names the places through which
/// values go that lie in another target's place.
static void handOver(Lowering &l, ArrayRef<Value> values, ArrayRef<Stored> targets,
                     ArrayRef<int64_t> temps) {
  SmallVector<Stored> sources;
  for (auto [i, value] : llvm::enumerate(values)) {
    Stored source = l.tile(value);
    if (!temps.empty() && temps[i] >= 0) {
      Stored temp = l.placeAt(source.layout, temps[i]);
      l.copy(source, temp);
      source = temp;
    }
    sources.push_back(source);
  }
  for (auto [source, target] : llvm::zip(sources, targets))
    if (source.offset != target.offset)
      l.copy(source, target);
}

static SmallVector<Value> tilesOf(ValueRange values) {
  return llvm::to_vector(llvm::make_filter_range(values, isTile));
}

static Emitter::Values scalarsOf(Lowering &l, ValueRange values) {
  Emitter::Values result;
  for (Value value : values)
    if (!isTile(value))
      result.push_back(l.scalar(value));
  return result;
}

/// Results of `op`: tiles at `places`, scalars as given.
static void defineResults(Lowering &l, ValueRange results, ArrayRef<Stored> places,
                          ValueRange scalars) {
  unsigned tile = 0, scalar = 0;
  for (Value result : results)
    if (isTile(result))
      l.tiles.insert({result, places[tile++]});
    else
      l.scalars.map(result, scalars[scalar++]);
}

static SmallVector<Stored> targetsOf(Lowering &l, Operation *op) {
  SmallVector<Stored> targets;
  for (auto [value, offset] : llvm::zip(tilesOf(op->getResults()), placesOf(op)))
    targets.push_back(l.placeAt(TileLayout(cast<tile::TileType>(value.getType())), offset));
  return targets;
}

//===------------------------------------------------------------------------------------------===//
// Loops and branches
//===------------------------------------------------------------------------------------------===//

LogicalResult cedilla::x86::lowerFor(Lowering &l, scf::ForOp op) {
  SmallVector<Stored> targets = targetsOf(l, op);
  handOver(l, tilesOf(op.getInitArgs()), targets, {});

  auto loop =
      scf::ForOp::create(l.b, l.loc, l.scalar(op.getLowerBound()), l.scalar(op.getUpperBound()),
                         l.scalar(op.getStep()), scalarsOf(l, op.getInitArgs()));
  l.scalars.map(op.getInductionVar(), loop.getInductionVar());
  defineResults(l, op.getRegionIterArgs(), targets, loop.getRegionIterArgs());

  OpBuilder::InsertionGuard guard(l.b);
  if (!loop.getRegionIterArgs().empty())
    l.b.setInsertionPointToEnd(loop.getBody());
  else
    l.b.setInsertionPoint(loop.getBody()->getTerminator());
  if (failed(lowerBlock(l, *op.getBody())))
    return failure();
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  auto temps = yield->getAttrOfType<DenseI64ArrayAttr>("arena_temps");
  handOver(l, tilesOf(yield.getResults()), targets,
           temps ? temps.asArrayRef() : ArrayRef<int64_t>());
  if (!loop.getRegionIterArgs().empty())
    scf::YieldOp::create(l.b, l.loc, scalarsOf(l, yield.getResults()));
  defineResults(l, op.getResults(), targets, loop.getResults());
  return success();
}

static LogicalResult lowerBranch(Lowering &l, Block &from, Block &to, ArrayRef<Stored> targets) {
  if (to.empty())
    l.b.setInsertionPointToEnd(&to);
  else
    l.b.setInsertionPoint(to.getTerminator());
  if (failed(lowerBlock(l, from)))
    return failure();
  Operation *yield = from.getTerminator();
  handOver(l, tilesOf(yield->getOperands()), targets, {});
  if (l.b.getInsertionPoint() == to.end())
    scf::YieldOp::create(l.b, l.loc, scalarsOf(l, yield->getOperands()));
  return success();
}

LogicalResult cedilla::x86::lowerIf(Lowering &l, scf::IfOp op) {
  SmallVector<Stored> targets = targetsOf(l, op);
  SmallVector<Type> types;
  for (Value result : op.getResults())
    if (!isTile(result))
      types.push_back(heldType(result.getType()));
  bool withElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(l.b, l.loc, types, l.scalar(op.getCondition()),
                                  /*addThenBlock=*/true, withElse);

  OpBuilder::InsertionGuard guard(l.b);
  if (failed(lowerBranch(l, *op.thenBlock(), *branch.thenBlock(), targets)))
    return failure();
  if (withElse && failed(lowerBranch(l, *op.elseBlock(), *branch.elseBlock(), targets)))
    return failure();
  defineResults(l, op.getResults(), targets, branch.getResults());
  return success();
}
