//===- Threads.cpp - numbers that depend on the thread alone ----------------------------------===//
//
// They are computed once, at the kernel's start, and looked up afterwards.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

/// (thread / div) % mod * scale
static Value valueOf(Code &code, Value thread, const ThreadTerm &term) {
  return code.mul(code.rem(code.div(thread, term.div), term.mod), term.scale);
}

enum Number : int64_t { Sum, Quotient, Owns };

static std::vector<int64_t> keyOf(Number what, ArrayRef<ThreadTerm> terms, int64_t offset = 0,
                                  int64_t block = 1) {
  std::vector<int64_t> key{what, offset, block};
  for (const ThreadTerm &term : terms)
    key.insert(key.end(), {term.div, term.mod, term.scale});
  return key;
}

Value Lowering::sum(ArrayRef<ThreadTerm> terms, int64_t offset) {
  if (terms.empty())
    return code.constant(offset);
  Value &base = threadNumbers[keyOf(Sum, terms)];
  if (!base) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(entryEnd);
    for (const ThreadTerm &term : terms) {
      Value value = valueOf(code, thread, term);
      base = base ? code.add(base, value) : value;
    }
  }
  return code.add(base, offset);
}

/// (sum of terms + offset) / block. Terms too small to carry the sum over a multiple of `unit` are
/// dropped and the offset rounded, so that threads and chunks that share a block share one value.
Value Lowering::quotient(ArrayRef<ThreadTerm> terms, int64_t offset, int64_t block) {
  if (block == 1)
    return sum(terms, offset);
  SmallVector<ThreadTerm> sorted(terms);
  llvm::sort(sorted, [](const ThreadTerm &x, const ThreadTerm &y) { return x.scale > y.scale; });
  for (size_t kept = 0; kept <= sorted.size(); ++kept) {
    int64_t unit = block, rest = 0;
    for (auto [i, term] : llvm::enumerate(sorted)) {
      if (i < kept)
        unit = std::gcd(unit, term.scale);
      else
        rest += (term.mod - 1) * term.scale;
    }
    if (offset % unit + rest >= unit)
      continue;
    offset -= offset % unit;
    sorted.truncate(kept);
    break;
  }
  Value &value = threadNumbers[keyOf(Quotient, sorted, offset, block)];
  if (!value) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(entryEnd);
    Value base = code.constant(offset);
    for (const ThreadTerm &term : sorted)
      base = code.add(base, valueOf(code, thread, term));
    value = code.div(base, block);
  }
  return value;
}

/// Whether this thread is the one of several holders of an element that stores it; null: always.
Value Lowering::ownsCopy(const TileValue &tile) {
  if (tile.geometry.copy.empty())
    return {};
  Value &owns = threadNumbers[keyOf(Owns, tile.geometry.copy)];
  if (!owns) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(entryEnd);
    for (const ThreadTerm &term : tile.geometry.copy)
      owns = code.both(owns, code.equal(code.rem(code.div(thread, term.div), term.mod), 0));
  }
  return owns;
}
