//===- KernelCost.cpp - what a kernel of one phase does to its memory arguments -------------------------===//

#include "compiler/cost/KernelCost.h"

#include "compiler/cost/OpWork.h"

using namespace mlir;

namespace cedilla {

static double bytesOf(MemRefType type, int64_t skip) {
  double bytes = double((type.getElementTypeBitWidth() + 7) / 8);
  for (int64_t dim : type.getShape().drop_front(skip))
    bytes *= double(dim);
  return bytes;
}

/// Bytes of a touch in one part of a value.
static Amount bytesOf(const Touch &touch, MemRefType part) {
  Amount amount;
  if (touch.count > 0)
    amount.add({touch.unit, touch.a, touch.b, touch.count * bytesOf(part, touch.skip)});
  return amount;
}

namespace {
/// First memory argument of each input and result; caches among the results lie where an input does.
struct Places {
  DenseMap<Value, unsigned> inputs;
  unsigned results = 0;
};
} // namespace

static void readInputs(KernelWork &work, Places &places, Operation &op, const OpWork &rules, const Limits &limits) {
  for (auto [number, operand] : llvm::enumerate(op.getOperands())) {
    auto found = places.inputs.find(operand);
    if (found == places.inputs.end())
      continue;
    for (auto [part, type] : llvm::enumerate(getParts(operand.getType(), limits)))
      work.accesses[found->second + part].read.unite(bytesOf(rules.reads[number], type));
  }
}

/// A cache that the op returns is written where it came from.
static void writeCaches(KernelWork &work, Places &places, Operation &op, const OpWork &rules, const Limits &limits) {
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    if (!isCache(result.getType()))
      continue;
    BlockArgument source = findCacheInput(result);
    if (!source)
      continue;
    for (auto [part, type] : llvm::enumerate(getParts(result.getType(), limits)))
      work.accesses[places.inputs.lookup(source) + part].written.unite(bytesOf(rules.writes[number], type));
  }
}

static void writeResults(KernelWork &work, sched::KernelOp kernel, unsigned first, const Limits &limits) {
  for (Value result : kernel.getBody().front().getTerminator()->getOperands()) {
    if (isCache(result.getType()))
      continue;
    Operation *op = result.getDefiningOp();
    for (MemRefType type : getParts(result.getType(), limits)) {
      if (op)
        work.accesses[first].written = bytesOf(workOf(op, limits).writes[cast<OpResult>(result).getResultNumber()], type);
      ++first;
    }
  }
}

KernelWork workOf(sched::KernelOp kernel, ArrayRef<MemRefType> scratch, const Limits &limits) {
  KernelWork work;
  Places places;
  Block &body = kernel.getBody().front();
  unsigned next = 0;
  for (BlockArgument input : body.getArguments()) {
    places.inputs[input] = next;
    next += getParts(input.getType(), limits).size();
  }
  unsigned arguments = getMemoryArguments(kernel, limits).size();
  work.accesses.resize(arguments + scratch.size());
  double pieces = -1;
  for (Operation &op : body.without_terminator()) {
    OpWork rules = workOf(&op, limits);
    readInputs(work, places, op, rules, limits);
    writeCaches(work, places, op, rules, limits);
    if (!rules.flops.isZero())
      work.flops[rules.format.str()].add(rules.flops);
    pieces = pieces < 0 ? rules.pieces : std::min(pieces, rules.pieces);
  }
  writeResults(work, kernel, next, limits);
  for (auto [number, type] : llvm::enumerate(scratch)) {
    bool rows = type.getRank() > 0 && type.isDynamicDim(0);
    Touch whole = rows ? Touch{Unit::Rows, 0, 0, 1, 1} : Touch{Unit::One, 0, 0, 1, 0};
    work.accesses[arguments + number].written = bytesOf(whole, type);
    work.accesses[arguments + number].read = bytesOf(whole, type);
  }
  work.pieces = int64_t(std::max(pieces, 0.0));
  return work;
}

} // namespace cedilla
