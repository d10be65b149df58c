//===- CheckArguments.cpp - every kernel gets the memory that it takes -----------------------------------===//
//
// For schedules that were edited: buffers have the types of the kernel's arguments, nothing writes weights or constants,
// nothing is read that the program has not written, and limits are those of the facts.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/schedule/Passes.h"
#include "compiler/schedule/SameModel.h"
#include "compiler/import/BuildGraph.h"
#include "dialects/sched/Sched.h"
#include "kernels-gen/common/Family.h"

namespace cedilla {
#define GEN_PASS_DEF_SCHEDCHECKARGUMENTS
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

namespace {
struct Argument {
  MemRefType type;
  bool written;
};
} // namespace

/// As getMemoryArguments, with the kernel's own scratch.
static SmallVector<Argument> argumentsOf(sched::KernelOp kernel, const Limits &limits) {
  Block &body = kernel.getBody().front();
  SmallVector<Argument> arguments;
  llvm::SmallDenseSet<Value> caches;
  for (Value result : body.getTerminator()->getOperands())
    if (isCache(result.getType()))
      caches.insert(findCacheInput(result));
  for (BlockArgument argument : body.getArguments())
    for (MemRefType type : getParts(argument.getType(), limits))
      arguments.push_back({type, caches.contains(argument)});
  for (Value result : body.getTerminator()->getOperands())
    if (!isCache(result.getType()))
      for (MemRefType type : getParts(result.getType(), limits))
        arguments.push_back({type, true});
  if (const Family *family = findFamily(kernel.getFamily()))
    for (MemRefType type : family->scratch(body, limits))
      arguments.push_back({type, true});
  return arguments;
}

/// Reshapes are free: what counts is the element, whether there is a row for each of the step's, and how much.
static bool sameMemory(MemRefType a, MemRefType b) {
  auto count = [](MemRefType type) {
    uint64_t values = 1;
    for (int64_t dim : type.getShape())
      values = llvm::SaturatingMultiply<uint64_t>(values, ShapedType::isDynamic(dim) ? 1 : dim);
    return values;
  };
  auto byRow = [](MemRefType type) { return type.getRank() > 0 && type.isDynamicDim(0); };
  return a.getElementType() == b.getElementType() && byRow(a) == byRow(b) && count(a) == count(b);
}

/// `numbers`: the places in the dispatch's list.
static LogicalResult check(sched::DispatchOp dispatch, sched::KernelOp kernel, ArrayRef<int64_t> numbers, const Limits &limits,
                           const SymbolTable &symbols) {
  SmallVector<Argument> arguments = argumentsOf(kernel, limits);
  if (arguments.size() != numbers.size())
    return dispatch.emitOpError("'") << dispatch.getWhat() << "': kernel '" << kernel.getSymName() << "' takes " << arguments.size()
                                     << " buffers, got " << numbers.size();
  for (auto [number, argument] : llvm::zip(numbers, arguments)) {
    if (number >= int64_t(dispatch.getBuffers().size()))
      return dispatch.emitOpError("'") << dispatch.getWhat() << "': expected at least " << number + 1 << " buffers, got "
                                       << dispatch.getBuffers().size();
    auto name = cast<FlatSymbolRefAttr>(dispatch.getBuffers()[number]);
    auto buffer = symbols.lookup<sched::BufferOp>(name.getValue());
    if (!buffer)
      continue; // the verifier's
    if (!sameMemory(cast<MemRefType>(buffer.getType()), argument.type))
      return dispatch.emitOpError("'") << dispatch.getWhat() << "': argument " << number << ", '" << name.getValue() << "', of kernel '"
                                       << kernel.getSymName() << "': expected " << argument.type << ", got " << buffer.getType();
    if (argument.written && (buffer.getKind() == sched::BufferKind::Weight || buffer.getKind() == sched::BufferKind::Constant))
      return dispatch.emitOpError("'") << dispatch.getWhat() << "': argument " << number << " of kernel '" << kernel.getSymName()
                                       << "' is written, and '" << name.getValue() << "' is a "
                                       << sched::stringifyBufferKind(buffer.getKind());
  }
  return success();
}

static LogicalResult check(sched::DispatchOp dispatch, const SymbolTable &symbols, const Limits &limits) {
  Operation *callee = symbols.lookup(dispatch.getKernel());
  if (auto kernel = dyn_cast_or_null<sched::KernelOp>(callee))
    return check(dispatch, kernel, llvm::to_vector(llvm::seq<int64_t>(0, dispatch.getBuffers().size())), limits, symbols);
  if (auto phases = dyn_cast_or_null<sched::PhasesOp>(callee))
    for (auto [name, numbers] : llvm::zip(phases.getKernels().getAsRange<FlatSymbolRefAttr>(),
                                          phases.getArguments().getAsRange<DenseI64ArrayAttr>()))
      if (auto kernel = symbols.lookup<sched::KernelOp>(name.getValue());
          kernel && failed(check(dispatch, kernel, numbers.asArrayRef(), limits, symbols)))
        return failure();
  return success();
}

static LogicalResult checkLimits(ModuleOp module, const Limits &limits) {
  if (!module->hasAttr(kFactsAttr)) // a test's
    return success();
  ModelFacts facts = factsOf(module);
  for (auto [name, limit, fact] : {std::tuple("max_rows", limits.maxRows, facts.maxRows),
                                   {"max_batch", limits.maxBatch, facts.maxBatch},
                                   {"max_context", limits.maxContext, facts.maxContext}, {"page", limits.page, facts.page}})
    if (limit != fact)
      return module.emitError("sched.limits: expected '") << name << "' to be the facts' " << fact << ", got " << limit;
  auto pages = module.lookupSymbol<sched::BufferOp>("pages");
  auto wanted = MemRefType::get({limits.maxBatch, limits.pagesPerSlot()}, IntegerType::get(module.getContext(), 32));
  if (pages && pages.getType() != wanted)
    return pages.emitOpError("expected a page table of ") << wanted << " for the limits, got " << pages.getType();
  return success();
}

namespace {
struct CheckArguments : cedilla::impl::SchedCheckArgumentsBase<CheckArguments> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    if (failed(limits) || failed(checkLimits(module, *limits)))
      return signalPassFailure();
    SymbolTable symbols(module); // thousands of buffers, each named by many
    WalkResult checked = module.walk([&](sched::DispatchOp dispatch) {
      return failed(check(dispatch, symbols, *limits)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    if (std::string read = findUnwrittenRead(module, *limits); !read.empty()) {
      module.emitError(read);
      signalPassFailure();
    }
  }
};
} // namespace
