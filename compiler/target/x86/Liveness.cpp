//===- Liveness.cpp - when the tiles of a kernel are needed -----------------------------------===//

#include "compiler/target/x86/Liveness.h"

#include "compiler/target/x86/TileLayout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static bool isTile(Value value) { return isa<tile::TileType>(value.getType()); }

Liveness::Liveness(tile::KernelOp kernel) {
  number(kernel.getBody().front());
  kernel.getBody().front().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tile::MapOp>(op->getParentOp()))
      return WalkResult::skip();
    addOp(*op);
    return WalkResult::advance();
  });
}

void Liveness::number(Block &block) {
  for (Operation &op : block) {
    begin[&op] = next;
    next += 2;
    if (!isa<tile::MapOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          number(inner);
    end[&op] = op.getNumRegions() == 0 || isa<tile::MapOp>(op) ? begin[&op] : next;
    next += 2;
  }
}

/// The life of `tile` within `block` from position `from` on.
void Liveness::addLife(Value tile, Block &block, int64_t from, SmallVector<Interval> &life) {
  Operation *last = nullptr;
  for (Operation *user : tile.getUsers())
    if (Operation *here = block.findAncestorOpInBlock(*user))
      if (!last || last->isBeforeInBlock(here))
        last = here;
  if (!last) {
    life.push_back({from, from});
    return;
  }
  SmallVector<Block *> inner;
  for (Operation *user : tile.getUsers())
    if (user != last && last->isProperAncestor(user))
      for (Region &region : last->getRegions())
        if (region.isAncestor(user->getParentRegion()) &&
            !llvm::is_contained(inner, &region.front()))
          inner.push_back(&region.front());
  if (inner.empty()) {
    life.push_back({from, begin[last]});
    return;
  }
  if (!isa<scf::IfOp>(last)) { // a loop: every iteration needs it
    life.push_back({from, end[last]});
    return;
  }
  life.push_back({from, begin[last]});
  for (Block *branch : inner)
    addLife(tile, *branch, begin[&branch->front()], life);
}

void Liveness::addTile(Value tile, int64_t from, Block &block) {
  order.push_back(tile);
  addLife(tile, block, from, lives[tile]);
}

void Liveness::allowInPlace(Value operand, Value result, int64_t position) {
  inPlace.insert({{operand, result}, position});
}

void Liveness::addOp(Operation &op) {
  Block &block = *op.getBlock();
  for (Value result : op.getResults())
    if (isTile(result))
      addTile(result, end[&op], block);

  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    int64_t yieldAt = begin[loop.getBody()->getTerminator()];
    for (auto [init, carried, yielded, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(),
                   loop.getResults())) {
      if (!isTile(carried))
        continue;
      addTile(carried, begin[&op], *loop.getBody());
      lives[carried].push_back({yieldAt, yieldAt}); // the next iteration's value arrives here
      allowInPlace(init, carried, begin[&op]);
      allowInPlace(yielded, carried, yieldAt);
    }
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      if (region->empty())
        continue;
      Operation *yield = region->front().getTerminator();
      for (auto [yielded, result] : llvm::zip(yield->getOperands(), branch.getResults())) {
        if (!isTile(result))
          continue;
        lives[result].push_back({begin[yield], begin[yield]});
        allowInPlace(yielded, result, begin[yield]);
      }
    }
    return;
  }
  if (auto mma = dyn_cast<tile::MmaOp>(op)) {
    if (mma.getAcc() != mma.getA() && mma.getAcc() != mma.getB())
      allowInPlace(mma.getAcc(), mma.getResult(), begin[&op]);
    return;
  }
  if (auto map = dyn_cast<tile::MapOp>(op))
    for (Value input : map.getInputs())
      for (Value output : map.getOutputs())
        if (input.getType() == output.getType() ||
            TileLayout(cast<tile::TileType>(input.getType()))
                .sameAs(TileLayout(cast<tile::TileType>(output.getType()))))
          allowInPlace(input, output, begin[&op]);
}

bool Liveness::interfere(Value a, Value b) const {
  for (Interval x : lifeOf(a))
    for (Interval y : lifeOf(b)) {
      if (x.end < y.begin || y.end < x.begin)
        continue;
      bool allowed = (x.end == y.begin && inPlace.contains({{a, b}, x.end})) ||
                     (y.end == x.begin && inPlace.contains({{b, a}, y.end}));
      if (!allowed)
        return true;
    }
  return false;
}
