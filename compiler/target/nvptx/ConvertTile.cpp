//===- ConvertTile.cpp - every tile.kernel becomes a function of one thread -------------------===//

#include "compiler/target/nvptx/Lowering.h"

#include "llvm/ADT/StringSet.h"

namespace cedilla::nvptx {
#define GEN_PASS_DEF_NVPTXCONVERTTILE
#include "compiler/target/nvptx/Passes.h.inc"
} // namespace cedilla::nvptx

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

namespace {
struct ConvertTile : nvptx::impl::NvptxConvertTileBase<ConvertTile> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Chip *row = findChipOrError(module, chip);
    if (!row)
      return signalPassFailure();
    auto kernels = llvm::to_vector(module.getOps<tile::KernelOp>());
    if (kernels.empty())
      return;

    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto target = gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    builder.setInsertionPointToStart(target.getBody());
    // All dynamic shared memory of a block; its size is said at the launch.
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    auto shared = LLVM::GlobalOp::create(builder, module.getLoc(), bytes, /*isConstant=*/false,
                                         LLVM::Linkage::External, "shared", Attribute(),
                                         /*alignment=*/128, /*addrSpace=*/3);
    auto allPhases = llvm::to_vector(module.getOps<sched::PhasesOp>());
    llvm::StringSet<> inPhases;
    std::vector<SmallVector<Stage>> stages;
    for (sched::PhasesOp phases : allPhases) {
      stages.push_back(stagesOf(phases));
      for (auto name : phases.getKernels().getAsRange<FlatSymbolRefAttr>())
        inPhases.insert(name.getValue());
    }
    for (tile::KernelOp kernel : kernels) {
      SmallVector<Form> forms;
      if (!kernel->hasAttr(phaseOnlyAttr))
        forms.push_back(Form::Entry);
      if (inPhases.contains(kernel.getSymName()))
        forms.push_back(Form::Phase);
      for (Form form : forms) {
        builder.setInsertionPointToEnd(target.getBody());
        if (failed(Lowering(kernel, form, *row, builder).run(shared)))
          return signalPassFailure();
      }
    }
    for (auto [phases, found] : llvm::zip(allPhases, stages)) {
      buildPhases(phases, found, *row, target);
      phases.erase();
    }
    for (tile::KernelOp kernel : kernels)
      kernel.erase();
  }
};
} // namespace
