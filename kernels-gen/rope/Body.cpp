//===- Body.cpp - rope: the kernel ---------------------------------------------------------------------===//

#include "kernels-gen/common/Rotation.h"
#include "kernels-gen/rope/Rope.h"

using namespace mlir;
using namespace cedilla;

FailureOr<tile::KernelOp> RopeFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  RopeProblem p = readRopeProblem(kernel.getBody().front());
  ced::RopeOp op = p.op;
  int64_t rows = configValue(kernel, "block_heads");
  if (rows <= 0 || (!p.heads && rows != 1))
    return kernel.emitOpError("expected positive block_heads, 1 without heads, got ") << kernel.getConfig();

  MLIRContext *context = builder.getContext();
  int64_t blocks = p.heads ? ceilDiv(p.heads, rows) : 1;
  KernelBuilder k(builder, kernel, limits, {gridBlocks(context, blocks), gridRows(context, 1)}, "phase");
  Value t = k.block(1), head = k.mul(k.block(0), rows);
  Value left = p.heads % rows ? k.sub(k.index(p.heads), head) : Value();
  auto at = [&](int64_t col) {
    return p.heads ? SmallVector<Value>{t, head, k.index(col)} : SmallVector<Value>{t, k.index(col)};
  };
  Value x = k.memory(op.getX()), result = k.memory(op.getResult());

  int64_t turned = op.getRope().getDim(), kept = p.cols - turned;
  if (kept > 0) {
    Access cut{left, k.cut(kept)};
    k.store(k.load(x, at(0), rows, tileWidth(kept), cut), result, at(0), cut);
  }
  Rotation rotation(k, op, t, turned);
  k.store(rotation.turn(k.load(x, at(kept), rows, turned, {left})), result, at(kept), {left});
  return k.finish();
}
