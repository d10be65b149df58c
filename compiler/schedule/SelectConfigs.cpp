//===- SelectConfigs.cpp - choose each kernel's config -------------------------------------------------===//
//
// A config is chosen for the largest step of the program that dispatches the kernel. Programs are taken in
// their order: the first one's config stays with the kernel, one that wants another config gets a copy.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/schedule/Passes.h"
#include "kernels-gen/common/Family.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

namespace cedilla {
#define GEN_PASS_DEF_SCHEDSELECTCONFIGS
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

/// The rejections, each once.
static std::string reasonOf(ArrayRef<Candidate> candidates) {
  SmallVector<StringRef> reasons;
  for (const Candidate &candidate : candidates)
    if (!llvm::is_contained(reasons, candidate.rejection))
      reasons.push_back(candidate.rejection);
  return llvm::join(reasons, "; ");
}

static FailureOr<DictionaryAttr> chooseConfig(sched::KernelOp kernel, const Chip &chip, const Limits &limits, bool keepMisses) {
  if (kernel->hasAttr(missAttr))
    return kernel.getConfig();
  const Family *family = findFamily(kernel.getFamily());
  if (!family)
    return kernel.emitOpError("expected a kernel family, got '") << kernel.getFamily() << "'";
  SmallVector<Candidate> candidates = family->candidates(kernel, chip, limits);
  const Candidate *best = nullptr;
  for (const Candidate &candidate : candidates)
    if (candidate.rejection.empty() && (!best || candidate.cost < best->cost))
      best = &candidate;
  if (best)
    return best->config;
  if (keepMisses) {
    kernel->setAttr(missAttr, StringAttr::get(kernel.getContext(), reasonOf(candidates)));
    return kernel.getConfig();
  }
  auto error = kernel.emitOpError("no config of family '") << kernel.getFamily() << "' fits chip '" << chip.name << "': " << reasonOf(candidates);
  for (const Candidate &candidate : candidates)
    error.attachNote() << candidate.config << ": " << candidate.rejection;
  return error;
}

namespace {
class Selector {
public:
  Selector(ModuleOp module, const Chip &chip, Limits limits, bool keepMisses);
  LogicalResult select();

private:
  LogicalResult select(sched::ProgramOp program);
  /// What the program that is being looked at shall dispatch in place of `name`.
  FailureOr<FlatSymbolRefAttr> nameFor(FlatSymbolRefAttr name);
  FailureOr<FlatSymbolRefAttr> nameFor(sched::KernelOp kernel);
  FailureOr<FlatSymbolRefAttr> nameFor(sched::PhasesOp phases);
  /// A copy under a name of its own behind `op`.
  Operation *copy(Operation *op);

  ModuleOp module;
  SymbolTable symbols;
  const Chip &chip;
  const Limits limits;
  const bool keepMisses;
  DenseMap<Operation *, SmallVector<sched::KernelOp, 2>> variants; ///< with the config that each has
  DenseMap<Operation *, SmallVector<sched::PhasesOp, 2>> phaseVariants;
  DenseSet<Operation *> given;                                     ///< kernels that came with a config

