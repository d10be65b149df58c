//===- ConvertCedToSched.cpp - functions of groups become programs of dispatches ------------------===//
//
// Expects groups, weights, marks and reshapes only. Leaves buffers, kernels (one for equal bodies) and
// one program per function. A ced value is a list of buffers, one per part (Signature.h). A group of
// groups becomes a kernel of phases.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/BuildGraph.h"
#include "compiler/schedule/BodyKey.h"
#include "compiler/schedule/DescribeBuffer.h"
#include "compiler/schedule/Passes.h"
#include "dialects/ced/Stacked.h"
#include "kernels-gen/common/Family.h"
#include "kernels-gen/common/Signature.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace cedilla {
#define GEN_PASS_DEF_CONVERTCEDTOSCHED
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

/// On a weight's sched.buffer: dispatches look up rows by number and do nothing else with it.
static constexpr StringLiteral byRowAttr = "sched.by_row";

namespace {
using Buffers = SmallVector<Attribute, 2>;

/// A kernel and what it is called with.
struct Call {
  std::string kernel;
  Buffers buffers;
  std::string what; ///< names of the ops
};

/// Inputs of a step, in the order of the function's first arguments. Others are known by their names.
constexpr StringLiteral inputNames[] = {"tokens", "kinds", "positions", "slots", "starts", "pages"};
constexpr StringLiteral logitsName = "logits";

class Converter {
public:
  Converter(ModuleOp module, Limits limits, bool keepMisses, bool costsOnly)
      : module(module), limits(limits), keepMisses(keepMisses), costsOnly(costsOnly), top(module.getContext()), context(module.getContext()) {}

  LogicalResult convert(func::FuncOp func);

private:
  sched::BufferOp makeBufferOp(Location loc, StringRef name, sched::BufferKind kind, MemRefType type, bool paged = false);
  Attribute makeBuffer(Location loc, StringRef name, sched::BufferKind kind, MemRefType type, bool paged = false) {
    return FlatSymbolRefAttr::get(makeBufferOp(loc, name, kind, type, paged).getSymNameAttr());
  }
  LogicalResult bindArguments(func::FuncOp func);
  LogicalResult bindArgument(func::FuncOp func, BlockArgument argument, StringRef name);
  void bindResults(func::FuncOp func);
  LogicalResult checkResults(func::FuncOp func);
  void bindWeight(ced::WeightOp weight);
  LogicalResult convertBody(Block &body, SmallVectorImpl<Call> &calls, bool insidePhases);
  /// `value` lies where `source` does.
  void bindAs(Value value, Value source) {
    Buffers buffers = buffersOf[source]; // a copy: making room for `value` moves the entries
    buffersOf[value] = std::move(buffers);
  }
  FailureOr<Call> makeCall(ced::GroupOp group);
  FailureOr<Call> makePhases(ced::GroupOp group);
  std::string getPhases(Location loc, ArrayRef<Call> calls, Buffers &buffers);
  void convertMark(ced::MarkOp mark, std::optional<int64_t> phase);
  /// Null, with the reason, where the family cannot build the group and misses are kept.
  FailureOr<const Family *> findBuilder(ced::GroupOp group, std::string &reason);
  StringRef getKernel(ced::GroupOp group, StringRef miss);
  LogicalResult checkCacheOrder(ced::GroupOp group, Value oldCache);
  LogicalResult checkInputOrder(ced::GroupOp group, Value input);

  ModuleOp module;
  Limits limits;
  bool keepMisses, costsOnly;
  OpBuilder top;
  MLIRContext *context;
  std::string prefix;      ///< of the program's workspace buffers
  unsigned nextValue = 0;
  OpBuilder *program = nullptr;
  DenseMap<Value, Buffers> buffersOf;
  DenseSet<Value> written;               ///< caches, by their old values
  DenseMap<Value, Value> placeOf;        ///< results that go where an input of the step was: that argument
  Attribute logits;                      ///< of the last program that returned them
  SmallVector<sched::MarkOp> marksInside; ///< of the phases that are being converted
  llvm::StringMap<std::string> kernelOf; ///< by bodyKey, of phases by their text: the kernel's name
  llvm::StringMap<unsigned> familyCount;
  llvm::StringMap<Attribute> named; ///< inputs, states, weights: shared by programs
  llvm::StringMap<sched::BufferOp> weights;
  int64_t layer = 0;                ///< being converted: one more than the last finished one
};
} // namespace

