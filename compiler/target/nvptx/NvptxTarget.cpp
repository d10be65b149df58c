//===- NvptxTarget.cpp - the back end for NVIDIA GPUs -----------------------------------------===//

#include "compiler/target/nvptx/NvptxTarget.h"

#include "compiler/target/nvptx/Assembler.h"
#include "compiler/target/nvptx/Emit.h"
#include "compiler/target/nvptx/Passes.h"
#include "compiler/watch/Watch.h"
#include "dialects/sched/Sched.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

namespace {
class NvptxTarget : public Target {
public:
  StringRef name() const override { return "nvptx"; }
  StringRef defaultChip() const override { return "sm_90a"; }

  std::vector<std::string> chips() const override {
    std::vector<std::string> names;
    for (const Chip &chip : cedilla::chips())
      if (chip.target == "nvptx")
        names.push_back(chip.name.str());
    return names;
  }

  void buildPipeline(OpPassManager &passes, StringRef chip) const override {
    nvptx::buildPipeline(passes, chip);
  }
  void buildChecks(OpPassManager &passes, StringRef chip) const override {
    nvptx::buildChecks(passes, chip);
  }
  std::string findMissing() const override {
    std::string message;
    (void)findAssembler(message);
    return message;
  }
  FailureOr<CompiledImage> emit(ModuleOp module, StringRef chip) const override;
  std::vector<OwningOpRef<ModuleOp>> split(ModuleOp module) const override;
  std::string tools() const override { return describeAssembler(); }
};
} // namespace

/// An entry is a part, with the kernels of its phases: ptxas inlines them into it.
std::vector<OwningOpRef<ModuleOp>> NvptxTarget::split(ModuleOp module) const {
  llvm::StringSet<> dispatched, inPhases;
  llvm::StringMap<tile::KernelOp> kernels;
  module.walk([&](sched::DispatchOp dispatch) { dispatched.insert(dispatch.getKernel()); });
  std::vector<OwningOpRef<ModuleOp>> parts;
  auto addPart = [&](Location loc) {
    parts.push_back(ModuleOp::create(loc));
    if (Attribute trace = module->getAttr(tracePointsAttr))
      (*parts.back())->setAttr(tracePointsAttr, trace);
  };
  auto add = [&](Operation *op) {
    OpBuilder::atBlockEnd(parts.back()->getBody()).clone(*op);
  };
  for (auto kernel : module.getOps<tile::KernelOp>())
    kernels[kernel.getSymName()] = kernel;
  for (auto phases : module.getOps<sched::PhasesOp>()) {
    addPart(phases.getLoc());
    add(phases);
    llvm::StringSet<> added;
    for (auto name : phases.getKernels().getAsRange<FlatSymbolRefAttr>()) {
      inPhases.insert(name.getValue());
      if (added.insert(name.getValue()).second)
        add(kernels[name.getValue()]);
    }
  }
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    if (inPhases.contains(kernel.getSymName()) && !dispatched.contains(kernel.getSymName()))
      continue;
    addPart(kernel.getLoc());
    add(kernel);
  }
  return parts;
}

/// Without the programs, whose dispatches would miss the kernels that are lowered away.
static OwningOpRef<ModuleOp> cloneKernels(ModuleOp module) {
  llvm::StringSet<> dispatched, inPhases;
  module.walk([&](sched::DispatchOp dispatch) { dispatched.insert(dispatch.getKernel()); });
  OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
  if (Attribute trace = module->getAttr(tracePointsAttr))
    (*copy)->setAttr(tracePointsAttr, trace);
  OpBuilder builder = OpBuilder::atBlockEnd(copy->getBody());
  for (auto phases : module.getOps<sched::PhasesOp>()) {
    builder.clone(*phases);
    for (auto name : phases.getKernels().getAsRange<FlatSymbolRefAttr>())
      inPhases.insert(name.getValue());
  }
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    Operation *cloned = builder.clone(*kernel);
    if (inPhases.contains(kernel.getSymName()) && !dispatched.contains(kernel.getSymName()))
      cloned->setAttr(phaseOnlyAttr, builder.getUnitAttr());
  }
  return copy;
}

/// What a package must know, read before the kernels are lowered away; the places are known
/// afterwards.
static std::vector<CompiledKernel> describe(ModuleOp module, const Chip &chip) {
  std::vector<CompiledKernel> kernels;
  llvm::StringMap<int64_t> threads;
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    CompiledKernel info;
    info.name = info.symbol = kernel.getSymName().str();
    info.dependent = launchesDependent(kernel, chip);
    info.threads = threads[info.name] = getConfig(kernel, "warps", 1) * chip.warp;
    if (!kernel->hasAttr(phaseOnlyAttr))
      kernels.push_back(info);
  }
  for (auto phases : module.getOps<sched::PhasesOp>()) {
    CompiledKernel info;
    info.name = info.symbol = phases.getSymName().str();
    info.dependent = chip.dependentLaunch;
    for (auto name : phases.getKernels().getAsRange<FlatSymbolRefAttr>())
      info.threads = std::max(info.threads, threads.lookup(name.getValue()));
    kernels.push_back(info);
  }
  return kernels;
}

