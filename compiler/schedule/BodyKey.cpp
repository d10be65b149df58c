//===- BodyKey.cpp - when are two groups one kernel? ----------------------------------------------===//

#include "compiler/schedule/BodyKey.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace cedilla;

namespace {
class Writer {
public:
  explicit Writer(std::string &key) : key(key) {}

  void add(Block &block);

private:
  void add(Operation &op);
  void add(uintptr_t word) { key.append(reinterpret_cast<const char *>(&word), sizeof word); }
  void add(const void *pointer) { add(reinterpret_cast<uintptr_t>(pointer)); }
  void define(Value value) {
    add(value.getType().getAsOpaquePointer());
    numbers.try_emplace(value, numbers.size() + 1);
  }

  std::string &key;
  DenseMap<Value, uintptr_t> numbers; ///< from 1; a value from outside would have 0
};
} // namespace

void Writer::add(Block &block) {
  add(block.getNumArguments());
  for (BlockArgument argument : block.getArguments())
    define(argument);
  for (Operation &op : block)
    add(op);
  add(uintptr_t(0)); // no op's name is there
}

void Writer::add(Operation &op) {
  add(op.getName().getAsOpaquePointer());
  add(op.getAttrDictionary().getAsOpaquePointer());
  add(op.getNumOperands());
  for (Value operand : op.getOperands())
    add(numbers.lookup(operand));
  add(op.getNumResults());
  for (OpResult result : op.getResults())
    define(result);
  add(op.getNumRegions());
  for (Region &region : op.getRegions())
    for (Block &block : region)
      add(block);
}

std::string cedilla::bodyKey(StringRef family, Block &body) {
  std::string key = family.str();
  key.push_back('\0');
  Writer(key).add(body);
  return key;
}
