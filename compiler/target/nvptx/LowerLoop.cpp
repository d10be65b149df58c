//===- LowerLoop.cpp - loops and branches that carry tiles; the pipeline of a staged loop -----===//
//
// A loop with staged loads runs its copies `stages - 1` iterations ahead:
//
//   copies of iterations 0 .. stages - 2, one group each
//   for each iteration:
//     wait until its own group has landed, meet the others
//     copies of iteration + stages - 1 into the slot of the iteration before
//     the body, reading its slot
//
// After the meeting everybody's copies are there, and everybody has read the slot that is filled
// again. Whom a thread meets: its block, or only its warp where every warp copies what it reads
// itself. Iterations beyond the end commit empty groups, so the number to wait for never changes.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

//===------------------------------------------------------------------------------------------===//
// Carried values
//===------------------------------------------------------------------------------------------===//

static bool isTile(Value value) { return isa<tile::TileType>(value.getType()); }

/// The words of tiles and the values of scalars, in order.
SmallVector<Value> Lowering::flatten(ValueRange values) {
  SmallVector<Value> words;
  for (Value value : values)
    if (isTile(value))
      words.append(allWords(tiles[value]));
    else
      words.push_back(scalars.lookup(value));
  return words;
}

/// The opposite: gives tile-level values their words.
LogicalResult Lowering::bind(ValueRange values, ValueRange words) {
  for (Value value : values) {
    if (!isTile(value)) {
      scalars.map(value, words.front());
      words = words.drop_front();
      continue;
    }
    FailureOr<TileValue> tile = declare(value);
    if (failed(tile))
      return failure();
    std::vector<Words> chunks;
    int64_t per = wordsPerChunk(*tile);
    for (int64_t i = 0; i < tile->geometry.chunks(); ++i, words = words.drop_front(per))
      chunks.emplace_back(words.take_front(per));
    tiles[value] = hold(*tile, std::move(chunks));
  }
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------===//

static SmallVector<tile::LoadOp> stagedLoads(scf::ForOp loop) {
  SmallVector<tile::LoadOp> loads;
  for (auto load : loop.getBody()->getOps<tile::LoadOp>())
    if (load->hasAttr(stagingAttr))
      loads.push_back(load);
  return loads;
}

LogicalResult Lowering::lowerLoop(scf::ForOp loop) {
  Staged staged(stagedLoads(loop));
  Value lower = scalars.lookup(loop.getLowerBound()), upper = scalars.lookup(loop.getUpperBound());
  Value step = scalars.lookup(loop.getStep());
  SmallVector<Value> inits = flatten(loop.getInitArgs());
  size_t carried = inits.size();
  enterLoop(loop);
  if (!staged.loads.empty()) {
    for (tile::LoadOp load : staged.loads)
      orderGlobal(load);
    writeShared(staged.range());
    hazards.written.pop_back(); // the loop sees to its own rings
    fillPipeline(staged, lower, upper, step);
    inits.append({code.constant(0), code.constant(staged.ahead() % staged.stages)});
  }

  auto lowered = scf::ForOp::create(b, loop.getLoc(), lower, upper, step, inits);
  const Hazards before = hazards;
  enterBody(loop);
  {
    OpBuilder::InsertionGuard guard(b);
    if (lowered.getBody()->mightHaveTerminator())
      lowered.getBody()->getTerminator()->erase();
    b.setInsertionPointToEnd(lowered.getBody());
    scalars.map(loop.getInductionVar(), lowered.getInductionVar());
    ValueRange arguments = lowered.getRegionIterArgs();
    if (failed(bind(loop.getRegionIterArgs(), arguments.take_front(carried))))
      return failure();
    if (!staged.loads.empty() &&
        failed(advancePipeline(staged, lowered, arguments[carried], arguments[carried + 1])))
      return failure();
    if (failed(this->lower(*loop.getBody())))
      return failure();
    SmallVector<Value> yielded = flatten(loop.getBody()->getTerminator()->getOperands());
    if (!staged.loads.empty())
      for (Value slot : arguments.drop_front(carried))
        yielded.push_back(nextSlot(slot, staged.stages));
    scf::YieldOp::create(b, loop.getLoc(), yielded);
  }
  merge(before);
  if (!staged.loads.empty())
    hazards.read.push_back(staged.range());
  return bind(loop.getResults(), lowered.getResults().take_front(carried));
}

Value Lowering::nextSlot(Value slot, int64_t stages) {
  if (stages == 1)
    return slot;
  Value next = code.add(slot, 1);
  return code.select(code.equal(next, stages), code.constant(0), next);
}

/// Copies of the first iterations. A kernel that begins before its predecessor ends copies
/// constants at once and the rest when it has waited.
void Lowering::fillPipeline(const Staged &staged, Value lower, Value upper, Value step) {
  SmallVector<tile::LoadOp> early, late = staged.loads;
  if (waits() && !waited) {
    early = llvm::filter_to_vector(staged.loads,
                                   [&](tile::LoadOp load) { return readsConstants(load); });
    llvm::erase_if(late, [&](tile::LoadOp load) { return readsConstants(load); });
  }
  auto fill = [&](ArrayRef<tile::LoadOp> loads, bool commit) {
    Value variable = lower;
    for (int64_t i = 0; i < staged.ahead(); ++i) {
      code.when(code.less(variable, upper),
                [&] { issueCopies(loads, variable, code.constant(i)); });
      if (commit)
        NVVM::CpAsyncCommitGroupOp::create(b, code.loc);
      variable = code.add(variable, step);
    }
  };
  if (!early.empty())
    fill(early, false); // they belong to the first group
  waitForPredecessor();
  fill(late, true);
}

void Lowering::meet(const Staged &staged) {
  if (staged.ownParts)
    NVVM::SyncWarpOp::create(b, code.loc, code.constant(~0u));
  else
    barrier();
}

/// Start of an iteration: its slot becomes readable, the copies furthest ahead begin.
LogicalResult Lowering::advancePipeline(const Staged &staged, scf::ForOp lowered, Value slot,
                                        Value freeSlot) {
  Value ahead = lowered.getInductionVar();
  if (staged.stages == 1) {
    meet(staged);
    issueCopies(staged.loads, ahead, slot);
    NVVM::CpAsyncCommitGroupOp::create(b, code.loc);
    NVVM::CpAsyncWaitGroupOp::create(b, code.loc, 0);
    meet(staged);
  } else {
    NVVM::CpAsyncWaitGroupOp::create(b, code.loc, staged.stages - 2);
    meet(staged);
    for (int64_t i = 0; i < staged.ahead(); ++i)
      ahead = code.add(ahead, lowered.getStep());
    code.when(code.less(ahead, lowered.getUpperBound()),
              [&] { issueCopies(staged.loads, ahead, freeSlot); });
    NVVM::CpAsyncCommitGroupOp::create(b, code.loc);
  }
  for (tile::LoadOp load : staged.loads)
    if (failed(bindStaged(load, slot)))
      return failure();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Branches
//===------------------------------------------------------------------------------------------===//

LogicalResult Lowering::lowerIf(scf::IfOp branch) {
  bool failed = false;
  const Hazards before = hazards;
  Hazards afterThen;
  auto side = [&](Block *block) -> SmallVector<Value> {
    if (!block)
      return {};
    failed |= mlir::failed(lower(*block));
    return failed ? SmallVector<Value>() : flatten(block->getTerminator()->getOperands());
  };
  Value condition = scalars.lookup(branch.getCondition());
  SmallVector<Value> results = code.choose(
      condition, [&] { return side(branch.thenBlock()); },
      [&] {
        afterThen = hazards;
        hazards = before;
        return side(branch.elseBlock());
      });
  merge(afterThen);
  if (failed)
    return failure();
  return bind(branch.getResults(), results);
}
