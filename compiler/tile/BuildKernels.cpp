//===- BuildKernels.cpp - let each family build its kernels ---------------------------------------------===//
//
// A kernel of a program learns here which of its arguments no dispatch writes: a target may let it begin
// before its predecessor ends (tile.constants).
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/tile/NameOps.h"
#include "compiler/tile/Passes.h"
#include "kernels-gen/common/Chip.h"
#include "kernels-gen/common/Family.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace cedilla {
#define GEN_PASS_DEF_TILEBUILDKERNELS
#include "compiler/tile/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

/// On what a family builds: the names of all phases in order, its own among them, where there are several.
static constexpr StringLiteral phasesAttr = "tile.phases";

/// Per kernel, the memory arguments that are weights or constants in every dispatch. Kernels that no program
/// dispatches have no entry: nothing is known about who runs before them.
using Constants = llvm::StringMap<SmallVector<int64_t>>;

static Constants findConstants(ModuleOp module) {
  llvm::StringSet<> written;
  for (auto buffer : module.getOps<sched::BufferOp>())
    if (buffer.getKind() != sched::BufferKind::Weight && buffer.getKind() != sched::BufferKind::Constant)
      written.insert(buffer.getSymName());
  Constants constants;
  auto dispatch = [&](StringRef kernel, ArrayRef<StringRef> buffers) {
    auto [entry, first] = constants.try_emplace(kernel);
    if (first)
      llvm::append_range(entry->second, llvm::seq<int64_t>(0, buffers.size()));
    for (auto [number, buffer] : llvm::enumerate(buffers))
      if (written.contains(buffer))
        llvm::erase(entry->second, static_cast<int64_t>(number));
  };
  llvm::StringMap<sched::PhasesOp> allPhases;
  for (auto phases : module.getOps<sched::PhasesOp>())
    allPhases[phases.getSymName()] = phases;
  module.walk([&](sched::DispatchOp op) {
    auto buffers = llvm::map_to_vector(op.getBuffers().getAsRange<FlatSymbolRefAttr>(),
                                       [](FlatSymbolRefAttr name) { return name.getValue(); });
    sched::PhasesOp phases = allPhases.lookup(op.getKernel());
    if (!phases)
      return dispatch(op.getKernel(), buffers);
    for (auto [kernel, list] : llvm::zip(phases.getKernels().getAsRange<FlatSymbolRefAttr>(),
                                         phases.getArguments().getAsRange<DenseI64ArrayAttr>()))
      dispatch(kernel.getValue(), llvm::map_to_vector(list.asArrayRef(), [&](int64_t place) { return buffers[place]; }));
  });
  return constants;
}

/// What a target takes of any kernel, beside what its family asks for.
static constexpr StringLiteral targetKeys[] = {"warps", "stages", "warps_n", "warps_k"};

/// Yes or no, or a number of which 0 says no: what candidates say for these limits need not be all there is.
static constexpr StringLiteral choiceKeys[] = {"by_slot", "listed", "slices", "split"};

