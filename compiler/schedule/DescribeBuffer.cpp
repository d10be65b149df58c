//===- DescribeBuffer.cpp - what a buffer holds, for whoever checks it at run time -----------------===//

#include "compiler/schedule/DescribeBuffer.h"

#include "dialects/ced/Ced.h"
#include "dialects/ced/ValueNames.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cedilla {

namespace {
/// Fields of HoldsInfo by name.
using Facts = SmallVector<std::pair<StringRef, int64_t>>;
struct Holds {
  StringRef what; ///< empty: nothing that anybody indexes with
  Facts facts;
};
} // namespace

static Holds holdsOf(OpResult value) {
  return llvm::TypeSwitch<Operation *, Holds>(value.getOwner())
      .Case([](ced::TopkOp op) -> Holds { return {"entries", {{"ratio", op.getRatio()}}}; })
      .Case([](ced::CandidateBlocksOp op) -> Holds {
        return {"blocks", {{"ratio", op.getRatio()}, {"block", op.getBlockSize()}}};
      })
      .Case([&](ced::RouteOp op) -> Holds {
        if (value.getResultNumber() != 0)
          return {};
        return {"experts", {{"count", cast<RankedTensorType>(op.getLogits().getType()).getDimSize(1)}}};
      })
      .Case([](ced::CombineListsOp op) -> Holds {
        return {"places", {{"window", op.getWindow()}, {"ring", op.getRing()}, {"ratio", op.getRatio().value_or(0)}}};
      })
      .Case([&](ced::EngramRowsOp) -> Holds {
        return value.getResultNumber() == 0 ? Holds{"table_rows", {}} : Holds{};
      })
      .Default([](Operation *) { return Holds{}; });
}

void describeBuffer(sched::BufferOp buffer, Value value, unsigned part) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return;
  Builder b(buffer.getContext());
  if (StringRef op = ced::getName(result.getOwner()); !op.empty())
    buffer->setAttr(valueAttr, b.getStringAttr(ced::valueName(op, result.getResultNumber()) + (part ? ced::scalesSuffix : "")));
  Holds holds = holdsOf(result);
  if (holds.what.empty())
    return;
  SmallVector<NamedAttribute> facts = {b.getNamedAttr("what", b.getStringAttr(holds.what))};
  for (auto [name, number] : holds.facts)
    facts.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(number)));
  buffer->setAttr(holdsAttr, b.getDictionaryAttr(facts));
}

} // namespace cedilla
