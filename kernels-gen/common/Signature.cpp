//===- Signature.cpp - how ced values become memory arguments ---------------------------------------===//

#include "kernels-gen/common/Signature.h"

#include "dialects/ced/Ced.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cedilla {

static constexpr llvm::StringLiteral limitsName = "sched.limits";

void setLimits(ModuleOp module, const Limits &limits) {
  Builder b(module.getContext());
  module->setAttr(limitsName, b.getDictionaryAttr({
                                  b.getNamedAttr("max_rows", b.getI64IntegerAttr(limits.maxRows)),
                                  b.getNamedAttr("max_batch", b.getI64IntegerAttr(limits.maxBatch)),
                                  b.getNamedAttr("max_context", b.getI64IntegerAttr(limits.maxContext)),
                                  b.getNamedAttr("page", b.getI64IntegerAttr(limits.page)),
                              }));
}

FailureOr<Limits> getLimits(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto dict = module->getAttrOfType<DictionaryAttr>(limitsName);
  auto read = [&](StringRef name, int64_t &out) {
    auto attr = dict ? dict.getAs<IntegerAttr>(name) : IntegerAttr();
    if (attr)
      out = attr.getInt();
    return bool(attr) && out > 0;
  };
  Limits limits;
  if (!read("max_rows", limits.maxRows) || !read("max_batch", limits.maxBatch) ||
      !read("max_context", limits.maxContext) || !read("page", limits.page)) {
    module.emitError("expected attribute '")
        << limitsName << "' with positive max_rows, max_batch, max_context and page";
    return failure();
  }
  return limits;
}

bool isCache(Type type) { return isa<ced::WindowType, ced::PagedType, ced::StateType>(type); }

static MemRefType bytes(MLIRContext *context, ArrayRef<int64_t> shape) {
  return MemRefType::get(shape, IntegerType::get(context, 8));
}

SmallVector<MemRefType> getParts(Type type, const Limits &limits) {
  MLIRContext *context = type.getContext();
  using Parts = SmallVector<MemRefType>;
  return llvm::TypeSwitch<Type, Parts>(type)
      .Case([&](RankedTensorType t) -> Parts {
        return {MemRefType::get(t.getShape(), t.getElementType())};
      })
      .Case([&](ced::ScaledType t) -> Parts {
        return {bytes(context, t.getCodeShape()), bytes(context, t.getScaleShape())};
      })
      .Case([&](ced::IndexSetType t) -> Parts {
        return {MemRefType::get({ShapedType::kDynamic, t.getK()}, IntegerType::get(context, 32))};
      })
      .Case([&](ced::WindowType t) -> Parts {
        return {bytes(context, {limits.maxBatch, t.getSize() + t.getSlack(), t.getRow().getBytesPerRow()})};
      })
      .Case([&](ced::PagedType t) -> Parts {
        return {bytes(context, {limits.maxBatch * limits.pagesPerSlot(), t.getPage() / t.getRatio(),
                                t.getRow().getBytesPerRow()})};
      })
      .Case([&](ced::StateType t) -> Parts {
        SmallVector<int64_t> shape{limits.maxBatch};
        llvm::append_range(shape, t.getShape());
        return {MemRefType::get(shape, t.getElement())};
      });
}

BlockArgument findCacheInput(Value result) {
  while (result) {
    if (auto argument = dyn_cast<BlockArgument>(result))
      return argument;
    Value next;
    for (Value operand : result.getDefiningOp()->getOperands())
      if (operand.getType() == result.getType())
        next = operand;
    result = next;
  }
  return {};
}

SmallVector<MemRefType> getMemoryArguments(sched::KernelOp kernel, const Limits &limits) {
  SmallVector<MemRefType> types;
  for (BlockArgument input : kernel.getBody().getArguments())
    llvm::append_range(types, getParts(input.getType(), limits));
  for (Value result : kernel.getBody().front().getTerminator()->getOperands())
    if (!isCache(result.getType()))
      llvm::append_range(types, getParts(result.getType(), limits));
  return types;
}

} // namespace cedilla
