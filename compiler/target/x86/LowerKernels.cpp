//===- LowerKernels.cpp - from tile.kernel to llvm.func ---------------------------------------===//
//
// Expects kernels with a planned arena; leaves one function per kernel with the runtime's CPU
// signature
//   void kernel(void *const *buffers, int64_t rows, const int64_t block[3], void *arena)
// whose body is scf, arith, math, vector and llvm. The ops are rewritten in text order; see
// Lowering.h.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"
#include "compiler/target/x86/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_X86LOWERKERNELS
#include "compiler/target/x86/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static LLVM::LLVMFuncOp createFunction(OpBuilder &b, tile::KernelOp kernel) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, b.getI64Type(), pointer, pointer});
  auto function = LLVM::LLVMFuncOp::create(b, kernel.getLoc(), kernel.getSymName(), type);
  for (unsigned i : {0, 2, 3}) // the arena is nobody else's; the lists do not change
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  for (StringRef name : {"arena_bytes", "config", "reproducibility"})
    function->setAttr(name, kernel->getAttr(name));
  return function;
}

/// Gives the kernel's arguments their values.
static void lowerArguments(Lowering &l, tile::KernelOp kernel, Block &entry) {
  Value buffers = entry.getArgument(0), rows = entry.getArgument(1), block = entry.getArgument(2);
  auto pointer = LLVM::LLVMPointerType::get(l.b.getContext());
  for (unsigned i = 0; i < kernel.getNumMemoryArguments(); ++i)
    l.scalars.map(kernel.getBody().getArgument(i),
                  l.load(pointer, l.address(buffers, pointer, int64_t(i))));
  l.scalars.map(kernel.getRows(), rows);
  for (unsigned dim = 0; dim < kernel.getGrid().size(); ++dim)
    l.scalars.map(kernel.getBlockId(dim),
                  l.load(l.i64Type(), l.address(block, l.i64Type(), int64_t(dim))));
}

static LogicalResult lowerKernel(tile::KernelOp kernel) {
  OpBuilder b(kernel);
  auto arenaBytes = kernel->getAttrOfType<IntegerAttr>("arena_bytes");
  if (!arenaBytes)
    return kernel.emitOpError("expected a planned arena; run ced-x86-plan-arena first");
  LLVM::LLVMFuncOp function = createFunction(b, kernel);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  Lowering l(b, kernel.getLoc(), entry->getArgument(3));
  lowerArguments(l, kernel, *entry);
  if (failed(lowerBlock(l, kernel.getBody().front())))
    return failure();
  LLVM::ReturnOp::create(b, l.loc, ValueRange());
  kernel.erase();
  return success();
}

namespace {
struct X86LowerKernels : cedilla::impl::X86LowerKernelsBase<X86LowerKernels> {
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>()))
      if (failed(lowerKernel(kernel)))
        return signalPassFailure();
  }
};
} // namespace
