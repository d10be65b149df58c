//===- Body.cpp - attention: the kernel -----------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/attention/Attention.h"
#include "kernels-gen/common/Rotation.h"
#include "kernels-gen/common/ScaledRows.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace cedilla;

static constexpr int64_t blockSlots = AttentionProblem::blockSlots;

namespace {
/// 64 list slots: their vectors, and for each whether it holds one.
struct Slots {
  Value kv;    ///< [64, cols] bf16, 0 where there is nothing
  Value valid; ///< [1, 64] i32
};

/// Builds tiles of list slots for the block's row.
class List {
public:
  virtual ~List() = default;
  /// One past the last window slot that holds something.
  virtual Value windowCount() = 0;
  /// Slots `slot` .. `slot + 63` of the window part.
  virtual Slots window(Value slot) = 0;
  /// One past the last slot of the selected part that holds something.
  virtual Value selectedCount() = 0;
  /// Slots `slot` .. `slot + 63` of the selected part, of which those from `limit` on are left out.
  virtual Slots selected(Value slot, Value limit) = 0;
};

/// Codes where the caches keep them.
class CacheList final : public List {
public:
  CacheList(KernelBuilder &k, AttentionProblem &p, Value row);

  Value windowCount() override { return count; }
  Slots window(Value slot) override;
  Value selectedCount() override;
  Slots selected(Value slot, Value limit) override;

private:
  SmallVector<Value> windowRows(Value slot);
  Value isVisible(Scalars &s, Value entry);
  ced::PagedType main() { return cast<ced::PagedType>(op.getMain().getType()); }

  KernelBuilder &k;
  AttentionProblem &p;
  ced::AttentionOp op;
  Value row, position, slot, start;
  Value first, count; ///< lowest visible window position, and how many there are
  Value visible;      ///< i32: visible entries of main KV
};

/// Gathered vectors, and numbers that say where.
class GatheredList final : public List {
public:
  GatheredList(KernelBuilder &k, AttentionProblem &p, Value row)
      : k(k), p(p), op(p.gathered), row(row), slot(rowFact(k, op.getSlots(), row)) {}

  Value windowCount() override { return countFrom(0, p.window); }
  Slots window(Value slot) override;
  Value selectedCount() override { return countFrom(p.window, p.selected); }
  Slots selected(Value slot, Value limit) override;

private:
  Value countFrom(int64_t begin, int64_t width);
  /// [64, 1]: the numbers from `at` on, of which `left` count; and [1, 64], whether each names something.
  std::pair<Value, Value> numbers(Value at, Value left);
  /// Rows of the slot's part of a source [slots, n, cols].
  Value gatherOfSlot(Value source, Value numbers, int64_t most);

  KernelBuilder &k;
  AttentionProblem &p;
  ced::AttendOp op;
  Value row, slot;
};
} // namespace

/// One past the last of `entries` (1xN, of which `width` exist) for which `exists` holds.
static Value endOf(KernelBuilder &k, Value entries, int64_t width, function_ref<Value(Scalars &, Value)> exists) {
  Value ends = k.map({entries}, k.i32(), [&](Scalars &s, ValueRange v) {
    Value at = s.coord(1);
    return s.select(s.both(exists(s, v[0]), s.lt(at, s.i32(width))), s.add(at, s.i32(1)), s.i32(0));
  });
  return k.toIndex(k.extract(k.reduce(tile::Combine::Max, ends, 1)));
}

//===------------------------------------------------------------------------------------------===//
// Window slots in caches
//===------------------------------------------------------------------------------------------===//

CacheList::CacheList(KernelBuilder &k, AttentionProblem &p, Value row) : k(k), p(p), op(p.caches), row(row) {
  position = rowFact(k, op.getPositions(), row);
  slot = rowFact(k, op.getSlots(), row);
  start = rowFact(k, op.getStarts(), row);
  first = k.max(k.sub(position, k.index(p.window - 1)), k.index(0));
  // A padding row is at position -1: nothing is visible.
  count = k.sub(k.add(position, 1), first);
  if (p.selected)
    visible = k.toI32(visibleEntries(k, position, main().getRatio()));
}

