//===- CheckContract.cpp - layers run in the kernels that their contract names -------------------------===//
//
// A contract has one op for each kernel of a layer of some mode, and lists of what pools and Engrams need more. A kernel stands for the op of the contract that it holds
// and that the fewest kernels of the layer hold; what is left over stayed outside.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/schedule/Passes.h"

#include "dialects/ced/Ced.h"
#include "dialects/sched/Sched.h"
#include "runtime/package/LayerKernels.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cedilla {
#define GEN_PASS_DEF_SCHEDCHECKCONTRACT
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

namespace {
struct Kernel {
  sched::DispatchOp dispatch;
  SmallVector<StringRef> ops;
};

/// The kernels of one layer against a list.
class Layer {
public:
  Layer(sched::ProgramOp program, int64_t number, StringRef mode, ArrayRef<Kernel> kernels, SmallVector<StringRef> wanted)
      : program(program), number(number), mode(mode), kernels(kernels), wanted(std::move(wanted)) {}
  LogicalResult check();

private:
  int64_t holders(StringRef op) const {
    return llvm::count_if(kernels, [&](const Kernel &kernel) { return llvm::is_contained(kernel.ops, op); });
  }
  std::string describe(const Kernel &kernel) const;

  sched::ProgramOp program;
  int64_t number;
  StringRef mode;
  ArrayRef<Kernel> kernels;
  SmallVector<StringRef> wanted;
};
} // namespace

/// "'route'", with the first weight it reads and why it is no part of the kernel before.
std::string Layer::describe(const Kernel &kernel) const {
  sched::DispatchOp dispatch = kernel.dispatch; // methods of ops are not const
  std::string text = "'" + dispatch.getWhat().str() + "'";
  for (auto name : dispatch.getBuffers().getAsRange<FlatSymbolRefAttr>())
    if (auto buffer = SymbolTable::lookupNearestSymbolFrom<sched::BufferOp>(dispatch, name);
        buffer && buffer.getKind() == sched::BufferKind::Weight) {
      text += " of " + name.getValue().str();
      break;
    }
  if (auto reason = dispatch->getAttrOfType<StringAttr>("sched.not_fused"))
    text += ": " + reason.getValue().str();
  return text;
}

LogicalResult Layer::check() {
  SmallVector<StringRef> left(wanted);
  SmallVector<std::string> outside;
  for (const Kernel &kernel : kernels) {
    auto best = left.end();
    for (auto op = left.begin(); op != left.end(); ++op)
      if (llvm::is_contained(kernel.ops, *op) && (best == left.end() || holders(*op) < holders(*best)))
        best = op;
    if (best == left.end())
      outside.push_back(describe(kernel));
    else
      left.erase(best);
  }
  if (outside.empty() && left.empty())
    return success();
  InFlightDiagnostic error = program.emitOpError("layer ")
                             << number << " (" << mode << ") runs in " << kernels.size() << " kernels, its contract says "
                             << wanted.size();
  for (const std::string &text : outside)
    error << "; outside stayed " << text;
  if (!left.empty())
    error << "; no kernel stands for " << llvm::join(left, ", ");
  return error;
}

static SmallVector<StringRef> opsOf(sched::DispatchOp dispatch) {
  SmallVector<StringRef> names;
  for (StringRef name : llvm::split(dispatch.getWhat(), ','))
    for (StringRef part : llvm::split(name, ';'))
      names.push_back(part.trim());
  return names;
}

/// A dictionary of lists of names; an error otherwise.
static LogicalResult checkForm(sched::ProgramOp program, Attribute contract) {
  auto modes = dyn_cast<DictionaryAttr>(contract);
  bool lists = modes && llvm::all_of(modes, [](NamedAttribute mode) {
    auto list = dyn_cast<ArrayAttr>(mode.getValue());
    return list && !list.empty() && llvm::all_of(list, llvm::IsaPred<StringAttr>);
  });
  if (lists)
    return success();
  return program.emitOpError("expected '") << contractAttr << "' to have lists of ops by mode, as {reuse = [\"hc_mix\", ..]}, got " << contract;
}

/// The ops that the contract lists for a layer; none where it says nothing of layers like that.
static SmallVector<StringRef> listFor(DictionaryAttr contract, ced::LayerAttr layer, int64_t number) {
  SmallVector<StringRef> keys{layer.getMode(number)}, ops;
  if (layer.getPool() == number)
    keys.push_back(contractPool);
  if (layer.getEngram())
    keys.push_back(contractEngram);
  for (StringRef key : keys) {
    auto list = contract.getAs<ArrayAttr>(key);
    if (!list)
      return {};
    for (StringRef op : list.getAsValueRange<StringAttr>())
      ops.push_back(op);
  }
  return ops;
}

static LogicalResult check(sched::ProgramOp program, ced::LayerTableOp table) {
  if (Attribute given = program->getAttr(contractAttr); given && failed(checkForm(program, given)))
    return failure();
  auto contract = program->getAttrOfType<DictionaryAttr>(contractAttr);
  if (!contract)
    return success();
  llvm::MapVector<int64_t, SmallVector<Kernel>> layers;
  for (auto dispatch : program.getBody().front().getOps<sched::DispatchOp>())
    layers[dispatch.getLayer()].push_back({dispatch, opsOf(dispatch)});
  for (auto &[number, kernels] : layers) {
    if (number < 0 || number >= int64_t(table.getLayers().size()))
      continue;
    auto layer = cast<ced::LayerAttr>(table.getLayers()[number]);
    SmallVector<StringRef> wanted = listFor(contract, layer, number);
    if (wanted.empty())
      continue;
    SmallVector<Kernel> counted;
    bool engramNext = number + 1 < int64_t(table.getLayers().size()) && cast<ced::LayerAttr>(table.getLayers()[number + 1]).getEngram();
    llvm::copy_if(kernels, std::back_inserter(counted),
                  [&](Kernel kernel) { return !isBeforeLayers(kernel.dispatch.getWhat(), engramNext); });
    if (failed(Layer(program, number, layer.getMode(number), counted, std::move(wanted)).check()))
      return failure();
  }
  return success();
}

namespace {
struct CheckContract : cedilla::impl::SchedCheckContractBase<CheckContract> {
  void runOnOperation() override {
    auto tables = getOperation().getOps<ced::LayerTableOp>();
    if (tables.empty())
      return;
    for (auto program : getOperation().getOps<sched::ProgramOp>())
      if (failed(check(program, *tables.begin())))
        return signalPassFailure();
  }
};
} // namespace
