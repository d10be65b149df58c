//===- Ordering.cpp - where the threads of a block must meet
//-----------------------------------===//
//
// A tile body is sequential; threads are not. A barrier is inserted before an op that
//   - reads bytes of shared memory that others may just have written, or writes bytes that others
//     may still be reading;
//   - uses global memory in a way that conflicts with an earlier op of this kernel (one of the two
//     writes, and they may meet in an element).
// Conditions and loop bounds are the same for all threads of a block, so every barrier is met by
// all. At the start of a loop's body everything counts that the iteration before may have done.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

/// What the op in hand reads it may read after this, too.
void Lowering::barrier() {
  code.barrier();
  hazards = {{}, reading, {}};
}

//===------------------------------------------------------------------------------------------===//
// Shared memory
//===------------------------------------------------------------------------------------------===//

static bool meets(ArrayRef<SharedRange> ranges, const SharedRange &range) {
  return llvm::any_of(ranges, [&](const SharedRange &other) { return other.overlaps(range); });
}

void Lowering::writeShared(SharedRange range) {
  if (meets(hazards.read, range) || meets(hazards.written, range))
    barrier();
  hazards.written.push_back(range);
}

void Lowering::readShared(SharedRange range) {
  if (meets(hazards.written, range))
    barrier();
  hazards.read.push_back(range);
}

/// Before an op: afterwards all threads may read its operands, also in branches that not all take.
void Lowering::prepare(Operation *op) {
  reading.clear();
  for (Value operand : op->getOperands())
    if (auto found = tiles.find(operand); found != tiles.end())
      reading.append(found->second.reads);
  bool unseen = llvm::any_of(
      reading, [&](const SharedRange &range) { return meets(hazards.written, range); });
  if (unseen)
    barrier();
  else
    hazards.read.append(reading);
}

//===------------------------------------------------------------------------------------------===//
// Global memory
//===------------------------------------------------------------------------------------------===//

static SmallVector<GlobalUse> usesOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<GlobalUse>>(op)
      .Case<tile::LoadOp, tile::GatherOp>([](auto each) {
        return SmallVector<GlobalUse>{{each.getMemory(), false, each}};
      })
      .Case<tile::StoreOp, tile::ScatterOp>([](auto each) {
        return SmallVector<GlobalUse>{{each.getMemory(), true, each}};
      })
      .Case([](tile::SelectTopkOp each) {
        return SmallVector<GlobalUse>{{each.getScores(), false, each}, {each.getOut(), true, each}};
      })
      .Default([](Operation *) { return SmallVector<GlobalUse>(); });
}

namespace {
/// The dims of an access: offsets and how far it reaches from there; 0: unknown.
struct Box {
  SmallVector<Value> offsets;
  SmallVector<int64_t> extents;
};
} // namespace

static Box boxOf(Operation *op) {
  Box box;
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::LoadOp, tile::StoreOp, tile::GatherOp, tile::ScatterOp>([&](auto each) {
        auto memory = cast<MemRefType>(each.getMemory().getType());
        tile::MemoryDims dims = tile::getMemoryDims(memory, each.getDims());
        tile::TileType tile;
        if constexpr (requires { each.getValue(); })
          tile = each.getValue().getType();
        else
          tile = each.getResult().getType();
        box.offsets = SmallVector<Value>(each.getOffsets());
        box.extents.assign(memory.getRank(), 1);
        if (dims.rows >= 0)
          box.extents[dims.rows] =
              isa<tile::GatherOp, tile::ScatterOp>(each.getOperation()) ? 0 : tile.getRows();
        if (dims.cols >= 0)
          box.extents[dims.cols] = tile.getCols();
      });
  return box;
}

/// The range of a dim where it is known and stays inside the dim.
static std::optional<SharedRange> knownRange(const Box &box, int64_t dim, int64_t size) {
  APInt begin;
  if (box.extents[dim] == 0 || !matchPattern(box.offsets[dim], m_ConstantInt(&begin)))
    return std::nullopt;
  SharedRange range{begin.getSExtValue(), begin.getSExtValue() + box.extents[dim]};
  if (range.begin < 0 || range.end > size)
    return std::nullopt;
  return range;
}