/// The ring row and, with `fresh`, the step's row that hold each slot; -1 for the one that does not.
SmallVector<Value> CacheList::windowRows(Value slot0) {
  int64_t ring = op.getWindow().getType().getRingRows();
  Value base = k.toI32(k.mul(slot, ring)), from = k.toI32(k.add(first, slot0)), left = k.toI32(k.sub(count, slot0));
  Value firstFresh = k.toI32(start), ahead = k.toI32(k.sub(position, row));
  SmallVector<tile::TileType> types(op.getFresh() ? 2 : 1, k.tileType(blockSlots, 1, k.i32()));
  return k.map({}, types, [&](Scalars &s, ValueRange) {
    Value at = s.coord(0), none = s.i32(-1), exists = s.lt(at, left), position = s.add(from, at);
    Value ringRow = s.add(base, s.rem(position, s.i32(ring)));
    if (!op.getFresh())
      return SmallVector<Value>{s.select(exists, ringRow, none)};
    Value old = s.lt(position, firstFresh);
    Value freshRow = s.sub(position, ahead);
    return SmallVector<Value>{s.select(s.both(exists, old), ringRow, none),
                              s.select(exists, s.select(old, none, freshRow), none)};
  });
}

static Value bitOr(KernelBuilder &k, Value x, Value y) {
  return k.map({x, y}, k.i8(), [](Scalars &s, ValueRange v) { return s.either(v[0], v[1]); });
}

Slots CacheList::window(Value slot0) {
  SmallVector<Value> rows = windowRows(slot0);
  ScaledRows ring(k, op.getWindow());
  RowBytes bytes = ring.gather(rows[0]);
  if (op.getFresh()) {
    // A slot lies in one of the two; the other gives bytes of 0.
    RowBytes fresh = ScaledRows(k, op.getFresh()).gather(rows[1]);
    bytes = {bitOr(k, bytes.codes, fresh.codes), bitOr(k, bytes.scales, fresh.scales)};
  }
  Value left = k.toI32(k.sub(count, slot0));
  Value valid = k.map({}, {k.tileType(1, blockSlots, k.i32())}, [&](Scalars &s, ValueRange) {
    return SmallVector<Value>{s.select(s.lt(s.coord(1), left), s.i32(1), s.i32(0))};
  })[0];
  return {ring.decode(bytes), valid};
}

//===------------------------------------------------------------------------------------------===//
// Selected slots in caches
//===------------------------------------------------------------------------------------------===//

Value CacheList::isVisible(Scalars &s, Value entry) { return s.both(s.le(s.i32(0), entry), s.lt(entry, visible)); }

Value CacheList::selectedCount() {
  Value entries = k.load(k.memory(op.getIndex()), {row, k.index(0)}, 1, tileWidth(p.selected), {{}, k.cut(p.selected)});
  return endOf(k, entries, p.selected, [&](Scalars &s, Value entry) { return isVisible(s, entry); });
}

Slots CacheList::selected(Value slot0, Value limit) {
  Value memory = k.memory(op.getIndex()), left = k.sub(limit, slot0), leftI32 = k.toI32(left);
  auto exists = [&](Scalars &s, Value entry, int64_t dim) {
    return s.both(isVisible(s, entry), s.lt(s.coord(dim), leftI32));
  };
  Value column = k.load(memory, {row, slot0}, blockSlots, 1, {left, {}, {{1, -1}}});
  Value line = k.load(memory, {row, slot0}, 1, blockSlots, {{}, left});
  Value entries = k.map({column}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(exists(s, v[0], 0), v[0], s.i32(-1));
  });
  Value valid = k.map({line}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(exists(s, v[0], 1), s.i32(1), s.i32(0));
  });
  Value rows = pagedRows(k, main(), k.memory(op.getPages()), slot, entries);
  ScaledRows main(k, op.getMain());
  return {main.decode(main.gather(rows)), valid};
}

//===------------------------------------------------------------------------------------------===//
// Gathered vectors
//===------------------------------------------------------------------------------------------===//

