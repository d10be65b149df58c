//===- Interpreter.cpp - evaluates a function of ced ops -----------------------------------------------===//

#include "dialects/ced/reference/Interpreter.h"
#include "runtime/base/Error.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace cedilla::reference {

//===------------------------------------------------------------------------------------------===//
// Frame
//===------------------------------------------------------------------------------------------===//

/// "result 0 of ced.linear", "argument 3".
static std::string nameOf(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return "result " + std::to_string(result.getResultNumber()) + " of " +
           result.getOwner()->getName().getStringRef().str();
  return "argument " + std::to_string(cast<BlockArgument>(value).getArgNumber());
}

void Frame::set(Value value, HostValue data) {
  if (std::string reason = mismatch(value.getType(), data); !reason.empty())
    fail(Err::Interpreter, nameOf(value), ": ", reason);
  int64_t uses = std::distance(value.use_begin(), value.use_end());
  if (uses > 0)
    values.insert_or_assign(value, Slot{std::move(data), uses});
}

const HostValue &Frame::at(Value value) const {
  auto it = values.find(value);
  if (it == values.end())
    failInternal(nameOf(value), ": used before it was computed");
  return it->second.data;
}

HostValue Frame::take(Value value) {
  auto it = values.find(value);
  if (it != values.end() && it->second.usesLeft == 1)
    return std::move(it->second.data);
  return at(value);
}

void Frame::release(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto it = values.find(operand);
    if (it != values.end() && --it->second.usesLeft == 0)
      values.erase(it);
  }
}

std::vector<HostValue> Frame::run(Block &block) {
  for (Operation &op : block.without_terminator()) {
    auto it = evaluators().find(op.getName().getStringRef());
    if (it == evaluators().end())
      fail(Err::Interpreter, "the reference interpreter has no evaluation of '", op.getName().getStringRef().str(), "'");
    it->second(&op, *this);
    if (environment.after)
      environment.after(&op, *this);
    release(&op);
  }
  std::vector<HostValue> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(at(value));
  return results;
}

//===------------------------------------------------------------------------------------------===//
// Functions
//===------------------------------------------------------------------------------------------===//

std::vector<HostValue> interpret(func::FuncOp function, std::vector<HostValue> arguments,
                                 const Environment &environment) {
  std::string name = function.getName().str();
  if (function.isExternal() || !function.getBody().hasOneBlock())
    fail(Err::Interpreter, "@", name, ": expected a function of one block");
  if (arguments.size() != function.getNumArguments())
    fail(Err::Interpreter, "@", name, ": expected ", function.getNumArguments(), " arguments, got ",
         arguments.size());
  Frame frame(environment);
  for (auto [argument, data] : llvm::zip_equal(function.getArguments(), arguments))
    frame.set(argument, std::move(data));
  return frame.run(function.getBody().front());
}

} // namespace cedilla::reference