  // Of the program that is being looked at.
  sched::ProgramOp program;
  Limits programLimits;
  DenseMap<Attribute, FlatSymbolRefAttr> namesOf[2]; ///< of kernels alone, of phases
};
} // namespace

Selector::Selector(ModuleOp module, const Chip &chip, Limits limits, bool keepMisses)
    : module(module), symbols(module), chip(chip), limits(limits), keepMisses(keepMisses) {
  for (auto kernel : module.getOps<sched::KernelOp>())
    if (!kernel.getConfig().empty())
      given.insert(kernel);
}

Operation *Selector::copy(Operation *op) {
  Operation *clone = op->clone();
  SymbolTable::setSymbolName(clone, (SymbolTable::getSymbolName(op).getValue() + "_" + program.getSymName()).str());
  symbols.insert(clone, std::next(Block::iterator(op)));
  return clone;
}

FailureOr<FlatSymbolRefAttr> Selector::nameFor(sched::KernelOp kernel) {
  if (given.contains(kernel))
    return FlatSymbolRefAttr::get(kernel);
  FailureOr<DictionaryAttr> config = chooseConfig(kernel, chip, programLimits, keepMisses);
  if (failed(config))
    return failure();
  auto &have = variants[kernel];
  for (sched::KernelOp variant : have)
    if (variant.getConfigAttr() == *config)
      return FlatSymbolRefAttr::get(variant);
  auto variant = have.empty() ? kernel : cast<sched::KernelOp>(copy(kernel));
  variant.setConfigAttr(*config);
  have.push_back(variant);
  return FlatSymbolRefAttr::get(variant);
}

FailureOr<FlatSymbolRefAttr> Selector::nameFor(sched::PhasesOp phases) {
  SmallVector<Attribute> kernels;
  programLimits.phase = true;
  auto restore = llvm::make_scope_exit([&] { programLimits.phase = false; });
  for (auto name : phases.getKernels().getAsRange<FlatSymbolRefAttr>()) {
    FailureOr<FlatSymbolRefAttr> own = nameFor(name);
    if (failed(own))
      return failure();
    kernels.push_back(*own);
  }
  auto all = ArrayAttr::get(module.getContext(), kernels);
  auto &have = phaseVariants[phases];
  for (sched::PhasesOp variant : have)
    if (variant.getKernels() == all)
      return FlatSymbolRefAttr::get(variant);
  auto variant = have.empty() ? phases : cast<sched::PhasesOp>(copy(phases));
  variant.setKernelsAttr(all);
  have.push_back(variant);
  return FlatSymbolRefAttr::get(variant);
}

FailureOr<FlatSymbolRefAttr> Selector::nameFor(FlatSymbolRefAttr name) {
  if (FlatSymbolRefAttr known = namesOf[programLimits.phase].lookup(name))
    return known;
  FailureOr<FlatSymbolRefAttr> own = name; // built kernels are what they are
  Operation *op = symbols.lookup(name.getAttr());
  if (auto kernel = dyn_cast_or_null<sched::KernelOp>(op))
    own = nameFor(kernel);
  else if (auto phases = dyn_cast_or_null<sched::PhasesOp>(op))
    own = nameFor(phases);
  if (succeeded(own))
    namesOf[programLimits.phase][name] = *own;
  return own;
}

LogicalResult Selector::select(sched::ProgramOp next) {
  program = next;
  programLimits = limits;
  if (auto rows = program->getAttrOfType<IntegerAttr>(programRowsAttr))
    programLimits.maxRows = std::min(limits.maxRows, rows.getInt());
  for (auto &names : namesOf)
    names.clear();
  for (auto dispatch : program.getBody().front().getOps<sched::DispatchOp>()) {
    FailureOr<FlatSymbolRefAttr> name = nameFor(dispatch.getKernelAttr());
    if (failed(name))
      return failure();
    dispatch.setKernelAttr(*name);
  }
  return success();
}

LogicalResult Selector::select() {
  for (auto each : module.getOps<sched::ProgramOp>())
    if (failed(select(each)))
      return failure();
  // Kernels that no program dispatches.
  programLimits = limits;
  for (auto kernel : module.getOps<sched::KernelOp>()) {
    if (given.contains(kernel) || !kernel.getConfig().empty() || variants.contains(kernel))
      continue;
    FailureOr<DictionaryAttr> config = chooseConfig(kernel, chip, limits, keepMisses);
    if (failed(config))
      return failure();
    kernel.setConfigAttr(*config);
  }
  return success();
}

namespace {
struct SelectConfigs : cedilla::impl::SchedSelectConfigsBase<SelectConfigs> {
  using SchedSelectConfigsBase::SchedSelectConfigsBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    const Chip *known = findChip(target, chip);
    if (!known)
      module.emitError("expected a known chip of target '") << target << "', got '" << chip << "'";
    if (failed(limits) || !known || failed(Selector(module, *known, *limits, keepMisses).select()))
      signalPassFailure();
  }
};
} // namespace