Value GatheredList::countFrom(int64_t begin, int64_t width) {
  Value list = k.load(k.memory(op.getList()), {row, k.index(begin)}, 1, tileWidth(width), {{}, k.cut(width)});
  return endOf(k, list, width, [](Scalars &s, Value number) { return s.le(s.i32(0), number); });
}

std::pair<Value, Value> GatheredList::numbers(Value at, Value left) {
  Value memory = k.memory(op.getList()), leftI32 = k.toI32(left);
  auto exists = [&](Scalars &s, Value number, int64_t dim) {
    return s.both(s.le(s.i32(0), number), s.lt(s.coord(dim), leftI32));
  };
  Value column = k.load(memory, {row, at}, blockSlots, 1, {left, {}, {{1, -1}}});
  Value line = k.load(memory, {row, at}, 1, blockSlots, {{}, left});
  Value found = k.map({column}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(exists(s, v[0], 0), v[0], s.i32(-1));
  });
  Value valid = k.map({line}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(exists(s, v[0], 1), s.i32(1), s.i32(0));
  });
  return {found, valid};
}

Value GatheredList::gatherOfSlot(Value source, Value numbers, int64_t most) {
  Value base = k.scalars().toI64(k.toI32(slot));
  Value rows = k.map({numbers}, k.i64(), [&](Scalars &s, ValueRange v) {
    Value inside = s.both(s.le(s.i32(0), v[0]), s.lt(v[0], s.i32(most)));
    return s.select(inside, s.add(s.mul(base, s.i64(most)), s.toI64(v[0])), s.i64(-1));
  });
  return k.gather(k.memory(source), {k.index(0), k.index(0), k.index(0)}, rows, tileWidth(p.cols), {{}, k.cut(p.cols)});
}

Slots GatheredList::window(Value slot0) {
  auto [found, valid] = numbers(slot0, k.sub(k.index(p.window), slot0));
  int64_t ring = cast<RankedTensorType>(op.getRing().getType()).getDimSize(1);
  Value old = gatherOfSlot(op.getRing(), found, ring);
  Value freshRows = k.map({found}, k.i32(), [&](Scalars &s, ValueRange v) {
    return s.select(s.lt(v[0], s.i32(ring)), s.i32(-1), s.sub(v[0], s.i32(ring)));
  });
  Value fresh = k.gather(k.memory(op.getFresh()), {k.index(0), k.index(0)}, freshRows, tileWidth(p.cols), {{}, k.cut(p.cols)});
  Value kv = k.map({old, fresh, freshRows}, k.bf16(), [](Scalars &s, ValueRange v) {
    return s.select(s.lt(v[2], s.i32(0)), v[0], v[1]);
  });
  return {kv, valid};
}

Slots GatheredList::selected(Value slot0, Value limit) {
  auto [found, valid] = numbers(k.add(slot0, p.window), k.sub(limit, slot0));
  return {gatherOfSlot(op.getMain(), found, cast<RankedTensorType>(op.getMain().getType()).getDimSize(1)), valid};
}

//===------------------------------------------------------------------------------------------===//
// Softmax
//===------------------------------------------------------------------------------------------===//

namespace {
/// What a block of heads carries along the list.
struct Online {
  Value maximum, denominator; ///< [heads, 1]
  Value accumulator;          ///< [heads, cols]

  static Online of(ValueRange values) { return {values[0], values[1], values[2]}; }
  SmallVector<Value> values() const { return {maximum, denominator, accumulator}; }
};
} // namespace

