//===- Group.cpp - ops into a ced.group and out of it -------------------------------------------===//

#include "compiler/fuse/Group.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cedilla;

ced::GroupOp cedilla::formGroup(ArrayRef<Operation *> ops, StringRef kernel) {
  llvm::SetVector<Value> inputs, outputs;
  auto isInside = [&](Operation *op) { return op && llvm::is_contained(ops, op); };
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (!isInside(operand.getDefiningOp()))
        inputs.insert(operand);
    bool all = !isa<ced::GroupOp>(op) && op->getNumResults() > 1;
    for (Value result : op->getResults())
      if (all || llvm::any_of(result.getUsers(), [&](Operation *user) { return !isInside(user); }))
        outputs.insert(result);
  }

  OpBuilder b(ops.front());
  SmallVector<Location> locations = llvm::map_to_vector(ops, [](Operation *op) { return op->getLoc(); });
  SmallVector<Type> types = llvm::map_to_vector(outputs, [](Value v) { return v.getType(); });
  auto group = ced::GroupOp::create(b, b.getFusedLoc(locations), types, kernel, inputs.getArrayRef());
  Block *body = b.createBlock(&group.getBody());
  IRMapping map;
  for (Value input : inputs)
    map.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation *op : ops)
    b.clone(*op, map);
  ced::YieldOp::create(b, group.getLoc(), llvm::map_to_vector(outputs, [&](Value v) { return map.lookup(v); }));

  for (auto [output, result] : llvm::zip(outputs, group.getOutputs())) {
    Value value = output;
    value.replaceAllUsesWith(result);
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return group;
}

SmallVector<Operation *> cedilla::dissolve(ced::GroupOp group) {
  Block &body = group.getBody().front();
  for (auto [argument, input] : llvm::zip(body.getArguments(), group.getInputs()))
    argument.replaceAllUsesWith(input);
  for (auto [output, yielded] : llvm::zip(group.getOutputs(), body.getTerminator()->getOperands()))
    output.replaceAllUsesWith(yielded);
  SmallVector<Operation *> ops = llvm::map_to_vector(body.without_terminator(), [](Operation &op) { return &op; });
  for (Operation *op : ops)
    op->moveBefore(group);
  group.erase();
  return ops;
}
