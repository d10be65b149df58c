//===- LowerKernels.cpp - from tile.kernel to llvm.func ---------------------------------------===//
//
// Expects kernels with a planned arena; leaves one function per kernel with the runtime's CPU
// signature
//   void kernel(void *const *buffers, int64_t rows, const int64_t block[3], void *arena)
// whose body is scf, arith, math, vector and llvm. The ops are rewritten in text order; see
// Lowering.h. A sched.phases becomes a function of the same signature that calls the kernel of phase
// block[3].
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"
#include "compiler/target/x86/Passes.h"
#include "dialects/sched/Sched.h"

namespace cedilla {
#define GEN_PASS_DEF_X86LOWERKERNELS
#include "compiler/target/x86/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

static LLVM::LLVMFuncOp createFunction(OpBuilder &b, Location loc, StringRef name) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, b.getI64Type(), pointer, pointer});
  return LLVM::LLVMFuncOp::create(b, loc, name, type);
}

void x86::declareKernel(OpBuilder &b, Location loc, StringRef name, int64_t arenaBytes) {
  createFunction(b, loc, name)->setAttr(arenaBytesAttr, b.getI64IntegerAttr(arenaBytes));
}

static LLVM::LLVMFuncOp createFunction(OpBuilder &b, tile::KernelOp kernel) {
  LLVM::LLVMFuncOp function = createFunction(b, kernel.getLoc(), kernel.getSymName());
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

/// Calls the kernel of the phase that block[3] names, with the buffers that are its arguments. Their list
/// lies in the arena, behind what the kernels use of it.
void x86::lowerPhases(sched::PhasesOp phases, ModuleOp module) {
  OpBuilder b(phases);
  Location loc = phases.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<LLVM::LLVMFuncOp> kernels;
  int64_t arenaBytes = 0, longest = 0;
  for (auto [name, list] : llvm::zip(phases.getKernels().getAsRange<FlatSymbolRefAttr>(),
                                     phases.getArguments().getAsRange<DenseI64ArrayAttr>())) {
    kernels.push_back(module.lookupSymbol<LLVM::LLVMFuncOp>(name.getValue()));
    kernels.back().setNoInline(true); // several kernels of phases may share it
    arenaBytes = std::max(arenaBytes, kernels.back()->getAttrOfType<IntegerAttr>("arena_bytes").getInt());
    longest = std::max<int64_t>(longest, list.size());
  }
  arenaBytes = llvm::alignTo(arenaBytes, 64);
  LLVM::LLVMFuncOp function = createFunction(b, loc, phases.getSymName());
  function->setAttr("arena_bytes", b.getI64IntegerAttr(arenaBytes + longest * 8));
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  Value buffers = entry->getArgument(0), block = entry->getArgument(2), arena = entry->getArgument(3);
  Lowering l(b, loc, arena);
  Value phase = l.load(l.i64Type(), l.address(block, l.i64Type(), int64_t(3)));
  Value own = l.address(arena, l.i8(), arenaBytes);
  for (auto [i, list] : llvm::enumerate(phases.getArguments().getAsRange<DenseI64ArrayAttr>())) {
    Value number = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(i));
    Value isThis = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, phase, number);
    auto branch = scf::IfOp::create(b, loc, isThis, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&branch.getThenRegion().front());
    for (auto [place, argument] : llvm::enumerate(list.asArrayRef()))
      l.store(l.load(pointer, l.address(buffers, pointer, argument)), l.address(own, pointer, int64_t(place)));
    LLVM::CallOp::create(b, loc, kernels[i], ValueRange{own, entry->getArgument(1), block, arena});
  }
  LLVM::ReturnOp::create(b, loc, ValueRange());
  phases.erase();
}

namespace {
struct X86LowerKernels : cedilla::impl::X86LowerKernelsBase<X86LowerKernels> {
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>()))
      if (failed(lowerKernel(kernel)))
        return signalPassFailure();
    for (auto phases : llvm::make_early_inc_range(getOperation().getOps<sched::PhasesOp>()))
      lowerPhases(phases, getOperation());
  }
};
} // namespace
