//===- AddReadProgram.cpp - a kernel that only reads, for measuring ------------------------------===//
//
// Every block reads 32 KiB of the largest weight, a few 16-byte pieces per thread at once, and keeps one
// number of each row. What that takes is the rate that other kernels are compared with.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/tile/Passes.h"
#include "dialects/sched/Sched.h"
#include "kernels-gen/common/Signature.h"

#include "mlir/Parser/Parser.h"

namespace cedilla {
#define GEN_PASS_DEF_TILEADDREADPROGRAM
#include "compiler/tile/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static constexpr int64_t rowBytes = 4096, rowsPerBlock = 8;
static constexpr StringLiteral kernelText = R"(
tile.kernel @read_weights grid [#tile.grid<value = 1, rows_per = 8>] config {warps = 8 : i64} class "run" {
^bb0(%x: memref<?x1024xf32>, %y: memref<?x1xf32>, %rows: index, %block: index):
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %first = arith.muli %block, %c8 : index
  %t = tile.load %x[%first, %c0] : memref<?x1024xf32> -> !tile.tile<8x1024xf32>
  %most = tile.reduce max %t dim 1 : !tile.tile<8x1024xf32> -> !tile.tile<8x1xf32>
  tile.store %most, %y[%first, %c0] : !tile.tile<8x1xf32>, memref<?x1xf32>
  tile.return
})";

static int64_t bytesOf(sched::BufferOp buffer, const Limits &limits) {
  return sched::getBufferBytes(cast<MemRefType>(buffer.getType()), limits.maxRows);
}

namespace {
struct AddReadProgram : cedilla::impl::TileAddReadProgramBase<AddReadProgram> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    if (failed(limits))
      return signalPassFailure();
    auto workspace = module->getAttrOfType<IntegerAttr>("sched.workspace_bytes");
    auto programs = module.getOps<sched::ProgramOp>();
    sched::BufferOp largest;
    for (auto buffer : module.getOps<sched::BufferOp>())
      if (buffer.getKind() == sched::BufferKind::Weight && !buffer->hasAttr("sched.by_row") &&
          (!largest || bytesOf(buffer, *limits) > bytesOf(largest, *limits)))
        largest = buffer;
    if (!workspace || programs.empty() || !largest) {
      module.emitError("expected programs, weights and a planned workspace to read with");
      return signalPassFailure();
    }
    int64_t rows = std::min(bytesOf(largest, *limits) / rowBytes, workspace.getInt() / 4);
    rows = rows / rowsPerBlock * rowsPerBlock;
    if (rows == 0) {
      module.emitError("expected a weight of ") << rowsPerBlock * rowBytes << " bytes or more to read, got "
                                                << bytesOf(largest, *limits);
      return signalPassFailure();
    }
    add(module, largest, rows);
  }

  void add(ModuleOp module, sched::BufferOp weight, int64_t rows) {
    OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(kernelText, &getContext());
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    Location loc = module.getLoc();
    auto kernel = cast<tile::KernelOp>(b.clone(parsed->getBody()->front()));
    auto result = sched::BufferOp::create(b, loc, "read_result", sched::BufferKind::Workspace,
                                          MemRefType::get({rows, 1}, b.getF32Type()), b.getI64IntegerAttr(0), ArrayAttr(),
                                          StringAttr(), DenseI64ArrayAttr(), false);
    auto first = *module.getOps<sched::ProgramOp>().begin();
    auto program = sched::ProgramOp::create(b, loc, "read", first.getLogits());
    b.createBlock(&program.getBody());
    auto name = [&](StringRef symbol) { return FlatSymbolRefAttr::get(&getContext(), symbol); };
    sched::DispatchOp::create(b, loc, name(kernel.getSymName()),
                              b.getArrayAttr({name(weight.getSymName()), name(result.getSymName())}),
                              b.getStringAttr("read"), b.getI64IntegerAttr(-1));
  }
};
} // namespace