/// Configs may be written by hand. Keys are those of the family's candidates or of targets; a value is at most four times the
/// largest of them, so that nothing is built that no chip holds.
static LogicalResult checkConfig(sched::KernelOp kernel, const Family &family, const Limits &limits) {
  llvm::StringMap<int64_t> largest, smallest;
  for (StringRef key : targetKeys)
    largest[key] = key == "stages" ? 4 : 8;
  smallest["warps"] = 0; // on a CPU
  auto learn = [&](const Candidate &candidate) {
    for (NamedAttribute member : candidate.config)
      if (auto value = dyn_cast<IntegerAttr>(member.getValue())) {
        int64_t &most = largest[member.getName()], &least = smallest.try_emplace(member.getName(), 1).first->second;
        most = std::max(most, value.getInt()), least = std::min(least, value.getInt());
      }
  };
  Limits few = limits; // of a program that takes one token of each sequence
  few.maxRows = std::min(limits.maxRows, limits.maxBatch);
  for (const Chip &chip : chips())
    for (const Limits &each : {limits, few})
      for (const Candidate &candidate : family.candidates(kernel, chip, each))
        learn(candidate);
  for (NamedAttribute member : kernel.getConfig()) {
    StringRef key = member.getName();
    if (key == "instruction")
      continue;
    auto known = largest.find(key);
    if (known == largest.end()) {
      SmallVector<StringRef> keys(largest.keys());
      llvm::sort(keys);
      return kernel.emitOpError("config: unknown key '") << key << "'; family '" << kernel.getFamily() << "' has " << llvm::join(keys, ", ");
    }
    auto value = dyn_cast<IntegerAttr>(member.getValue());
    int64_t most = 4 * std::max<int64_t>(known->second, 1), least = smallest.try_emplace(key, 1).first->second;
    if (llvm::is_contained(choiceKeys, key))
      least = 0;
    if (!value || !value.getType().isInteger(64) || value.getInt() < least || value.getInt() > most)
      return kernel.emitOpError("config: expected '") << key << "' from " << least << " to " << most << " as i64, got " << member.getValue();
  }
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Families that build several phases
//===------------------------------------------------------------------------------------------===//

/// All take the kernel's memory arguments.
static SmallVector<StringRef> phasesOf(tile::KernelOp built) {
  auto phases = built->getAttrOfType<ArrayAttr>(phasesAttr);
  if (!phases)
    return {built.getSymName()};
  return llvm::to_vector(phases.getAsValueRange<StringAttr>());
}

/// In each list of phases the new ones stand for the kernel; marks between phases move with them.
static void expandIn(sched::PhasesOp phases, StringRef name, ArrayRef<StringRef> parts) {
  SmallVector<Attribute> kernels, arguments;
  SmallVector<int64_t> place; // of each old phase
  for (auto [kernel, list] : llvm::zip(phases.getKernels().getAsRange<FlatSymbolRefAttr>(), phases.getArguments())) {
    place.push_back(kernels.size());
    SmallVector<StringRef> own = kernel.getValue() == name ? SmallVector<StringRef>(parts) : SmallVector<StringRef>{kernel.getValue()};
    for (StringRef part : own) {
      kernels.push_back(FlatSymbolRefAttr::get(phases.getContext(), part));
      arguments.push_back(list);
    }
  }
  if (kernels.size() == place.size())
    return;
  Builder b(phases.getContext());
  phases.setKernelsAttr(b.getArrayAttr(kernels));
  phases.setArgumentsAttr(b.getArrayAttr(arguments));
  phases->getParentOfType<ModuleOp>().walk([&](sched::DispatchOp dispatch) {
    if (dispatch.getKernel() != phases.getSymName())
      return;
    for (Operation *op = dispatch->getNextNode(); auto mark = dyn_cast_or_null<sched::MarkOp>(op); op = op->getNextNode())
      if (auto phase = mark.getPhase())
        mark.setPhase(place[*phase]);
  });
}

static void putInPlace(ModuleOp module, StringRef name, ArrayRef<StringRef> parts) {
  bool inOthers = false, alone = false;
  for (auto phases : module.getOps<sched::PhasesOp>()) {
    inOthers |= llvm::is_contained(phases.getKernels(), FlatSymbolRefAttr::get(module.getContext(), name));
    expandIn(phases, name, parts);
  }
  module.walk([&](sched::DispatchOp dispatch) { alone |= dispatch.getKernel() == name; });
  if (inOthers && !alone)
    return;
  auto last = module.lookupSymbol<tile::KernelOp>(parts.back());
  int64_t count = last.getBody().getNumArguments() - 1 - last.getGrid().size(); // of buffers
  OpBuilder b(module.lookupSymbol(parts.back()));
  b.setInsertionPointAfter(module.lookupSymbol(parts.back()));
  SmallVector<Attribute> kernels, arguments;
  for (StringRef part : parts) {
    kernels.push_back(FlatSymbolRefAttr::get(module.getContext(), part));
    arguments.push_back(b.getDenseI64ArrayAttr(llvm::to_vector(llvm::seq<int64_t>(0, count))));
  }
  sched::PhasesOp::create(b, module.getLoc(), name, b.getArrayAttr(kernels), b.getArrayAttr(arguments));
}

static LogicalResult buildKernel(sched::KernelOp kernel, const Limits &limits, const Constants &constants, bool nameOps) {
  const Family *family = findFamily(kernel.getFamily());
  if (!family)
    return kernel.emitOpError("expected a kernel family, got '") << kernel.getFamily() << "'";
  std::string reason;
  if (!family->match(kernel.getBody().front(), reason))
    return kernel.emitOpError("the family '") << kernel.getFamily() << "' cannot build this kernel: " << reason;
  // A family stores what nobody in the body takes: without a result there is no place for it.
  for (Operation &op : kernel.getBody().front().without_terminator())
    for (OpResult result : op.getResults())
      if (result.use_empty())
        return op.emitOpError("result ") << result.getResultNumber() << " is neither used in kernel '"
                                         << kernel.getSymName() << "' nor among its sched.result";
  if (failed(checkConfig(kernel, *family, limits)))
    return failure();
  OpBuilder b(kernel);
  FailureOr<tile::KernelOp> built = family->build(b, kernel, limits);
  if (failed(built))
    return failure();
  SmallVector<StringRef> phases = phasesOf(*built);
  auto module = kernel->getParentOfType<ModuleOp>();
  if (nameOps)
    for (StringRef phase : phases)
      cedilla::nameOps(kernel, module.lookupSymbol<tile::KernelOp>(phase), limits);
  if (auto found = constants.find(kernel.getSymName()); found != constants.end())
    for (StringRef phase : phases)
      module.lookupSymbol(phase)->setAttr("tile.constants", b.getDenseI64ArrayAttr(found->second));
  std::string name = kernel.getSymName().str();
  kernel.erase();
  if (phases.size() > 1)
    putInPlace(module, name, phases);
  return success();
}

namespace {
struct BuildKernels : cedilla::impl::TileBuildKernelsBase<BuildKernels> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<Limits> limits = getLimits(getOperation());
    if (failed(limits))
      return signalPassFailure();
    Constants constants = findConstants(getOperation());
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<sched::KernelOp>()))
      if (failed(buildKernel(kernel, *limits, constants, nameOps)))
        return signalPassFailure();
  }
};
} // namespace
