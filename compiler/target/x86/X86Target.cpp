//===- X86Target.cpp - the back end for x86-64 CPUs -------------------------------------------===//

#include "compiler/target/x86/X86Target.h"

#include "compiler/target/Passes.h"
#include "compiler/target/x86/Chips.h"
#include "compiler/target/x86/Emit.h"
#include "compiler/target/x86/Link.h"
#include "compiler/target/x86/Lowering.h"
#include "compiler/target/x86/Passes.h"
#include "compiler/watch/Watch.h"
#include "dialects/sched/Sched.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cedilla;

void cedilla::registerX86Passes() { registerX86KernelPasses(); }

/// Kernels and what is made of them alone, in their own module.
static OwningOpRef<ModuleOp> cloneKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(copy->getBody());
  for (auto kernel : module.getOps<tile::KernelOp>())
    builder.clone(*kernel);
  for (auto phases : module.getOps<sched::PhasesOp>())
    builder.clone(*phases);
  return copy;
}

static LogicalResult linkObjects(ModuleOp module, ArrayRef<ArrayRef<char>> objects, std::vector<char> &image) {
  llvm::Expected<std::vector<char>> linked = x86::linkImage(objects);
  if (!linked)
    return module.emitError(llvm::toString(linked.takeError())), failure();
  image = std::move(*linked);
  return success();
}

namespace {
class X86Target : public Target {
public:
  StringRef name() const override { return "x86"; }
  StringRef defaultChip() const override { return "avx2"; }
  std::vector<std::string> chips() const override { return x86::chipNames(); }

  void buildChecks(OpPassManager &passes, StringRef) const override {
    passes.addNestedPass<tile::KernelOp>(createX86PlanArena());
    passes.addPass(createX86LowerKernels());
  }
  void buildPipeline(OpPassManager &passes, StringRef chip) const override {
    buildChecks(passes, chip);
    passes.addPass(createExpandMath()); // before math-to-llvm makes intrinsics of what it knows
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertVectorToLLVMPass());
    passes.addPass(createConvertMathToLLVMPass());
    passes.addPass(createArithToLLVMConversionPass());
    passes.addPass(createConvertControlFlowToLLVMPass());
    passes.addPass(createReconcileUnrealizedCastsPass());
    passes.addPass(createX86CheckVectors());
  }

  FailureOr<CompiledImage> emit(ModuleOp module, StringRef chip) const override {
    OwningOpRef<ModuleOp> kernels = cloneKernels(module);
    FailureOr<CompiledImage> object = compile(*kernels, chip);
    if (failed(object) || failed(linkObjects(module, {ArrayRef(object->bytes)}, object->bytes)))
      return failure();
    return object;
  }

  /// Every kernel by itself; what calls those of several phases is small and made where all are linked.
  std::vector<OwningOpRef<ModuleOp>> split(ModuleOp module) const override {
    std::vector<OwningOpRef<ModuleOp>> parts;
    for (auto kernel : module.getOps<tile::KernelOp>()) {
      parts.push_back(ModuleOp::create(kernel.getLoc()));
      OpBuilder::atBlockEnd(parts.back()->getBody()).clone(*kernel);
    }
    return parts;
  }
  FailureOr<CompiledImage> emitPart(ModuleOp part, StringRef chip) const override { return compile(part, chip); }
  FailureOr<std::vector<CompiledImage>> link(ModuleOp module, StringRef chip, std::vector<CompiledImage> parts) const override;

private:
  FailureOr<CompiledImage> compile(ModuleOp kernels, StringRef chip) const;
};
} // namespace

/// An object in place of an image.
FailureOr<CompiledImage> X86Target::compile(ModuleOp kernels, StringRef chipName) const {
  const x86::Chip *chip = x86::findChip(chipName);
  if (!chip)
    return kernels.emitError("expected an x86 chip of ") << llvm::join(chips(), ", ") << ", got '" << chipName << "'", failure();
  PassManager passes(kernels.getContext());
  buildPipeline(passes, chipName);
  if (failed(runWatched(passes, kernels)))
    return failure();
  TimingScope time = timeWatched("LLVM");
  FailureOr<x86::Object> object = x86::emitObject(kernels, *chip);
  if (failed(object))
    return failure();
  CompiledImage result{name().str(), chipName.str(), std::move(object->bytes), {}};
  for (auto function : kernels.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    std::string symbol = function.getSymName().str();
    uint64_t arena = function->getAttrOfType<IntegerAttr>(x86::arenaBytesAttr).getInt();
    result.kernels.push_back({symbol, symbol, object->codeBytes.lookup(symbol), arena});
  }
  return result;
}

/// Functions that call kernels of other objects.
static OwningOpRef<ModuleOp> declareKernels(ModuleOp module, ArrayRef<CompiledImage> parts) {
  module.getContext()->loadDialect<LLVM::LLVMDialect, arith::ArithDialect, scf::SCFDialect>(); // no pass has, where all parts were found
  OwningOpRef<ModuleOp> callers = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(callers->getBody());
  for (const CompiledImage &part : parts)
    for (const CompiledKernel &kernel : part.kernels)
      x86::declareKernel(builder, module.getLoc(), kernel.symbol, kernel.arenaBytes);
  // At once: the verifier knows no phases of lowered kernels.
  for (auto phases : module.getOps<sched::PhasesOp>())
    x86::lowerPhases(cast<sched::PhasesOp>(builder.clone(*phases)), *callers);
  return callers;
}

FailureOr<std::vector<CompiledImage>> X86Target::link(ModuleOp module, StringRef chip, std::vector<CompiledImage> parts) const {
  if (!module.getOps<sched::PhasesOp>().empty()) {
    OwningOpRef<ModuleOp> callers = declareKernels(module, parts);
    FailureOr<CompiledImage> object = compile(*callers, chip);
    if (failed(object))
      return failure();
    parts.push_back(std::move(*object));
  }
  CompiledImage whole{name().str(), chip.str(), {}, {}};
  SmallVector<ArrayRef<char>> objects;
  for (const CompiledImage &part : parts) {
    objects.push_back(part.bytes);
    llvm::append_range(whole.kernels, part.kernels);
  }
  if (failed(linkObjects(module, objects, whole.bytes)))
    return failure();
  return std::vector<CompiledImage>{std::move(whole)};
}

const Target &cedilla::x86Target() {
  static const X86Target target;
  return target;
}