sched::BufferOp Converter::makeBufferOp(Location loc, StringRef name, sched::BufferKind kind, MemRefType type, bool paged) {
  auto offset = kind == sched::BufferKind::Workspace ? top.getI64IntegerAttr(0) : IntegerAttr();
  return sched::BufferOp::create(top, loc, name, kind, type, offset, ArrayAttr(), StringAttr(), DenseI64ArrayAttr(),
                                 paged);
}

LogicalResult Converter::bindArguments(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool input = number < std::size(inputNames);
    auto nameAttr = func.getArgAttrOfType<StringAttr>(number, "ced.name");
    if (!input && !nameAttr)
      return func.emitOpError("expected attribute 'ced.name' on argument ") << number;
    StringRef name = input ? StringRef(inputNames[number]) : nameAttr.getValue();
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (input && (!tensor || !tensor.getElementType().isInteger(32)))
      return func.emitOpError("expected argument ")
             << number << " of a program to be '" << name << "', a tensor of i32, got " << argument.getType();
    if (failed(bindArgument(func, argument, name)))
      return failure();
  }
  bindResults(func);
  return success();
}

/// Logits lie where the program before left them; other tensors are inputs, caches are state.
LogicalResult Converter::bindArgument(func::FuncOp func, BlockArgument argument, StringRef name) {
  MemRefType type = getParts(argument.getType(), limits)[0];
  if (name == logitsName) {
    auto buffer = logits ? module.lookupSymbol<sched::BufferOp>(cast<FlatSymbolRefAttr>(logits).getAttr()) : nullptr;
    if (!buffer || buffer.getType() != type)
      return func.emitOpError("expected a function before it that returns '") << name << "' of type " << argument.getType();
    buffersOf[argument] = {logits};
    return success();
  }
  Attribute &buffer = named[name];
  if (!buffer) {
    auto kind = isCache(argument.getType()) ? sched::BufferKind::State : sched::BufferKind::Input;
    buffer = makeBuffer(argument.getLoc(), name, kind, type, isa<ced::PagedType>(argument.getType()));
  }
  buffersOf[argument] = {buffer};
  return success();
}

/// Results with the name of an input take its place: the next step finds them there.
void Converter::bindResults(func::FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    auto name = func.getResultAttrOfType<StringAttr>(number, "ced.name");
    const StringLiteral *input = name ? llvm::find(inputNames, name.getValue()) : std::end(inputNames);
    if (input != std::end(inputNames) && value.getDefiningOp())
      placeOf[value] = func.getArgument(input - std::begin(inputNames));
  }
}

/// What has the name of an input lies there.
LogicalResult Converter::checkResults(func::FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    auto name = func.getResultAttrOfType<StringAttr>(number, "ced.name");
    if (name && llvm::is_contained(inputNames, name.getValue()) &&
        buffersOf[value] != Buffers{named.lookup(name.getValue())})
      return func.emitOpError("expected result ") << number << ", the new '" << name.getValue()
                                                  << "', to be written by a kernel of its own";
  }
  return success();
}

/// The safetensors dtype in which a checkpoint stores an element type.
static StringRef safetensorsDtype(Type type) {
  if (isa<Float8E4M3FNType>(type)) return "F8_E4M3";
  if (isa<Float4E2M1FNType>(type)) return "I8";
  if (isa<Float8E8M0FNUType>(type)) return "F8_E8M0";
  if (type.isBF16()) return "BF16";
  if (type.isF32()) return "F32";
  return type.isInteger(64) ? "I64" : "I32";
}

/// Whether all that is done with a weight is to look up rows by number. Such a table may lie in memory that
/// is slow to read as a whole.
static bool isReadByRow(Value weight) {
  return llvm::all_of(weight.getUses(), [](OpOperand &use) {
    auto group = dyn_cast<ced::GroupOp>(use.getOwner());
    if (!group)
      return false;
    BlockArgument inside = group.getBody().getArgument(use.getOperandNumber());
    return llvm::all_of(inside.getUsers(), [&](Operation *user) {
      if (auto embed = dyn_cast<ced::EmbedOp>(user))
        return embed.getTable() == inside;
      auto lookup = dyn_cast<ced::EngramLookupOp>(user);
      return lookup && lookup.getTable() == inside;
    });
  });
}

