//===- Pipeline.cpp - the order of passes of this back end ------------------------------------===//

#include "compiler/target/Passes.h"
#include "compiler/target/nvptx/NvptxTarget.h"
#include "compiler/target/nvptx/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cedilla;

void nvptx::buildChecks(OpPassManager &passes, StringRef chip) {
  std::string name = chip.str();
  passes.addPass(createNvptxAssignLayouts({name}));
  passes.addPass(createNvptxPlaceShared({name}));
  passes.addPass(createNvptxConvertTile({name}));
}

void nvptx::buildPipeline(OpPassManager &passes, StringRef chip) {
  buildChecks(passes, chip);
  // Here addresses can still be traced to arguments, and branches are regions.
  passes.addNestedPass<gpu::GPUModuleOp>(createNvptxCheckDependent());
  passes.addNestedPass<gpu::GPUModuleOp>(createNvptxAddTracePoints());
  passes.addNestedPass<gpu::GPUModuleOp>(createExpandMath());

  OpPassManager &kernels = passes.nest<gpu::GPUModuleOp>();
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createSCFToControlFlowPass());
  // Vectors are only what 16-byte accesses and bf16 pairs need; all are legal in LLVM.
  kernels.addPass(createConvertVectorToLLVMPass());
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass()); // only runs on a module
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addNestedPass<gpu::GPUModuleOp>(createCanonicalizerPass());
  passes.addNestedPass<gpu::GPUModuleOp>(createCSEPass());
}

void cedilla::registerNvptxPasses() {
  nvptx::registerNvptxAssignLayouts();
  nvptx::registerNvptxPlaceShared();
  nvptx::registerNvptxConvertTile();
  nvptx::registerNvptxCheckDependent();
  nvptx::registerNvptxAddTracePoints();
}
