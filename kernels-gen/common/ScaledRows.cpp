//===- ScaledRows.cpp - reading rows of codes and scales --------------------------------------------===//

#include "kernels-gen/common/ScaledRows.h"

#include "dialects/ced/Ced.h"

using namespace mlir;

namespace cedilla {

ScaledRows::ScaledRows(KernelBuilder &k, Value value) : k(k), codes(k.memory(value)), scales(codes) {
  if (auto window = dyn_cast<ced::WindowType>(value.getType())) {
    type = window.getRow();
  } else if (auto paged = dyn_cast<ced::PagedType>(value.getType())) {
    type = paged.getRow();
  } else {
    type = cast<ced::ScaledType>(value.getType());
    scales = k.memory(value, 1);
    return;
  }
  scaleOffset = type.getCodeBytesPerRow();
}

/// Rows of all leading dims counted together: offsets of 0 up to the column.
static SmallVector<Value> columnOffset(KernelBuilder &k, Value memory, Value col) {
  SmallVector<Value> offsets(cast<MemRefType>(memory.getType()).getRank(), k.index(0));
  offsets.back() = col;
  return offsets;
}

RowBytes ScaledRows::gather(Value index, Value col0, int64_t width, Value left) const {
  int64_t perByte = type.isFP4() ? 2 : 1, perScale = type.getBlockCols();
  Value codeCount = left ? k.div(k.add(left, perByte - 1), perByte) : Value();
  Value scaleCount = left ? k.div(k.add(left, perScale - 1), perScale) : Value();
  Value codeCol = k.div(col0, perByte), scaleCol = k.add(k.div(col0, perScale), scaleOffset);
  return {k.gather(codes, columnOffset(k, codes, codeCol), index, width / perByte, {{}, codeCount}),
          k.gather(scales, columnOffset(k, scales, scaleCol), index, ceilDiv(width, perScale), {{}, scaleCount})};
}

RowBytes ScaledRows::gather(Value index) const { return gather(index, k.index(0), tileWidth(cols()), k.cut(cols())); }

Value rowFact(KernelBuilder &k, Value cedValue, Value row) { return k.toIndex(k.element(k.memory(cedValue), {row})); }

Value visibleEntries(KernelBuilder &k, Value position, int64_t ratio) {
  return k.div(k.max(k.add(position, 1), k.index(0)), ratio);
}

Value pagedRows(KernelBuilder &k, ced::PagedType cache, Value pages, Value slot, Value entries) {
  int64_t perPage = cache.getEntriesPerPage();
  Value number = k.map({entries}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(s.lt(v[0], s.i32(0)), s.i32(-1), s.div(v[0], s.i32(perPage)));
  });
  Value page = k.gather(pages, {slot, k.index(0)}, number, 1, {{}, {}, {{1, -1}}});
  return k.map({entries, page}, k.i64(), [&](Scalars &s, ValueRange v) {
    Value row = s.add(s.mul(s.toI64(v[1]), s.i64(perPage)), s.toI64(s.rem(v[0], s.i32(perPage))));
    return s.select(s.lt(v[0], s.i32(0)), s.i64(-1), row);
  });
}

LogicalResult checkPage(Operation *op, ced::PagedType cache, const Limits &limits) {
  if (cache.getPage() == limits.page)
    return success();
  return op->emitOpError("expected a cache with the page table's pages of ")
         << limits.page << " tokens, got pages of " << cache.getPage();
}

} // namespace cedilla