void Converter::bindWeight(ced::WeightOp weight) {
  Type type = weight.getResult().getType();
  auto scaled = dyn_cast<ced::ScaledType>(type);
  SmallVector<std::pair<StringRef, Type>> parts;
  if (scaled)
    parts = {{".weight", scaled.getElement()}, {".scale", scaled.getScale()}};
  else
    parts = {{"", cast<RankedTensorType>(type).getElementType()}};

  Buffers buffers;
  size_t toName = costsOnly ? 1 : weight.getNames().size();
  for (auto [part, memory] : llvm::zip(parts, getParts(type, limits))) {
    SmallVector<std::string> tensors;
    for (Attribute name : weight.getNames().getValue().take_front(toName))
      tensors.push_back((cast<StringAttr>(name).getValue() + part.first).str());
    Attribute &buffer = named[tensors.front()];
    if (!buffer) {
      ArrayRef<int64_t> shape = memory.getShape();
      SmallVector<StringRef> refs(tensors.begin(), tensors.end());
      auto made = sched::BufferOp::create(top, weight.getLoc(), tensors.front(), sched::BufferKind::Weight, memory,
                              IntegerAttr(), top.getStrArrayAttr(refs), top.getStringAttr(safetensorsDtype(part.second)),
                              top.getDenseI64ArrayAttr(shape.drop_front(ced::isStacked(weight) ? 1 : 0)), /*paged=*/false);
      buffer = FlatSymbolRefAttr::get(context, tensors.front());
      made->setAttr(byRowAttr, top.getUnitAttr());
      weights[tensors.front()] = made;
    }
    // Shared by programs: one that reads all of it is enough.
    if (!isReadByRow(weight.getResult()))
      weights.lookup(tensors.front())->removeAttr(byRowAttr);
    buffers.push_back(buffer);
  }
  buffersOf[weight.getResult()] = buffers;
}

/// A cache is written in place, so nobody may read the old value afterwards.
LogicalResult Converter::checkCacheOrder(ced::GroupOp group, Value oldCache) {
  for (Operation *user : oldCache.getUsers())
    if (user != group && !user->isBeforeInBlock(group)) {
      auto error = user->emitError("reads a cache after it was written in place");
      error.attachNote(group.getLoc()) << "written here";
      return error;
    }
  return success();
}

/// Nobody may read an input of the step any more once a kernel has written over it; nor may that kernel: its
/// blocks know nothing of each other.
LogicalResult Converter::checkInputOrder(ced::GroupOp group, Value input) {
  for (Operation *user : input.getUsers())
    if (user == group || !user->isBeforeInBlock(group)) {
      auto error = user->emitError("reads an input of the step that is overwritten by then");
      error.attachNote(group.getLoc()) << "written here";
      return error;
    }
  return success();
}

FailureOr<const Family *> Converter::findBuilder(ced::GroupOp group, std::string &reason) {
  const Family *family = findFamily(group.getKernel());
  if (!family)
    return group.emitOpError("expected a kernel family, got '") << group.getKernel() << "'";
  if (family->match(group.getBody().front(), reason))
    return family;
  if (!keepMisses)
    return group.emitOpError("the family '") << group.getKernel() << "' cannot build this group: " << reason;
  return nullptr;
}

StringRef Converter::getKernel(ced::GroupOp group, StringRef miss) {
  Block &body = group.getBody().front();
  std::string &name = kernelOf[bodyKey(group.getKernel(), body)];
  if (name.empty()) {
    name = (group.getKernel() + "_" + Twine(familyCount[group.getKernel()]++)).str();
    auto kernel = sched::KernelOp::create(top, group.getLoc(), name, group.getKernel(), top.getDictionaryAttr({}));
    if (!miss.empty())
      kernel->setAttr(missAttr, top.getStringAttr(miss));
    kernel.getBody().takeBody(group.getBody());
    Operation *yield = kernel.getBody().front().getTerminator();
    OpBuilder b(yield);
    sched::ResultOp::create(b, yield->getLoc(), yield->getOperands());
    yield->erase();
  }
  return name;
}

