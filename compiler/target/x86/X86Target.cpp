//===- X86Target.cpp - the back end for x86-64 CPUs -------------------------------------------===//

#include "compiler/target/x86/X86Target.h"

#include "compiler/target/Passes.h"
#include "compiler/target/x86/Chips.h"
#include "compiler/target/x86/Emit.h"
#include "compiler/target/x86/Link.h"
#include "compiler/target/x86/Passes.h"
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

  FailureOr<CompiledImage> emit(ModuleOp module, StringRef chipName) const override {
    const x86::Chip *chip = x86::findChip(chipName);
    if (!chip)
      return module.emitError("expected an x86 chip of ")
                 << llvm::join(chips(), ", ") << ", got '" << chipName << "'",
             failure();
    OwningOpRef<ModuleOp> lowered = cloneKernels(module);
    PassManager passes(module.getContext());
    buildPipeline(passes, chipName);
    if (failed(passes.run(*lowered)))
      return failure();
    FailureOr<x86::Object> object = x86::emitObject(*lowered, *chip);
    if (failed(object))
      return failure();
    llvm::Expected<std::vector<char>> image = x86::linkImage(object->bytes);
    if (!image)
      return module.emitError(llvm::toString(image.takeError())), failure();

    CompiledImage result{name().str(), chipName.str(), std::move(*image), {}};
    for (auto function : lowered->getOps<LLVM::LLVMFuncOp>()) {
      std::string symbol = function.getSymName().str();
      uint64_t arena = function->getAttrOfType<IntegerAttr>("arena_bytes").getInt();
      result.kernels.push_back({symbol, symbol, object->codeBytes.lookup(symbol), arena});
    }
    return result;
  }
};
} // namespace

const Target &cedilla::x86Target() {
  static const X86Target target;
  return target;
}
