//===- Kernel.cpp - verifier of the kernel op -------------------------------------------------===//

#include "dialects/tile/Tile.h"

using namespace mlir;
using namespace cedilla::tile;

static LogicalResult verifyGrid(KernelOp kernel) {
  auto grid = kernel.getGrid().getAsRange<GridAttr>();
  // C2
  size_t rank = kernel.getGrid().size();
  if (rank < 1 || rank > 3)
    return kernel.emitOpError("expected a grid of 1 to 3 dims, got ") << rank;
  for (GridAttr dim : grid)
    if (dim.getValue() < 0 || dim.getRowsPer() < 0 || dim.getValue() + dim.getRowsPer() == 0)
      return kernel.emitOpError("expected a grid dim with value or rows_per > 0, got ") << dim;
  return success();
}

LogicalResult KernelOp::verify() {
  if (failed(verifyGrid(*this)))
    return failure();

  // C1
  Block &body = getBody().front();
  unsigned indices = 1 + getGrid().size();
  if (body.getNumArguments() < indices)
    return emitOpError("expected memory arguments followed by ")
           << indices << " indices (rows, block coordinates), got " << body.getNumArguments()
           << " arguments";
  for (auto [i, type] : llvm::enumerate(body.getArgumentTypes())) {
    bool wantIndex = i >= getNumMemoryArguments();
    if (wantIndex ? !type.isIndex() : !isa<MemRefType>(type))
      return emitOpError("expected argument #")
             << i << " to be " << (wantIndex ? "an index" : "a memref") << ", got " << type;
  }

  // C3
  for (unsigned i = 0; i < getNumMemoryArguments(); ++i) {
    auto memory = cast<MemRefType>(body.getArgument(i).getType());
    bool plain = memory.getLayout().isIdentity() && !memory.getMemorySpace();
    bool onlyFirstDynamic = memory.getRank() == 0 ||
                            llvm::none_of(memory.getShape().drop_front(), ShapedType::isDynamic);
    if (!plain || !onlyFirstDynamic || memory.getRank() == 0)
      return emitOpError("expected argument #")
             << i
             << " to be a row-major memref of rank >= 1 with at most its first dim dynamic, got "
             << memory;
  }

  // C4
  if (!llvm::is_contained({"run", "batch", "phase"}, getReproducibility()))
    return emitOpError("expected class \"run\", \"batch\" or \"phase\", got \"")
           << getReproducibility() << "\"";
  return success();
}
