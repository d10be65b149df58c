//===- Dependent.cpp - a kernel that begins before its predecessor ends -----------------------===//
//
// Launched with the attribute for it, a grid may start while the one before still runs. Until it
// has waited it may only read what no dispatch of the program writes (tile.constants). Waiting is
// not transitive: the successor's wait ends when this grid has ended, not when its predecessor has.
// So every thread waits on every path, at the latest before it returns.
//
// A staged loop begins its copies of constants first and waits between these and the others
// (LowerLoop.cpp); anything else waits before the first op that touches other memory.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

static bool isConstant(tile::KernelOp kernel, Value memory) {
  auto constants = kernel->getAttrOfType<DenseI64ArrayAttr>(constantsAttr);
  return constants &&
         llvm::is_contained(constants.asArrayRef(), cast<BlockArgument>(memory).getArgNumber());
}

bool Lowering::readsConstants(tile::LoadOp load) { return isConstant(kernel, load.getMemory()); }

/// Whether an op, or one inside it, touches memory that is not constant. The staged loads of a loop
/// that is run on every path see to themselves.
bool Lowering::accessesOthers(Operation *op) {
  if (!waits() || waited)
    return false;
  bool always = op->getParentOp() == kernel.getOperation();
  WalkResult walked = op->walk([&](Operation *inner) {
    if (always && inner->getParentOp() == op && inner->hasAttr(stagingAttr))
      return WalkResult::advance();
    for (Value operand : inner->getOperands())
      if (isa<MemRefType>(operand.getType()) && !isConstant(kernel, operand))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return walked.wasInterrupted();
}

void Lowering::waitForPredecessor() {
  if (!waits() || waited)
    return;
  if (chip.dependentLaunch)
    NVVM::GriddepcontrolOp::create(b, code.loc, NVVM::GridDepActionKind::wait);
  // The predecessor has ended; when all blocks have come as far, the successor's take what is left and copy their constants. Let in
  // ahead of the wait, kernels would queue up on places that the first of them needs; behind the work, its copies would come too late
  // (both measured, kernels-gen/README.md).
  if (chip.dependentLaunch)
    NVVM::GriddepcontrolOp::create(b, code.loc, NVVM::GridDepActionKind::launch_dependents);
  if (form == Form::Phase)
    waitForPhase();
  waited = true;
}

/// One thread looks until all blocks have arrived, the others wait for it.
void Lowering::waitForPhase() {
  code.when(code.isSet(gate.counter), [&] {
    code.when(code.equal(thread, 0), [&] { spin(code, gate); });
    code.barrier();
  });
}
