//===- Cache.cpp - cache: what is asked, and the kernels -------------------------------------------------===//

#include "kernels-gen/cache/Cache.h"

#include "kernels-gen/common/ScaledRows.h"
#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

bool CacheFamily::match(Block &body, std::string &reason) const {
  Operation *op = findSingleOp<ced::AppendWindowOp, ced::AppendPagedOp>(body, reason);
  if (!op)
    return false;
  auto rows = cast<ced::ScaledType>(op->getOperand(1).getType());
  if (rows.getPlacement() != ced::Placement::Planar)
    reason = "expected planar rows to append";
  return reason.empty();
}

SmallVector<Candidate> CacheFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  Candidate only;
  only.config = makeConfig(kernel.getContext(), {{"warps", chip.warp ? 1 : 0}});
  only.cost = limits.maxRows;
  return {only};
}

/// Stores codes and scales of row `t` at cache[outer, row, ..] if `count` is 1.
static void storeRow(KernelBuilder &k, Value rows, Value t, Value cache, Value outer, Value row, Value count) {
  auto type = cast<ced::ScaledType>(rows.getType());
  int64_t codeBytes = type.getCodeBytesPerRow(), scaleBytes = type.getScaleBytesPerRow();
  auto part = [&](unsigned number, int64_t bytes, int64_t at) {
    Value tile = k.load(k.memory(rows, number), {t, k.index(0)}, 1, bytes, {count});
    k.store(tile, cache, {outer, row, k.index(at)}, {count});
  };
  part(0, codeBytes, 0);
  part(1, scaleBytes, codeBytes);
}

/// Row t writes ring row position mod ring, unless a later row of its sequence in this step does. The rows
/// of a sequence lie together with consecutive positions: the next one for the same ring row is t + ring.
static void buildWindow(KernelBuilder &k, ced::AppendWindowOp op) {
  int64_t ring = cast<ced::WindowType>(op.getWindow().getType()).getRingRows();
  Value positions = k.memory(op.getPositions()), slots = k.memory(op.getSlots());
  Value t = k.block(0), later = k.add(t, ring), exists = k.sub(k.rows(), later);
  Value position = k.element(positions, {t}), slot = k.element(slots, {t});
  Value laterPosition = k.element(positions, {later}, exists), laterSlot = k.element(slots, {later}, exists);

  Scalars s = k.scalars();
  Value sameSequence = s.both(s.eq(laterSlot, slot), s.eq(laterPosition, s.add(position, s.i32(ring))));
  Value overwritten = s.both(s.lt(k.index(0), exists), sameSequence);
  Value count = s.select(overwritten, k.index(0), k.count(s.le(s.i32(0), position)));
  // Of padding rows neither slot nor position means anything, and nothing is stored with them.
  Value row = k.rem(k.toIndex(s.max(position, s.i32(0))), ring);
  storeRow(k, op.getRows(), t, k.memory(op.getWindow()), k.toIndex(slot), row, count);
}

/// Row t writes entry (position + 1) / ratio - 1 if it closes that group of tokens.
static void buildPaged(KernelBuilder &k, ced::AppendPagedOp op) {
  auto type = cast<ced::PagedType>(op.getCache().getType());
  Value t = k.block(0), slot = rowFact(k, op.getSlots(), t);
  Value next = k.add(rowFact(k, op.getPositions(), t), 1);
  Scalars s = k.scalars();
  Value closes = s.both(s.lt(k.index(0), next), s.eq(k.rem(next, type.getRatio()), k.index(0)));
  Value count = k.count(closes);
  // The group's first token says where its entry lies.
  Value token = k.sub(next, k.index(type.getRatio()));
  Value pages = k.memory(op.getPages());
  Value page = k.toIndex(k.element(pages, {slot, k.div(token, type.getPage())}, count));
  Value row = k.div(k.rem(token, type.getPage()), type.getRatio());
  storeRow(k, op.getRows(), t, k.memory(op.getCache()), page, row, count);
}

FailureOr<tile::KernelOp> CacheFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  Operation &op = kernel.getBody().front().front();
  if (auto paged = dyn_cast<ced::AppendPagedOp>(op))
    if (failed(checkPage(kernel, cast<ced::PagedType>(paged.getCache().getType()), limits)))
      return failure();
  KernelBuilder k(builder, kernel, limits, {gridRows(builder.getContext(), 1)}, "phase");
  if (auto window = dyn_cast<ced::AppendWindowOp>(op))
    buildWindow(k, window);
  else
    buildPaged(k, cast<ced::AppendPagedOp>(op));
  return k.finish();
}