/// One step of the online softmax over the slots of `tiles` together.
static Online attend(KernelBuilder &k, Value q, int64_t heads, double scale, ArrayRef<Slots> tiles, Online old) {
  auto elementwise = [&](ArrayRef<Value> inputs, Type element, auto body) { return k.map(inputs, element, body); };
  constexpr double inf = std::numeric_limits<double>::infinity();
  SmallVector<Value> scores;
  Online now = old;
  for (const Slots &slots : tiles) {
    Value dots = k.mma(q, slots.kv, k.splat(0, heads, blockSlots));
    scores.push_back(elementwise({dots, slots.valid}, k.f32(), [&](Scalars &s, ValueRange v) {
      return s.select(s.eq(v[1], s.i32(0)), s.f32(-inf), s.mul(v[0], s.f32(scale)));
    }));
    Value best = k.reduce(tile::Combine::Max, scores.back(), 1);
    now.maximum = elementwise({now.maximum, best}, k.f32(), [](Scalars &s, ValueRange v) { return s.max(v[0], v[1]); });
  }

  auto expOfDifference = [](Scalars &s, ValueRange v) { return s.exp(s.sub(v[0], v[1])); };
  Value rescale = elementwise({old.maximum, now.maximum}, k.f32(), expOfDifference);
  auto product = [](Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); };
  now.accumulator = elementwise({old.accumulator, rescale}, k.f32(), product);
  Value sum;
  for (auto [slots, score] : llvm::zip(tiles, scores)) {
    Value e = elementwise({score, now.maximum}, k.f32(), expOfDifference);
    Value part = k.reduce(tile::Combine::Add, e, 1);
    auto plus = [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); };
    sum = sum ? elementwise({sum, part}, k.f32(), plus) : part;
    // The denominator takes the f32 value, the accumulator the rounded one.
    Value p = elementwise({e}, k.bf16(), [](Scalars &s, ValueRange v) { return s.toBF16(v[0]); });
    now.accumulator = k.mma(p, slots.kv, now.accumulator, /*kn=*/true);
  }
  now.denominator = elementwise({old.denominator, rescale, sum}, k.f32(), [](Scalars &s, ValueRange v) {
    return s.add(s.mul(v[0], v[1]), v[2]);
  });
  return now;
}

/// bf16(accumulator / denominator) with the sink in the denominator, turned if so asked.
static Value finish(KernelBuilder &k, AttentionProblem &p, Value row, Online online, Value sink) {
  Value denominator = k.map({online.denominator, sink, online.maximum}, k.f32(), [](Scalars &s, ValueRange v) {
    // With an empty list the maximum is still -1e30, the sink's term infinite and the result 0; only a
    // sink of -inf leaves nothing at all to divide by.
    Value sum = s.add(v[0], s.exp(s.sub(v[1], v[2])));
    return s.select(s.eq(sum, s.f32(0)), s.f32(1), sum);
  });
  Value result = k.map({online.accumulator, denominator}, k.bf16(),
                       [](Scalars &s, ValueRange v) { return s.toBF16(s.div(v[0], v[1])); });
  return p.turnResult ? Rotation(k, p.turnResult, row, p.cols).turn(result) : result;
}

//===------------------------------------------------------------------------------------------===//
// The kernel
//===------------------------------------------------------------------------------------------===//

namespace {
/// Blocks of a list, by number: whole blocks of window slots, the block that both parts share, whole blocks of selected slots.
class Blocks {
public:
  Blocks(KernelBuilder &k, AttentionProblem &p, List &list, Value q, int64_t heads)
      : k(k), p(p), list(list), q(q), heads(heads), inShared(p.window % blockSlots),
        firstSelected(inShared ? std::min(blockSlots - inShared, p.selected) : 0) {}

  /// All blocks that hold something.
  Online all(Online online);
  /// Blocks from..to - 1.
  Online range(Value from, Value to, Online online);

private:
  /// Steps over slots from..to - 1, whole blocks.
  Online loop(Value from, Value to, function_ref<Slots(Value)> slotsAt, Online online);
  Online shared(Online online);
  Online windowSlots(Value from, Value to, Online online) {
    return loop(from, to, [&](Value slot) { return list.window(slot); }, online);
  }
  Online selectedSlots(Value from, Value to, Online online) {
    return loop(from, to, [&](Value slot) { return list.selected(slot, k.index(p.selected)); }, online);
  }
  Online step(ArrayRef<Slots> tiles, Online online) {
    return attend(k, q, heads, static_cast<float>(1.0 / std::sqrt(static_cast<double>(p.cols))), tiles, online);
  }

  KernelBuilder &k;
  AttentionProblem &p;
  List &list;
  Value q;
  int64_t heads;
  int64_t inShared;      ///< window slots of the block that both parts share; 0: there is none
  int64_t firstSelected; ///< selected slots in that block
};
} // namespace