FailureOr<Call> Converter::makeCall(ced::GroupOp group) {
  if (group.getKernel() == "phases")
    return makePhases(group);
  std::string miss;
  FailureOr<const Family *> family = findBuilder(group, miss);
  if (failed(family))
    return failure();
  Call call;
  for (Value input : group.getInputs())
    llvm::append_range(call.buffers, buffersOf[input]);

  Block &body = group.getBody().front();
  for (auto [result, yielded] : llvm::zip(group.getOutputs(), body.getTerminator()->getOperands())) {
    if (isCache(result.getType())) {
      BlockArgument source = findCacheInput(yielded);
      if (!source)
        return group.emitOpError("expected a cache result to be written into a cache of the inputs");
      Value old = group.getInputs()[source.getArgNumber()];
      if (failed(checkCacheOrder(group, old)))
        return failure();
      written.insert(old);
      bindAs(result, old);
      continue;
    }
    if (Value place = placeOf.lookup(result)) {
      if (failed(checkInputOrder(group, place)))
        return failure();
      bindAs(result, place);
      llvm::append_range(call.buffers, buffersOf[result]);
      continue;
    }
    for (auto [part, type] : llvm::enumerate(getParts(result.getType(), limits))) {
      std::string name = prefix + "_v" + std::to_string(nextValue++);
      sched::BufferOp made = makeBufferOp(group.getLoc(), name, sched::BufferKind::Workspace, type);
      describeBuffer(made, yielded, part);
      Attribute buffer = FlatSymbolRefAttr::get(made.getSymNameAttr());
      buffersOf[result].push_back(buffer);
      call.buffers.push_back(buffer);
    }
  }

  if (*family)
    for (MemRefType type : (*family)->scratch(body, limits)) {
      std::string name = prefix + "_scratch" + std::to_string(nextValue++);
      call.buffers.push_back(makeBuffer(group.getLoc(), name, sched::BufferKind::Workspace, type));
    }

  SmallVector<StringRef> what;
  for (Operation &op : body.without_terminator())
    what.push_back(op.getName().stripDialect());
  call.what = llvm::join(what, ", ");
  call.kernel = getKernel(group, miss).str();
  return call;
}

/// The kernel of phases that makes these calls; `buffers` becomes the list that a dispatch of it has.
std::string Converter::getPhases(Location loc, ArrayRef<Call> calls, Buffers &buffers) {
  llvm::SetVector<Attribute> all;
  SmallVector<Attribute> kernels, arguments;
  std::string text = "phases";
  for (const Call &call : calls) {
    SmallVector<int64_t> numbers;
    for (Attribute buffer : call.buffers) {
      all.insert(buffer);
      numbers.push_back(llvm::find(all, buffer) - all.begin());
    }
    kernels.push_back(FlatSymbolRefAttr::get(context, call.kernel));
    arguments.push_back(top.getDenseI64ArrayAttr(numbers));
    llvm::raw_string_ostream(text) << kernels.back() << arguments.back();
  }
  buffers.assign(all.begin(), all.end());
  std::string &name = kernelOf[text];
  if (name.empty()) {
    name = ("phases_" + Twine(familyCount["phases"]++)).str();
    sched::PhasesOp::create(top, loc, name, top.getArrayAttr(kernels), top.getArrayAttr(arguments));
  }
  return name;
}

FailureOr<Call> Converter::makePhases(ced::GroupOp group) {
  Block &body = group.getBody().front();
  for (auto [argument, input] : llvm::zip(body.getArguments(), group.getInputs()))
    bindAs(argument, input);
  SmallVector<Call> calls;
  if (failed(convertBody(body, calls, /*insidePhases=*/true)))
    return failure();
  for (auto [argument, input] : llvm::zip(body.getArguments(), group.getInputs()))
    if (written.contains(argument) && failed(checkCacheOrder(group, input)))
      return failure();
  for (auto [result, yielded] : llvm::zip(group.getOutputs(), body.getTerminator()->getOperands()))
    bindAs(result, yielded);
  // Behind the last phase is behind the kernel.
  for (sched::MarkOp mark : marksInside)
    if (mark.getPhase() == calls.size())
      mark.removePhaseAttr();
  if (calls.size() < 2)
    return group.emitOpError("expected two groups or more in a group of phases, got ") << calls.size();

  Call call;
  SmallVector<StringRef> what;
  for (const Call &phase : calls)
    what.push_back(phase.what);
  call.what = llvm::join(what, "; ");
  call.kernel = getPhases(group.getLoc(), calls, call.buffers);
  return call;
}

