//===- Emit.cpp - LLVM dialect to PTX with LLVM's NVPTX back end ------------------------------===//

#include "compiler/target/nvptx/Emit.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;
using namespace cedilla;

static void initializeBackEnd() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

static void run(llvm::ModulePassManager &passes, llvm::PassBuilder &builder, llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  passes.run(module, modules);
}

std::unique_ptr<llvm::Module> nvptx::translateToLLVM(gpu::GPUModuleOp module,
                                                     llvm::LLVMContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, "kernels");
  if (!translated) {
    module.emitError("cannot translate to LLVM IR");
    return {};
  }
  // Phases become part of their entries, also where nothing else is optimised.
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  llvm::PassBuilder builder;
  run(passes, builder, *translated);
  return translated;
}

static std::unique_ptr<llvm::TargetMachine> makeMachine(const Chip &chip, std::string &error) {
  initializeBackEnd();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return {};
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // a fused multiply-add is written as one
  std::string features = "+ptx" + std::to_string(chip.ptxVersion);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, chip.name, features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  llvm::ModulePassManager passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  run(passes, builder, module);
}

FailureOr<std::string> nvptx::emitPtx(gpu::GPUModuleOp module, const Chip &chip) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateToLLVM(module, context);
  if (!translated)
    return failure();
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = makeMachine(chip, error);
  if (!machine)
    return module.emitError("no NVPTX back end in this LLVM: ") << error;
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  optimize(*translated, *machine);

  SmallString<0> ptx;
  llvm::raw_svector_ostream out(ptx);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return module.emitError("this LLVM cannot emit PTX");
  passes.run(*translated);
  return std::string(ptx);
}
