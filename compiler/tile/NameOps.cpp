//===- NameOps.cpp - which ced op a tile op is there for --------------------------------------------------===//

#include "compiler/tile/NameOps.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cedilla;

namespace {
/// Positions of ops in the problem's body; -1: not known.
struct Uses {
  int64_t read = -1, written = -1;
};

class Namer {
public:
  Namer(sched::KernelOp problem, tile::KernelOp built, const Limits &limits) : problem(problem), built(built) {
    for (Operation &op : problem.getBody().front().without_terminator())
      ops.push_back(&op);
    listMemory(limits);
  }
  void run();

private:
  int64_t positionOf(Operation *op) const { return llvm::find(ops, op) - ops.begin(); }
  void listMemory(const Limits &limits);
  const Uses *usesOf(Value memory);
  int64_t find(Operation *op);
  void setName(Operation *op, StringRef name) { op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc())); }

  sched::KernelOp problem;
  tile::KernelOp built;
  SmallVector<Operation *> ops;
  SmallVector<Uses> memory; ///< per memory argument
  llvm::DenseMap<Operation *, int64_t> place;
};
} // namespace

/// In the order of getMemoryArguments.
void Namer::listMemory(const Limits &limits) {
  Block &body = problem.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    Uses uses;
    for (Operation *user : argument.getUsers())
      if (int64_t position = positionOf(user); position < int64_t(ops.size())) {
        uses.read = uses.read < 0 ? position : std::min(uses.read, position);
        uses.written = std::max(uses.written, position);
      }
    memory.append(getParts(argument.getType(), limits).size(), uses);
  }
  for (Value result : body.getTerminator()->getOperands())
    if (!isCache(result.getType()) && result.getDefiningOp()) {
      int64_t position = positionOf(result.getDefiningOp());
      memory.append(getParts(result.getType(), limits).size(), Uses{position, position});
    }
}

/// Memory of the family's own, behind the others, is there for no op.
const Uses *Namer::usesOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool known = argument && argument.getOwner() == &built.getBody().front() && argument.getArgNumber() < memory.size();
  return known ? &memory[argument.getArgNumber()] : nullptr;
}

int64_t Namer::find(Operation *op) {
  int64_t found = -1;
  for (Value operand : op->getOperands()) {
    if (const Uses *uses = usesOf(operand))
      found = std::max(found, isa<tile::StoreOp, tile::ScatterOp>(op) ? uses->written : uses->read);
    else if (Operation *producer = operand.getDefiningOp())
      found = std::max(found, place.lookup_or(producer, -1));
    else if (Operation *parent = cast<BlockArgument>(operand).getOwner()->getParentOp(); parent != built)
      for (Value outside : parent->getOperands()) // what a loop carries
        if (Operation *producer = outside.getDefiningOp())
          found = std::max(found, place.lookup_or(producer, -1));
  }
  op->walk([&](Operation *inside) { found = std::max(found, place.lookup_or(inside, -1)); });
  return found;
}

void Namer::run() {
  SmallVector<Operation *> order;
  built.getBody().walk([&](Operation *op) { order.push_back(op); }); // what is inside first
  for (Operation *op : order)
    place[op] = find(op);
  // Addresses and constants are there for whom they are computed for.
  for (Operation *op : llvm::reverse(order))
    if (int64_t &own = place[op]; own < 0)
      for (Operation *user : op->getUsers())
        if (int64_t other = place.lookup_or(user, -1); other >= 0)
          own = own < 0 ? other : std::min(own, other);
  for (Operation *op : order)
    if (place[op] >= 0)
      setName(op, ops[place[op]]->getName().getStringRef());
  setName(built, llvm::join(llvm::map_range(ops, [](Operation *op) { return op->getName().getStringRef(); }), ", "));
}

void cedilla::nameOps(sched::KernelOp problem, tile::KernelOp built, const Limits &limits) { Namer(problem, built, limits).run(); }
