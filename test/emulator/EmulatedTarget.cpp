//===- EmulatedTarget.cpp - the nvptx pipeline up to LLVM IR ----------------------------------===//

#include "compiler/target/nvptx/Emit.h"
#include "compiler/target/nvptx/NvptxTarget.h"
#include "compiler/target/nvptx/Passes.h"
#include "test/emulator/Emulator.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cedilla;

namespace {
class EmulatedTarget : public Target {
public:
  StringRef name() const override { return nvptxTarget().name(); }
  StringRef defaultChip() const override { return nvptxTarget().defaultChip(); }
  std::vector<std::string> chips() const override { return nvptxTarget().chips(); }
  void buildPipeline(OpPassManager &passes, StringRef chip) const override {
    nvptxTarget().buildPipeline(passes, chip);
  }
  void buildChecks(OpPassManager &passes, StringRef chip) const override { nvptxTarget().buildChecks(passes, chip); }

  FailureOr<CompiledImage> emit(ModuleOp module, StringRef chipName) const override {
    const Chip *chip = nvptx::findChipOrError(module, chipName);
    if (!chip)
      return failure();
    FailureOr<nvptx::LoweredKernels> lowered = nvptx::lowerKernels(module, *chip);
    if (failed(lowered))
      return failure();
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> code = nvptx::translateToLLVM(lowered->code(), context);
    if (!code)
      return failure();
    SmallVector<char, 0> bitcode;
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(*code, stream);
    CompiledImage image;
    image.target = name().str();
    image.chip = chipName.str();
    image.bytes.assign(bitcode.begin(), bitcode.end());
    image.kernels = std::move(lowered->kernels);
    return image;
  }
};
} // namespace

const Target &emulator::emulatedNvptx() {
  static const EmulatedTarget target;
  return target;
}

emulator::Options &emulator::options() {
  static Options options;
  return options;
}
