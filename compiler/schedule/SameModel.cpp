//===- SameModel.cpp - does an edited schedule still compute its model? --------------------------===//

#include "compiler/schedule/SameModel.h"

#include "dialects/sched/Sched.h"
#include "kernels-gen/common/Signature.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <set>

using namespace mlir;
using namespace cedilla;

namespace {
using Name = uint64_t; ///< of a value: its op and operands, hashed

/// An op of a kernel with what it works on.
struct Instance {
  Name name;
  std::string op;
  std::string where;             ///< "'rope; attention; rope' (layer 3)"
  int64_t layer;
  SmallVector<Name> operands;
  SmallVector<std::string> held; ///< by operand: where it came from, in words; of ops inside the kernel empty
};

/// What a program computes and leaves behind.
struct Trace {
  std::vector<Instance> ops;
  std::set<Name> names;
  std::map<std::string, Name> states, marks;
  Name logits = 0;
};

/// What a buffer holds.
struct Content {
  Name name;
  std::string writer; ///< in words
};

class Follower {
public:
  Follower(ModuleOp module, sched::ProgramOp program, const Limits &limits) : module(module), symbols(module), program(program), limits(limits) {}
  Trace follow();

private:
  void enter(sched::DispatchOp dispatch);
  void run(sched::KernelOp kernel, ArrayRef<StringRef> buffers, sched::DispatchOp dispatch);
  Content &contentOf(StringRef buffer);

  ModuleOp module;
  SymbolTable symbols; ///< thousands of buffers, each named by many
  sched::ProgramOp program;
  const Limits &limits;
  llvm::StringMap<Content> contents;
  Trace trace;
};
} // namespace

static Name hashOf(StringRef text) { return llvm::xxh3_64bits(text); }
static Name combine(Name a, Name b) {
  Name pair[] = {a, b};
  return llvm::xxh3_64bits(StringRef(reinterpret_cast<const char *>(pair), sizeof pair));
}

static const Name nothing = hashOf("nothing"); ///< workspace that the program has not written

/// Inputs, caches and weights are what they are called; the logits of the program before are what `advance` reads.
Content &Follower::contentOf(StringRef buffer) {
  auto [found, isNew] = contents.try_emplace(buffer);
  if (isNew) {
    auto op = symbols.lookup<sched::BufferOp>(buffer);
    bool workspace = op && op.getKind() == sched::BufferKind::Workspace;
    bool logits = buffer == program.getLogits();
    found->second = workspace && !logits ? Content{nothing, "nothing that this program has written"}
                                         : Content{hashOf(logits ? "logits" : buffer), "what the step found there"};
  }
  return found->second;
}

void Follower::run(sched::KernelOp kernel, ArrayRef<StringRef> buffers, sched::DispatchOp dispatch) {
  Block &body = kernel.getBody().front();
  std::string where = "'" + dispatch.getWhat().str() + "' (layer " + std::to_string(dispatch.getLayer()) + ")";
  llvm::DenseMap<Value, Name> names;
  llvm::DenseMap<Value, std::string> held;
  llvm::DenseMap<Value, SmallVector<StringRef>> placeOf;
  size_t next = 0;
  auto take = [&](Value value) {
    SmallVector<StringRef> parts;
    for (size_t i = getParts(value.getType(), limits).size(); i > 0 && next < buffers.size(); --i)
      parts.push_back(buffers[next++]);
    return parts;
  };
  for (BlockArgument argument : body.getArguments()) {
    SmallVector<StringRef> parts = take(argument);
    Name name = 0;
    StringRef told = parts.empty() ? StringRef() : parts.front(); // the part that is spoken of
    for (StringRef part : parts) {
      Name own = contentOf(part).name;
      if (own == nothing && name != nothing)
        told = part;
      // Where one part is missing, so is the value.
      name = own == nothing || name == nothing ? nothing : name ? combine(name, own) : own;
    }
    names[argument] = name;
    if (!parts.empty())
      held[argument] = "@" + told.str() + ", which holds " + contentOf(told).writer;
    placeOf[argument] = parts;
  }
  for (Operation &op : body.without_terminator()) {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << op.getName() << op.getAttrDictionary();
    for (Type type : op.getResultTypes())
      out << type << ";";
    Instance instance{hashOf(text), op.getName().getStringRef().str(), where, int64_t(dispatch.getLayer()), {}, {}};
    for (Value operand : op.getOperands()) {
      instance.operands.push_back(names[operand]);
      instance.held.push_back(held.lookup(operand));
      instance.name = combine(instance.name, names[operand]);
    }
    for (OpResult result : op.getResults())
      names[result] = combine(instance.name, result.getResultNumber());
    trace.names.insert(instance.name);
    trace.ops.push_back(std::move(instance));
  }
  std::string writer = "the result of " + where;
  for (Value value : body.getTerminator()->getOperands()) {
    bool cache = isCache(value.getType());
    BlockArgument source = cache ? findCacheInput(value) : BlockArgument();
    SmallVector<StringRef> parts = source ? placeOf[source] : cache ? SmallVector<StringRef>() : take(value);
    for (auto [i, part] : llvm::enumerate(parts))
      contents[part] = {parts.size() == 1 ? names[value] : combine(names[value], i), writer};
  }
}