Online Blocks::loop(Value from, Value to, function_ref<Slots(Value)> slotsAt, Online online) {
  return Online::of(k.loop(from, to, blockSlots, online.values(), [&](Value slot, ValueRange carried) {
    return step({slotsAt(slot)}, Online::of(carried)).values();
  }));
}

Online Blocks::shared(Online online) {
  SmallVector<Slots> tiles{list.window(k.index(p.window - inShared))};
  if (p.selected)
    tiles.push_back(list.selected(k.index(0), k.index(firstSelected)));
  return step(tiles, online);
}

Online Blocks::all(Online online) {
  int64_t whole = p.window - inShared;
  if (whole)
    online = windowSlots(k.index(0), k.min(list.windowCount(), k.index(whole)), online);
  Value selected = p.selected ? list.selectedCount() : Value();
  if (inShared)
    online = shared(online);
  if (firstSelected < p.selected)
    online = selectedSlots(k.index(firstSelected), selected, online);
  return online;
}

Online Blocks::range(Value from, Value to, Online online) {
  int64_t whole = p.window / blockSlots, behind = whole + (inShared ? 1 : 0);
  if (whole)
    online = windowSlots(k.mul(from, blockSlots), k.mul(k.min(to, k.index(whole)), blockSlots), online);
  if (inShared) {
    Value begin = k.max(from, k.index(whole)), end = k.min(to, k.index(behind));
    online = Online::of(k.loop(begin, end, 1, online.values(), [&](Value, ValueRange carried) { return shared(Online::of(carried)).values(); }));
  }
  if (firstSelected < p.selected) {
    auto slot = [&](Value block) { return k.add(k.mul(k.max(k.sub(block, k.index(behind)), k.index(0)), blockSlots), firstSelected); };
    online = selectedSlots(slot(from), k.min(slot(to), k.index(p.selected)), online);
  }
  return online;
}

namespace {
/// A block of the grid: heads of a row.
struct HeadBlock {
  HeadBlock(KernelBuilder &k, AttentionProblem &p, int64_t heads, Value row, Value number)
      : row(row), head(k.mul(number, heads)), left(p.heads % heads ? k.sub(k.index(p.heads), head) : Value()), heads(heads),
        access{left, k.cut(p.cols), {{1, 2}}} {}

  Value row, head;
  Value left; ///< heads from `head` on; null: all of them exist
  int64_t heads;
  Access access; ///< to [T, H, D]
};
} // namespace

static std::unique_ptr<List> makeList(KernelBuilder &k, AttentionProblem &p, Value row) {
  if (p.gathered)
    return std::make_unique<GatheredList>(k, p, row);
  return std::make_unique<CacheList>(k, p, row);
}

static Value loadQuery(KernelBuilder &k, AttentionProblem &p, const HeadBlock &block) {
  Value q = k.load(k.memory(p.q), {block.row, block.head, k.index(0)}, block.heads, tileWidth(p.cols), block.access);
  return p.turnQuery ? Rotation(k, p.turnQuery, block.row, p.cols).turn(q) : q;
}

static Online nothing(KernelBuilder &k, AttentionProblem &p, int64_t heads) {
  return {k.splat(-1e30, heads, 1), k.splat(0, heads, 1), k.splat(0, heads, tileWidth(p.cols))};
}

static void buildWhole(KernelBuilder &k, AttentionProblem &p, int64_t heads) {
  HeadBlock block(k, p, heads, k.block(1), k.block(0));
  Value q = loadQuery(k, p, block);
  Value sink = k.load(k.memory(p.sink), {block.head}, heads, 1, {block.left, {}, {{0, -1}}});
  std::unique_ptr<List> list = makeList(k, p, block.row);
  Online online = Blocks(k, p, *list, q, heads).all(nothing(k, p, heads));
  k.store(finish(k, p, block.row, online, sink), k.memory(p.result), {block.row, block.head, k.index(0)}, block.access);
}

