//===- Engram.cpp - engram: what is asked, configs, and which body is built -------------------------------===//

#include "kernels-gen/engram/Engram.h"

#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

bool EngramFamily::match(Block &body, std::string &reason) const {
  Operation *op = findSingleOp<ced::EngramRowsOp, ced::EngramLookupOp, ced::EngramInjectOp>(body, reason);
  if (!op)
    return false;
  if (auto lookup = dyn_cast<ced::EngramLookupOp>(op))
    if (cast<ced::ScaledType>(lookup.getTable().getType()).getPlacement() != ced::Placement::Planar)
      reason = "expected a planar table";
  return reason.empty();
}

SmallVector<Candidate> EngramFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  Operation &op = kernel.getBody().front().front();
  Candidate only;
  only.cost = limits.maxRows;
  // Injection holds whole vectors; the others are short.
  int64_t warps = isa<ced::EngramInjectOp>(op) ? 8 : 1;
  only.config = makeConfig(kernel.getContext(), {{"warps", chip.warp ? warps : 0}});
  if (auto inject = dyn_cast<ced::EngramInjectOp>(op)) {
    int64_t d = cast<RankedTensorType>(inject.getStream().getType()).getShape().back();
    int64_t bytes = tileWidth(d) * 4 * 8;
    if (bytes > chip.sharedBytes)
      only.rejection = "needs " + std::to_string(bytes) + " bytes of scratch, the chip has " +
                       std::to_string(chip.sharedBytes);
  }
  return {only};
}

FailureOr<tile::KernelOp> EngramFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  Operation &op = kernel.getBody().front().front();
  MLIRContext *context = builder.getContext();
  if (auto rows = dyn_cast<ced::EngramRowsOp>(op)) {
    KernelBuilder k(builder, kernel, limits, {gridRows(context, 1)}, "phase");
    buildEngramRows(k, rows);
    return k.finish();
  }
  if (auto lookup = dyn_cast<ced::EngramLookupOp>(op)) {
    int64_t columns = cast<RankedTensorType>(lookup.getRows().getType()).getDimSize(2);
    KernelBuilder k(builder, kernel, limits, {gridBlocks(context, columns), gridRows(context, 1)}, "phase");
    buildEngramLookup(k, lookup);
    return k.finish();
  }
  auto inject = cast<ced::EngramInjectOp>(op);
  int64_t streams = cast<RankedTensorType>(inject.getStream().getType()).getDimSize(1);
  KernelBuilder k(builder, kernel, limits, {gridBlocks(context, streams), gridRows(context, 1)}, "batch");
  buildEngramInject(k, inject);
  return k.finish();
}