/// `phase`: the mark stands in front of that phase of the kernel under conversion.
void Converter::convertMark(ced::MarkOp mark, std::optional<int64_t> phase) {
  bindAs(mark.getResult(), mark.getValue());
  if (mark.getName() == "stream")
    layer = mark.getLayer() + 1;
  MemRefType type = getParts(mark.getValue().getType(), limits)[0];
  IntegerAttr inside = phase ? top.getI64IntegerAttr(*phase) : IntegerAttr();
  auto op = sched::MarkOp::create(*program, mark.getLoc(), mark.getNameAttr(), mark.getLayerAttr(),
                                  cast<FlatSymbolRefAttr>(buffersOf[mark.getValue()][0]), TypeAttr::get(type), inside);
  if (phase)
    marksInside.push_back(op);
}

LogicalResult Converter::convertBody(Block &body, SmallVectorImpl<Call> &calls, bool insidePhases) {
  for (Operation &op : body.without_terminator()) {
    if (auto weight = dyn_cast<ced::WeightOp>(op)) {
      bindWeight(weight);
    } else if (auto group = dyn_cast<ced::GroupOp>(op)) {
      if (!insidePhases)
        marksInside.clear();
      FailureOr<Call> call = makeCall(group);
      if (failed(call))
        return failure();
      calls.push_back(*call);
      if (insidePhases)
        continue;
      auto dispatch = sched::DispatchOp::create(*program, group.getLoc(), call->kernel, top.getArrayAttr(call->buffers),
                                                call->what, layer);
      if (Attribute reason = group->getAttr("ced.not_fused"))
        dispatch->setAttr("sched.not_fused", reason);
      // Marks between its phases stand behind it.
      if (!marksInside.empty())
        dispatch->moveBefore(marksInside.front());
    } else if (auto mark = dyn_cast<ced::MarkOp>(op)) {
      // In front of the first phase is in front of the kernel.
      bool between = insidePhases && !calls.empty();
      convertMark(mark, between ? std::optional<int64_t>(calls.size()) : std::nullopt);
    } else if (auto reshape = dyn_cast<ced::ReshapeOp>(op)) {
      bindAs(reshape.getResult(), reshape.getOperand());
    } else {
      return op.emitError("expected every op in a group after fusion, got '") << op.getName() << "'";
    }
  }
  return success();
}

static bool takesLogits(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (auto name = func.getArgAttrOfType<StringAttr>(i, "ced.name"))
      if (name.getValue() == logitsName)
        return true;
  return false;
}

LogicalResult Converter::convert(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("expected a body of one block, got ") << func.getBlocks().size();
  prefix = func.getSymName().str();
  nextValue = 0;
  buffersOf.clear();
  written.clear();
  placeOf.clear();
  layer = 0;
  top.setInsertionPoint(func);
  if (failed(bindArguments(func)))
    return failure();

  Operation *terminator = func.getBody().front().getTerminator();
  auto programOp = sched::ProgramOp::create(top, func.getLoc(), func.getSymName(), "pending");
  if (auto rows = func->getAttrOfType<IntegerAttr>(kRowsAttr))
    programOp->setAttr(programRowsAttr, rows);
  if (Attribute contract = func->getAttr("ced.contract"))
    programOp->setAttr(contractAttr, contract);
  OpBuilder inside = OpBuilder::atBlockBegin(&programOp.getBody().emplaceBlock());
  program = &inside;
  top.setInsertionPoint(programOp);

  SmallVector<Call> calls;
  if (failed(convertBody(func.getBody().front(), calls, /*insidePhases=*/false)))
    return failure();

  if (failed(checkResults(func)))
    return failure();
  // The first result, or what it was given.
  if (!takesLogits(func))
    logits = buffersOf[terminator->getOperand(0)][0];
  programOp.setLogitsAttr(cast<FlatSymbolRefAttr>(logits));
  func.erase();
  return success();
}

namespace {
struct ConvertCedToSchedPass : cedilla::impl::ConvertCedToSchedBase<ConvertCedToSchedPass> {
  using ConvertCedToSchedBase::ConvertCedToSchedBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    if (failed(limits))
      return signalPassFailure();
    Converter converter(module, *limits, keepMisses, costsOnly);
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (failed(converter.convert(func)))
        return signalPassFailure();
  }
};
} // namespace
