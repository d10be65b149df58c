//===- main.cpp - ced-test-nvptx: what this back end makes of tile kernels --------------------===//
//
//   ced-test-nvptx ptx <file> <chip>       prints the PTX
//   ced-test-nvptx usage <file> <chip>     assembles it and prints what ptxas says, one line per
//   kernel ced-test-nvptx geometry                checks the layouts
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Emit.h"
#include "compiler/target/nvptx/NvptxTarget.h"
#include "compiler/target/nvptx/Passes.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cedilla;

bool checkGeometry(MLIRContext &context);

static bool printPtx(ModuleOp module, StringRef chip) {
  const Chip *row = nvptx::findChipOrError(module, chip);
  PassManager passes(module.getContext());
  nvptx::buildPipeline(passes, chip);
  if (!row || failed(passes.run(module)))
    return false;
  FailureOr<std::string> ptx = nvptx::emitPtx(*module.getOps<gpu::GPUModuleOp>().begin(), *row);
  if (failed(ptx))
    return false;
  llvm::outs() << *ptx;
  return true;
}

static bool printUsage(ModuleOp module, StringRef chip) {
  FailureOr<CompiledImage> image = nvptxTarget().emit(module, chip);
  if (failed(image))
    return false;
  for (const CompiledKernel &kernel : image->kernels)
    llvm::outs() << kernel.name << ": " << kernel.threads << " threads, " << kernel.registers
                 << " registers, " << kernel.spillBytes << " bytes spilled, " << kernel.sharedBytes
                 << " bytes of shared memory\n";
  return true;
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect>();
  MLIRContext context(registry);
  StringRef command = argc > 1 ? argv[1] : "";
  if (command == "geometry")
    return checkGeometry(context) ? 0 : 1;
  if (argc != 4 || (command != "ptx" && command != "usage")) {
    llvm::errs() << "usage: ced-test-nvptx ptx|usage <file> <chip> | geometry\n";
    return 2;
  }
  auto module = parseSourceFile<ModuleOp>(argv[2], &context);
  if (!module)
    return 1;
  return (command == "ptx" ? printPtx(*module, argv[3]) : printUsage(*module, argv[3])) ? 0 : 1;
}
