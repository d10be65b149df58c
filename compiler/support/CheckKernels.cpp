//===- CheckKernels.cpp - does a family build every kernel, and does the target take it? ----------------===//
//
// Every kernel stands alone in a module of its own: the tile phase builds it, and the target runs those of its passes
// that may refuse it (registers, shared memory, shapes of products). What they say becomes the reason.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/support/CheckKernels.h"

#include "compiler/schedule/Passes.h"
#include "compiler/tile/Passes.h"
#include "compiler/watch/Watch.h"
#include "kernels-gen/common/Family.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace cedilla {

//===------------------------------------------------------------------------------------------===//
// What a kernel is
//===------------------------------------------------------------------------------------------===//

static void addDims(std::vector<int64_t> &dims, ArrayRef<int64_t> shape) {
  for (int64_t dim : shape)
    if (!ShapedType::isDynamic(dim) && !llvm::is_contained(dims, dim))
      dims.push_back(dim);
}

static void addType(KernelNeed &need, raw_ostream &out, Type type) {
  out << type;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    addDims(need.dims, tensor.getShape());
  else if (auto scaled = dyn_cast<ced::ScaledType>(type))
    addDims(need.dims, scaled.getShape());
  else if (auto list = dyn_cast<ced::IndexSetType>(type))
    addDims(need.dims, {int64_t(list.getK())});
  else if (auto window = dyn_cast<ced::WindowType>(type))
    addDims(need.dims, {int64_t(window.getSize()), int64_t(window.getRow().getCols())});
  else if (auto paged = dyn_cast<ced::PagedType>(type))
    addDims(need.dims, {int64_t(paged.getRow().getCols())});
  else if (auto state = dyn_cast<ced::StateType>(type))
    addDims(need.dims, state.getShape());
}

static KernelNeed describe(sched::KernelOp kernel) {
  KernelNeed need{kernel.getSymName().str(), kernel.getFamily().str()};
  Block &body = kernel.getBody().front();
  llvm::raw_string_ostream ops(need.ops), shapes(need.shapes), config(need.config);
  llvm::interleaveComma(body.without_terminator(), ops, [&](Operation &op) { ops << op.getName().stripDialect(); });
  shapes << "(";
  llvm::interleaveComma(body.getArgumentTypes(), shapes, [&](Type type) { addType(need, shapes, type); });
  shapes << ") -> (";
  llvm::interleaveComma(body.getTerminator()->getOperandTypes(), shapes, [&](Type type) { addType(need, shapes, type); });
  shapes << ")";
  config << kernel.getConfig();
  if (auto miss = kernel->getAttrOfType<StringAttr>(missAttr))
    need.miss = miss.str();
  return need;
}

/// By kernel, also as a phase of another.
static llvm::StringMap<int64_t> countDispatches(ModuleOp module) {
  llvm::StringMap<int64_t> counts, phases;
  module.walk([&](sched::DispatchOp dispatch) { ++counts[dispatch.getKernel()]; });
  for (auto each : module.getOps<sched::PhasesOp>())
    for (auto name : each.getKernels().getAsRange<FlatSymbolRefAttr>())
      phases[name.getValue()] += counts.lookup(each.getSymName());
  for (auto &entry : phases)
    counts[entry.getKey()] += entry.getValue();
  return counts;
}

//===------------------------------------------------------------------------------------------===//
// Building it
//===------------------------------------------------------------------------------------------===//

/// What passes say while they run, in one line.
static std::string reasonOf(ModuleOp module, PassManager &passes) {
  std::string reason;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      reason += (reason.empty() ? "" : "; ") + diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error && StringRef(note.str()).take_front(3) != "see")
        reason += ": " + note.str();
    return success();
  });
  if (failed(runWatched(passes, module, /*quietly=*/true)) && reason.empty())
    reason = "a pass failed without a word";
  // An op is printed over several lines at times.
  return StringRef(reason).split('\n').first.str();
}

static std::string build(sched::KernelOp kernel, const Target &target, StringRef chip) {
  auto from = kernel->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> alone = ModuleOp::create(from.getLoc());
  (*alone)->setAttrs(from->getAttrDictionary());
  OpBuilder::atBlockEnd(alone->getBody()).clone(*kernel);
  PassManager passes(kernel.getContext());
  passes.addPass(createTileBuildKernels());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  target.buildChecks(passes, chip);
  return reasonOf(*alone, passes);
}

static std::vector<KernelNeed> listKernels(ModuleOp scheduled) {
  llvm::StringMap<int64_t> counts = countDispatches(scheduled);
  std::vector<KernelNeed> needs;
  for (auto kernel : scheduled.getOps<sched::KernelOp>()) {
    needs.push_back(describe(kernel));
    needs.back().dispatches = counts.lookup(needs.back().name);
  }
  return needs;
}

std::vector<KernelNeed> checkKernels(ModuleOp scheduled, const Target &target, StringRef chip,
                                     llvm::function_ref<bool(const KernelNeed &)> builds) {
  std::vector<KernelNeed> needs = listKernels(scheduled);
  for (KernelNeed &need : needs)
    if (need.miss.empty() && builds(need))
      need.miss = build(cast<sched::KernelOp>(scheduled.lookupSymbol(need.name)), target, chip);
  return needs;
}

static LogicalResult refuse(ModuleOp scheduled, ArrayRef<KernelNeed> needs) {
  bool missed = false;
  for (const KernelNeed &need : needs) {
    if (need.miss.empty())
      continue;
    missed = true;
    scheduled.lookupSymbol(need.name)->emitError("kernel '")
        << need.name << "' of family '" << need.family << "' (" << need.ops << "): " << need.miss;
  }
  return failure(missed);
}

LogicalResult refuseMisses(ModuleOp scheduled, const Target &target, StringRef chip) {
  return refuse(scheduled, checkKernels(scheduled, target, chip));
}

LogicalResult refuseNotedMisses(ModuleOp scheduled) { return refuse(scheduled, listKernels(scheduled)); }

} // namespace cedilla