void Follower::enter(sched::DispatchOp dispatch) {
  SmallVector<StringRef> buffers = llvm::to_vector(llvm::map_range(
      dispatch.getBuffers().getAsRange<FlatSymbolRefAttr>(), [](FlatSymbolRefAttr name) { return name.getValue(); }));
  Operation *callee = symbols.lookup(dispatch.getKernel());
  if (auto kernel = dyn_cast_or_null<sched::KernelOp>(callee))
    return run(kernel, buffers, dispatch);
  auto phases = dyn_cast_or_null<sched::PhasesOp>(callee);
  if (!phases)
    return;
  for (auto [name, numbers] : llvm::zip(phases.getKernels().getAsRange<FlatSymbolRefAttr>(),
                                        phases.getArguments().getAsRange<DenseI64ArrayAttr>())) {
    SmallVector<StringRef> own;
    for (int64_t number : numbers.asArrayRef())
      if (number < int64_t(buffers.size()))
        own.push_back(buffers[number]);
    if (auto kernel = symbols.lookup<sched::KernelOp>(name.getValue()))
      run(kernel, own, dispatch);
  }
}

/// Marks inside a kernel see what the kernel leaves: no phase behind a mark writes what was marked (sched-check-workspace).
Trace Follower::follow() {
  for (Operation &op : program.getBody().front()) {
    if (auto dispatch = dyn_cast<sched::DispatchOp>(op))
      enter(dispatch);
    if (auto mark = dyn_cast<sched::MarkOp>(op))
      trace.marks[(mark.getName() + " " + Twine(mark.getLayer())).str()] = contentOf(mark.getBuffer()).name;
  }
  for (auto buffer : module.getOps<sched::BufferOp>())
    if (buffer.getKind() == sched::BufferKind::State || buffer.getKind() == sched::BufferKind::Input)
      trace.states[buffer.getSymName().str()] = contentOf(buffer.getSymName()).name;
  trace.logits = contentOf(program.getLogits()).name;
  return std::move(trace);
}

//===------------------------------------------------------------------------------------------===//
// Comparing
//===------------------------------------------------------------------------------------------===//

/// The model's op that has most in common with one that the model has not.
static const Instance *nearest(const Instance &op, const Trace &model) {
  auto common = [&](const Instance &other) {
    int64_t score = other.layer == op.layer;
    for (size_t i = 0; i < op.operands.size() && i < other.operands.size(); ++i)
      score += 2 * (op.operands[i] == other.operands[i]);
    return score;
  };
  const Instance *best = nullptr;
  for (const Instance &other : model.ops)
    if (other.op == op.op && other.operands.size() == op.operands.size() && (!best || common(other) > common(*best)))
      best = &other;
  return best;
}

static std::string describe(const Instance &op, const Trace &model) {
  std::string text = op.op + " in " + op.where;
  const Instance *like = nearest(op, model);
  if (!like)
    return text + ": the model has no such op";
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (op.operands[i] != like->operands[i])
      return text + ": operand " + std::to_string(i) + " is read from " +
             (op.held[i].empty() ? "another op of the kernel" : op.held[i]) +
             (like->held[i].empty() ? "" : "; in the model it is " + like->held[i].substr(like->held[i].find(", which holds ") + 14));
  return text + ": the model has this op with other attributes or types";
}

static std::string differenceOf(const Trace &edited, const Trace &model) {
  for (const Instance &op : edited.ops)
    if (!model.names.count(op.name))
      return describe(op, model);
  for (const Instance &op : model.ops)
    if (!edited.names.count(op.name))
      return op.op + " of '" + op.where.substr(1) + " is missing";
  for (const auto &[name, content] : model.states)
    if (auto found = edited.states.find(name); found == edited.states.end() || found->second != content)
      return "@" + name + " is left with other contents than the model leaves: a write is missing, done twice or overwritten";
  for (const auto &[name, content] : edited.marks)
    if (auto found = model.marks.find(name); found == model.marks.end() || found->second != content)
      return "mark '" + name + "' shows another value than in the model";
  if (edited.logits != model.logits)
    return "the logits are another value than in the model";
  return "";
}

std::string cedilla::findUnwrittenRead(ModuleOp module, const Limits &limits) {
  for (auto program : module.getOps<sched::ProgramOp>()) {
    Trace trace = Follower(module, program, limits).follow();
    for (const Instance &op : trace.ops)
      for (size_t i = 0; i < op.operands.size(); ++i)
        if (op.operands[i] == nothing)
          return "program '" + program.getSymName().str() + "': " + op.op + " in " + op.where + ": operand " + std::to_string(i) +
                 " is read from " + op.held[i];
    bool writesLogits = llvm::any_of(trace.ops, [](const Instance &op) { return op.op != "ced.sample" && op.op != "ced.single_rows"; });
    if (writesLogits && trace.logits == hashOf("logits"))
      return "program '" + program.getSymName().str() + "': its logits '" + program.getLogits().str() + "' are written by no dispatch";
  }
  return "";
}

std::string cedilla::differenceOfSchedules(ModuleOp edited, ModuleOp model) {
  FailureOr<Limits> limits = getLimits(model);
  if (failed(limits))
    return "the model has no limits";
  for (auto program : edited.getOps<sched::ProgramOp>()) {
    auto other = model.lookupSymbol<sched::ProgramOp>(program.getSymName());
    if (!other)
      return "program '" + program.getSymName().str() + "': the model has none of that name";
    std::string difference =
        differenceOf(Follower(edited, program, *limits).follow(), Follower(model, other, *limits).follow());
    if (!difference.empty())
      return "program '" + program.getSymName().str() + "': " + difference;
  }
  for (auto program : model.getOps<sched::ProgramOp>())
    if (!edited.lookupSymbol<sched::ProgramOp>(program.getSymName()))
      return "program '" + program.getSymName().str() + "' is missing";
  return "";
}
