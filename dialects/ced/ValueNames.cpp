//===- ValueNames.cpp - one name for a value, whatever becomes of its op ---------------------------===//

#include "dialects/ced/ValueNames.h"

#include "dialects/ced/Ced.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace cedilla::ced {

static constexpr StringLiteral prefix = "ced:";

std::vector<std::pair<Operation *, std::string>> nameOps(func::FuncOp function) {
  std::vector<std::pair<Operation *, std::string>> named;
  if (function.isExternal())
    return named;
  llvm::StringMap<int64_t> counts;
  int64_t layer = 0;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (auto mark = dyn_cast<MarkOp>(op); mark && mark.getName() == "stream") {
      layer = mark.getLayer() + 1;
      counts.clear();
    }
    if (isa<WeightOp, MarkOp, ReshapeOp>(op))
      continue;
    StringRef kind = op.getName().stripDialect();
    named.emplace_back(&op, (Twine(layer) + "." + kind + "." + Twine(counts[kind]++)).str());
  }
  return named;
}

void setName(Operation *op, StringRef name) {
  op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), prefix + name), op->getLoc()));
}

/// Attention in steps ends in an op of another kind.
static bool computes(Operation *op, StringRef kind) {
  return op->getName().stripDialect() == kind || (isa<AttendOp>(op) && kind == AttentionOp::getOperationName().drop_front(4));
}

StringRef getName(Operation *op) {
  auto location = dyn_cast<NameLoc>(op->getLoc());
  StringRef name = location ? location.getName().getValue() : StringRef();
  if (!name.consume_front(prefix) || !computes(op, name.split('.').second.split('.').first))
    return {};
  return name;
}

std::string valueName(StringRef op, unsigned result) {
  return result ? (op + ":" + Twine(result)).str() : op.str();
}

} // namespace cedilla::ced
