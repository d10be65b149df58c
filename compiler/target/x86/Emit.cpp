//===- Emit.cpp - from the LLVM dialect to an object file -------------------------------------===//
//
// LLVM's O2 without its vectorisers (the loops are vector loops already) and with no library
// functions known, so that no loop becomes a call of memset or memcpy. No fast-math, no
// contraction.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Emit.h"

#include "compiler/target/x86/Lowering.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static constexpr const char *tripleName = "x86_64-unknown-linux-gnu";

static std::unique_ptr<llvm::TargetMachine> createMachine(ModuleOp module, const Chip &chip) {
  static const bool initialised = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)initialised;
  std::string error;
  llvm::Triple triple(tripleName);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    module.emitError("expected LLVM with an x86 code generator: ") << error;
    return nullptr;
  }
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, chip.cpu, /*Features=*/"", options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

static void setAttributes(llvm::Module &module, const Chip &chip) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", chip.cpu);
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::TargetLibraryInfoImpl noLibrary(module.getTargetTriple());
  noLibrary.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(noLibrary); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

/// Sizes of the functions; fails where a symbol is undefined.
static LogicalResult readSymbols(ModuleOp module, Object &object) {
  llvm::MemoryBufferRef buffer({object.bytes.data(), object.bytes.size()}, "kernels");
  auto file = llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return module.emitError("cannot read the object that LLVM wrote: ")
           << llvm::toString(file.takeError());
  for (llvm::object::ELFSymbolRef symbol :
       llvm::cast<llvm::object::ELFObjectFileBase>(**file).symbols()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!name || !flags)
      return module.emitError("cannot read the symbols that LLVM wrote");
    // Only kernels of other objects are declared with an arena.
    Operation *declared = name->empty() ? nullptr : module.lookupSymbol(*name);
    bool isKernel = declared && declared->hasAttr(x86::arenaBytesAttr);
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() && !isKernel)
      return module.emitError("expected kernels without imports, got one of '")
             << *name << "': an op was lowered to a library call";
    if (symbol.getELFType() == llvm::ELF::STT_FUNC)
      object.codeBytes[*name] = symbol.getSize();
  }
  return success();
}

FailureOr<Object> cedilla::x86::emitObject(ModuleOp module, const Chip &chip) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(module, chip);
  if (!machine)
    return failure();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, "kernels");
  if (!code)
    return failure(); // with a diagnostic
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  setAttributes(*code, chip);
  optimise(*code, *machine);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  llvm::TargetLibraryInfoImpl noLibrary(code->getTargetTriple());
  noLibrary.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(noLibrary));
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return module.emitError("LLVM cannot write x86 object files"), failure();
  passes.run(*code);

  Object object;
  object.bytes.assign(bytes.begin(), bytes.end());
  if (failed(readSymbols(module, object)))
    return failure();
  return object;
}
