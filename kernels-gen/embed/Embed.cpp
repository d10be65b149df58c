//===- Embed.cpp - embed: what is asked, and the kernel ---------------------------------------------------===//

#include "kernels-gen/embed/Embed.h"

#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

bool EmbedFamily::match(Block &body, std::string &reason) const {
  return findSingleOp<ced::EmbedOp>(body, reason);
}

SmallVector<Candidate> EmbedFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  Candidate only;
  only.config = makeConfig(kernel.getContext(), {{"warps", chip.warp ? 4 : 0}});
  only.cost = limits.maxRows;
  return {only};
}

FailureOr<tile::KernelOp> EmbedFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  auto op = cast<ced::EmbedOp>(kernel.getBody().front().front());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getTable().getType()).getShape();
  int64_t vocabulary = shape[0], cols = shape[1];
  KernelBuilder k(builder, kernel, limits, {gridRows(builder.getContext(), 1)}, "phase");
  Value t = k.block(0), token = k.toIndex(k.element(k.memory(op.getTokens()), {t}));
  Scalars s = k.scalars();
  Value known = s.both(s.le(k.index(0), token), s.lt(token, k.index(vocabulary)));
  Value row = s.select(known, token, k.index(0));
  Access cut{{}, k.cut(cols)};
  Value values = k.load(k.memory(op.getTable()), {row, k.index(0)}, 1, tileWidth(cols), cut);
  k.store(values, k.memory(op.getResult()), {t, k.index(0)}, cut);
  return k.finish();
}