/// Whether two accesses to one memory certainly have no element in common: from some dim inwards
/// both stay inside known ranges, and there these do not meet.
static bool areApart(MemRefType memory, Operation *x, Operation *y) {
  Box a = boxOf(x), b = boxOf(y);
  if (a.offsets.empty() || b.offsets.empty())
    return false;
  for (int64_t dim = memory.getRank() - 1; dim >= 1; --dim) {
    auto inA = knownRange(a, dim, memory.getDimSize(dim));
    auto inB = knownRange(b, dim, memory.getDimSize(dim));
    if (!inA || !inB)
      return false;
    if (!inA->overlaps(*inB))
      return true;
  }
  return false;
}

/// Whether the op's place moves on by at least its own extent from iteration to iteration.
static bool advances(Operation *op, scf::ForOp loop) {
  Box box = boxOf(op);
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return false;
  for (auto [offset, extent] : llvm::zip(box.offsets, box.extents)) {
    Value moving = offset;
    if (auto add = offset.getDefiningOp<arith::AddIOp>()) {
      if (loop.isDefinedOutsideOfLoop(add.getLhs()))
        moving = add.getRhs();
      else if (loop.isDefinedOutsideOfLoop(add.getRhs()))
        moving = add.getLhs();
    }
    if (moving == loop.getInductionVar() && extent > 0 && step.getSExtValue() >= extent)
      return true;
  }
  return false;
}

static bool conflict(const GlobalUse &earlier, const GlobalUse &later) {
  if (earlier.memory != later.memory || !(earlier.writes || later.writes))
    return false;
  if (earlier.before && earlier.op == later.op && advances(later.op, earlier.before))
    return false;
  return !areApart(cast<MemRefType>(later.memory.getType()), earlier.op, later.op);
}

static bool conflict(ArrayRef<GlobalUse> earlier, ArrayRef<GlobalUse> later) {
  return llvm::any_of(later, [&](const GlobalUse &use) {
    return llvm::any_of(earlier, [&](const GlobalUse &other) { return conflict(other, use); });
  });
}

void Lowering::orderGlobal(Operation *op) {
  SmallVector<GlobalUse> uses = usesOf(op);
  if (conflict(hazards.uses, uses))
    barrier();
  hazards.uses.append(uses);
}

//===------------------------------------------------------------------------------------------===//
// Loops and branches
//===------------------------------------------------------------------------------------------===//

static SmallVector<GlobalUse> usesInside(scf::ForOp loop) {
  SmallVector<GlobalUse> uses;
  loop.getBody()->walk([&](Operation *op) { uses.append(usesOf(op)); });
  return uses;
}

/// Before a loop: what its body would otherwise wait for in every iteration.
void Lowering::enterLoop(scf::ForOp loop) {
  if (!hazards.written.empty() || conflict(hazards.uses, usesInside(loop)))
    barrier();
}

/// Start of the body: what the iteration before has done.
void Lowering::enterBody(scf::ForOp loop) {
  bool touches = false;
  loop.getBody()->walk([&](Operation *op) {
    touches |= op->hasAttr(scratchAttr) || op->hasAttr(stagingAttr);
    for (Value operand : op->getOperands())
      if (isa<tile::TileType>(operand.getType()) && tiles.contains(operand))
        touches |= !tiles[operand].reads.empty();
  });
  if (touches)
    hazards.read.push_back({0, std::numeric_limits<int64_t>::max()});
  for (GlobalUse use : usesInside(loop)) {
    use.before = loop;
    hazards.uses.push_back(use);
  }
}

/// Behind a loop or a branch: either may have happened.
void Lowering::merge(const Hazards &other) {
  hazards.written.append(other.written);
  hazards.read.append(other.read);
  hazards.uses.append(other.uses);
}