/// First phase: blocks of a part of the list.
static void buildPart(KernelBuilder &k, AttentionProblem &p, int64_t heads, int64_t perSplit) {
  Value split = k.block(1), from = k.mul(split, perSplit), zero = k.index(0);
  HeadBlock block(k, p, heads, k.block(2), k.block(0));
  std::unique_ptr<List> list = makeList(k, p, block.row);
  Online online = Blocks(k, p, *list, loadQuery(k, p, block), heads)
                      .range(from, k.min(k.add(from, perSplit), k.index(p.blocks())), nothing(k, p, heads));
  SmallVector<Value> at{block.row, split, block.head, zero};
  k.store(online.accumulator, k.scratch(0), at, {block.left, k.cut(p.cols), {{2, 3}}});
  k.store(online.maximum, k.scratch(1), at, {block.left, {}, {{2, 3}}});
  at[3] = k.index(1);
  k.store(online.denominator, k.scratch(1), at, {block.left, {}, {{2, 3}}});
}

/// Second phase: the parts of one head, each times e to the difference of its maximum and the largest.
static void buildJoin(KernelBuilder &k, AttentionProblem &p, int64_t splits) {
  Value head = k.block(0), row = k.block(1), zero = k.index(0);
  auto statistic = [&](int64_t which) {
    return k.load(k.scratch(1), {row, zero, head, k.index(which)}, splits, 1, {{}, {}, {{1, 3}}});
  };
  Value maxima = statistic(0), largest = k.reduce(tile::Combine::Max, maxima, 0);
  auto product = [](Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); };
  Value factor = k.map({maxima, largest}, k.f32(), [](Scalars &s, ValueRange v) { return s.exp(s.sub(v[0], v[1])); });
  Value sums = k.load(k.scratch(0), {row, zero, head, zero}, splits, tileWidth(p.cols), {{}, k.cut(p.cols), {{1, 3}}});
  auto overSplits = [&](Value parts) { return k.reduce(tile::Combine::Add, k.map({parts, factor}, k.f32(), product), 0); };
  Online online{largest, overSplits(statistic(1)), overSplits(sums)};
  Value sink = k.load(k.memory(p.sink), {head}, 1, 1, {{}, {}, {{0, -1}}});
  k.store(finish(k, p, row, online, sink), k.memory(p.result), {row, head, zero}, {{}, k.cut(p.cols), {{1, 2}}});
}

static tile::KernelOp buildSplit(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits, AttentionProblem &p, int64_t heads) {
  MLIRContext *context = builder.getContext();
  int64_t splits = p.splits(limits);
  std::string names[] = {(kernel.getSymName() + "_parts").str(), (kernel.getSymName() + "_join").str()};
  { // puts the builder back to where it stood
    KernelBuilder parts(builder, kernel, limits,
                        {gridBlocks(context, ceilDiv(p.heads, heads)), gridBlocks(context, splits), gridRows(context, 1)}, "phase");
    buildPart(parts, p, heads, p.blocksPerSplit(limits));
    parts.finish().setSymName(names[0]);
  }
  KernelBuilder join(builder, kernel, limits, {gridBlocks(context, p.heads), gridRows(context, 1)}, "phase");
  buildJoin(join, p, splits);
  tile::KernelOp last = join.finish();
  last.setSymName(names[1]);
  last.setConfigAttr(makeConfig(context, {{"warps", 4}}));
  last->setAttr("tile.phases", builder.getStrArrayAttr({names[0], names[1]}));
  return last;
}

FailureOr<tile::KernelOp> AttentionFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  AttentionProblem p = readAttentionProblem(kernel.getBody().front());
  int64_t heads = configValue(kernel, "block_h");
  if (heads <= 0)
    return kernel.emitOpError("expected a positive block_h, got ") << kernel.getConfig();
  if (p.caches && p.selected && failed(checkPage(kernel, cast<ced::PagedType>(p.caches.getMain().getType()), limits)))
    return failure();
  if (configValue(kernel, "split") && p.splits(limits) > 1)
    return buildSplit(builder, kernel, limits, p, heads);
  KernelBuilder k(builder, kernel, limits, {gridBlocks(builder.getContext(), ceilDiv(p.heads, heads)), gridRows(builder.getContext(), 1)}, "phase");
  buildWhole(k, p, heads);
  return k.finish();
}
