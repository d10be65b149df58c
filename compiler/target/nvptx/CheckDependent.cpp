//===- CheckDependent.cpp - a kernel launched early waits on every path -----------------------===//
//
// Looks at functions as ConvertTile leaves them: one block, branches and loops as regions, global memory
// reached through pointers that come from arguments. Whatever cannot be traced counts as memory that
// somebody writes.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Passes.h"

namespace cedilla::nvptx {
#define GEN_PASS_DEF_NVPTXCHECKDEPENDENT
#include "compiler/target/nvptx/Passes.h.inc"
} // namespace cedilla::nvptx

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

namespace {
class Checker {
public:
  explicit Checker(LLVM::LLVMFuncOp function)
      : function(function),
        constants(function->getAttrOfType<DenseI64ArrayAttr>(constantsAttr).asArrayRef()) {}

  LogicalResult check();

private:
  /// Whether every path has waited behind the block, given whether it has before it.
  FailureOr<bool> run(Block &block, bool waited);
  FailureOr<bool> runRegions(Operation *op, bool waited);
  bool isConstant(Value pointer);

  LLVM::LLVMFuncOp function;
  ArrayRef<int64_t> constants;
};
} // namespace

static bool isGlobalPointer(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() <= 1; // 0: may point anywhere
}

/// Ops that compute addresses and touch nothing.
static bool onlyComputes(Operation *op) {
  return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::AddressOfOp, LLVM::PtrToIntOp, LLVM::SelectOp,
             arith::SelectOp, scf::YieldOp>(op);
}

bool Checker::isConstant(Value pointer) {
  while (true) {
    if (auto gep = pointer.getDefiningOp<LLVM::GEPOp>())
      pointer = gep.getBase();
    else if (auto cast = pointer.getDefiningOp<LLVM::AddrSpaceCastOp>())
      pointer = cast.getArg();
    else
      break;
  }
  if (auto address = pointer.getDefiningOp<LLVM::AddressOfOp>())
    return address.getType().getAddressSpace() == 3; // the block's own
  if (auto select = pointer.getDefiningOp<arith::SelectOp>())
    return isConstant(select.getTrueValue()) && isConstant(select.getFalseValue());
  auto argument = dyn_cast<BlockArgument>(pointer);
  return argument && argument.getOwner() == &function.front() &&
         llvm::is_contained(constants, argument.getArgNumber());
}

/// A loop's body may run zero times; a branch has waited where both sides have.
FailureOr<bool> Checker::runRegions(Operation *op, bool waited) {
  bool branch = isa<scf::IfOp>(op), all = branch;
  for (Region &region : op->getRegions()) {
    bool after = waited;
    for (Block &block : region) {
      FailureOr<bool> result = run(block, waited);
      if (failed(result))
        return failure();
      after = *result;
    }
    all = all && after;
  }
  return waited || all;
}

FailureOr<bool> Checker::run(Block &block, bool waited) {
  for (Operation &op : block) {
    if (auto control = dyn_cast<NVVM::GriddepcontrolOp>(op)) {
      waited = waited || control.getKind() == NVVM::GridDepActionKind::wait;
      continue;
    }
    if (!waited && !onlyComputes(&op))
      for (Value operand : op.getOperands())
        if (isGlobalPointer(operand.getType()) && !isConstant(operand))
          return op.emitOpError("in kernel '")
                 << function.getSymName()
                 << "' touches memory that another dispatch may write before it has waited for its "
                    "predecessor: expected 'nvvm.griddepcontrol wait' before it, or its argument in '"
                 << constantsAttr << "'";
    FailureOr<bool> after = runRegions(&op, waited);
    if (failed(after))
      return failure();
    waited = *after;
  }
  return waited;
}

LogicalResult Checker::check() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected one block, branches and loops as regions, got ")
           << function.getBody().getBlocks().size();
  FailureOr<bool> waited = run(function.front(), false);
  if (failed(waited))
    return failure();
  if (!*waited)
    return function.emitOpError("expected every path to wait for the predecessor before it returns");
  return success();
}

namespace {
struct CheckDependent : nvptx::impl::NvptxCheckDependentBase<CheckDependent> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(constantsAttr) && failed(Checker(function).check()))
        return signalPassFailure();
  }
};
} // namespace