/// Whether ptxas has said what the kernel uses.
static bool addUsage(CompiledKernel &kernel, ArrayRef<KernelUsage> usages) {
  for (const KernelUsage &usage : usages)
    if (usage.symbol == kernel.symbol) {
      kernel.registers = usage.registers;
      kernel.spillBytes = usage.spillBytes;
      return true;
    }
  return false;
}

/// For people, and for machines that assemble elsewhere.
static LogicalResult writePtx(ModuleOp module, StringRef ptx, StringRef file) {
  std::error_code error;
  llvm::raw_fd_ostream out(file, error);
  if (!error) {
    out << ptx;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error)
    return module.emitError("--emit-ptx: cannot write '") << file << "': " << error.message();
  return success();
}

/// Functions and ops of the code say which line they come from. Lines alone: nothing else is known of variables.
static LogicalResult addLines(LoweredKernels &lowered) {
  PassManager passes(lowered.module->getContext());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return runWatched(passes, *lowered.module);
}

gpu::GPUModuleOp LoweredKernels::code() { return *module->getOps<gpu::GPUModuleOp>().begin(); }

FailureOr<LoweredKernels> nvptx::lowerKernels(ModuleOp module, const Chip &chip) {
  LoweredKernels lowered;
  lowered.module = cloneKernels(module);
  lowered.kernels = describe(*lowered.module, chip);
  if (lowered.kernels.empty())
    return module.emitError("expected at least one tile.kernel");
  PassManager passes(module.getContext());
  nvptx::buildPipeline(passes, chip.name);
  if (failed(runWatched(passes, *lowered.module)))
    return failure();
  for (CompiledKernel &kernel : lowered.kernels)
    if (auto bytes =
            lowered.code().lookupSymbol(kernel.symbol)->getAttrOfType<IntegerAttr>(sharedBytesAttr))
      kernel.sharedBytes = bytes.getInt();
  return lowered;
}

/// Left alone, ptxas keeps a few words in memory where that lets another block run beside this one.
/// Kernels that spill are assembled once more with `.minnctapersm 1`: one block, all registers.
static FailureOr<Assembled> assembleWithoutSpills(std::string ptx, StringRef chip, std::string &message, bool lineInfo) {
  TimingScope time = timeWatched("ptxas");
  FailureOr<Assembled> assembled = assemble(ptx, chip, message, lineInfo);
  bool changed = false;
  if (succeeded(assembled))
    for (const KernelUsage &usage : assembled->kernels) {
      size_t entry = ptx.find(".entry " + usage.symbol + "(");
      size_t line = usage.spillBytes ? ptx.find(".reqntid", entry) : std::string::npos;
      if (entry == std::string::npos || line == std::string::npos)
        continue;
      ptx.insert(line, ".minnctapersm 1\n");
      changed = true;
    }
  return changed ? assemble(ptx, chip, message, lineInfo) : assembled;
}

FailureOr<CompiledImage> NvptxTarget::emit(ModuleOp module, StringRef chipName) const {
  const Chip *chip = findChipOrError(module, chipName);
  if (!chip)
    return failure();
  FailureOr<LoweredKernels> lowered = lowerKernels(module, *chip);
  if (failed(lowered))
    return failure();
  bool lineInfo = module->hasAttr(lineInfoAttr);
  if (lineInfo && failed(addLines(*lowered)))
    return failure();
  TimingScope time = timeWatched("LLVM");
  FailureOr<std::string> ptx = emitPtx(lowered->code(), *chip);
  time.stop();
  if (failed(ptx))
    return failure();
  auto file = module->getAttrOfType<StringAttr>(ptxFileAttr);
  if (file && failed(writePtx(module, *ptx, file)))
    return failure();
  std::string message;
  FailureOr<Assembled> assembled = assembleWithoutSpills(*ptx, chipName, message, lineInfo);
  if (failed(assembled))
    return module.emitError(message) << (file ? "" : " (--emit-ptx=<file> writes the PTX all the same)");
  CompiledImage image;
  image.target = name().str();
  image.chip = chipName.str();
  image.bytes = std::move(assembled->cubin);
  image.kernels = std::move(lowered->kernels);
  image.toolkit = assembled->toolkit;
  for (CompiledKernel &kernel : image.kernels)
    if (!addUsage(kernel, assembled->kernels))
      return module.emitError("ptxas said nothing of kernel '") << kernel.symbol << "'";
  return image;
}

const Target &cedilla::nvptxTarget() {
  static const NvptxTarget target;
  return target;
}
