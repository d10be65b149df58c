//===- Product.cpp - experts: the products of the slots that chose an expert --------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/ScaledRows.h"
#include "kernels-gen/experts/Experts.h"

#include <functional>
#include <limits>

using namespace mlir;
using namespace cedilla;

//===------------------------------------------------------------------------------------------===//
// Who chose the expert
//===------------------------------------------------------------------------------------------===//

namespace {
/// The slots that chose the block's expert, found by looking through all ids in order.
class Chosen {
public:
  Chosen(KernelBuilder &k, ExpertProblem &p, Value expert)
      : k(k), p(p), expert(k.toI32(expert)), total(k.mul(k.rows(), p.choices)) {}

  Value count();
  /// How many slots chose an expert below it, i32 ids of -1 left out.
  Value countBelow();
  /// Writes the numbers of the slots that chose it into a list [rows, choices], from place `begin` on, in order.
  void list(Value memory, Value begin);
  /// Slots number first .. first + rows - 1 of them as a column; -1 where there are fewer.
  Value find(Value first, int64_t rows);

private:
  static constexpr int64_t width = 256;

  /// The slots from `slot0` on that chose the expert and lie above `last` (i32), as their numbers; the
  /// largest i32 elsewhere.
  Value matches(Value slot0, Value last);
  Value matchesIn(Value ids, Value slot0, Value last); ///< of a stretch that is loaded
  Value countMatches(Value numbers);
  /// Puts the first `wanted` slots of a stretch into a list of `rows`, at the places from `place` on.
  Value insert(Value slot0, Value list, Value place, Value wanted);

  KernelBuilder &k;
  ExpertProblem &p;
  Value expert; ///< i32
  Value total;  ///< slots of the step
};
} // namespace

static constexpr int32_t none = std::numeric_limits<int32_t>::max();

Value Chosen::matches(Value slot0, Value last) {
  // Ids are [rows, choices]; along the columns a load runs from row to row.
  Value ids = k.load(k.memory(p.ids), {k.index(0), slot0}, 1, width, {{}, k.sub(total, slot0)});
  return matchesIn(ids, slot0, last);
}

Value Chosen::matchesIn(Value ids, Value slot0, Value last) {
  Value leftI32 = k.toI32(k.sub(total, slot0)), from = k.toI32(slot0);
  return k.map({ids}, k.i32(), [&](Scalars &s, ValueRange v) {
    Value slot = s.add(from, s.coord(1));
    Value wanted = s.both(s.eq(v[0], expert), s.both(s.lt(s.coord(1), leftI32), s.lt(last, slot)));
    return s.select(wanted, slot, s.i32(none));
  });
}

Value Chosen::countMatches(Value numbers) {
  Value ones = k.map({numbers}, k.i32(), [](Scalars &s, ValueRange v) {
    return s.select(s.eq(v[0], s.i32(none)), s.i32(0), s.i32(1));
  });
  return k.toIndex(k.extract(k.reduce(tile::Combine::Add, ones, 1)));
}

Value Chosen::count() {
  return k.loop(k.index(0), total, width, {k.index(0)}, [&](Value slot0, ValueRange carried) {
    return SmallVector<Value>{k.add(carried[0], countMatches(matches(slot0, k.scalars().i32(-1))))};
  })[0];
}

Value Chosen::countBelow() {
  return k.loop(k.index(0), total, width, {k.index(0)}, [&](Value slot0, ValueRange carried) {
    Value left = k.sub(total, slot0), leftI32 = k.toI32(left);
    Value ids = k.load(k.memory(p.ids), {k.index(0), slot0}, 1, width, {{}, left});
    Value below = k.map({ids}, k.i32(), [&](Scalars &s, ValueRange v) {
      Value counts = s.both(s.both(s.le(s.i32(0), v[0]), s.lt(v[0], expert)), s.lt(s.coord(1), leftI32));
      return s.select(counts, s.i32(1), s.i32(0));
    });
    return SmallVector<Value>{k.add(carried[0], k.toIndex(k.extract(k.reduce(tile::Combine::Add, below, 1))))};
  })[0];
}

void Chosen::list(Value memory, Value begin) {
  constexpr int64_t stretch = 128;
  k.loop(k.index(0), total, stretch, {begin}, [&](Value slot0, ValueRange carried) {
    Value left = k.sub(total, slot0), leftI32 = k.toI32(left), from = k.toI32(slot0), place = k.toI32(carried[0]);
    auto chose = [&](Scalars &s, Value id, int64_t dim) { return s.both(s.eq(id, expert), s.lt(s.coord(dim), leftI32)); };
    Value line = k.load(k.memory(p.ids), {k.index(0), slot0}, 1, stretch, {{}, left});
    Value column = k.load(k.memory(p.ids), {k.index(0), slot0}, stretch, 1, {left, {}, {{1, -1}}});
    // How many of the stretch's slots before each one chose the expert.
    Value earlier = k.map({line}, {k.tileType(stretch, stretch, k.i32())}, [&](Scalars &s, ValueRange v) {
      return SmallVector<Value>{s.select(s.both(chose(s, v[0], 1), s.lt(s.coord(1), s.coord(0))), s.i32(1), s.i32(0))};
    })[0];
    Value places = k.map({column, k.reduce(tile::Combine::Add, earlier, 1)}, k.i32(), [&](Scalars &s, ValueRange v) {
      return s.select(chose(s, v[0], 0), s.add(place, v[1]), s.i32(-1));
    });
    Value numbers = k.map({column}, k.i32(), [&](Scalars &s, ValueRange) { return s.add(from, s.coord(0)); });
    k.scatter(numbers, memory, {k.index(0), k.index(0)}, places, {{}, {}, {{1, -1}}});
    return SmallVector<Value>{k.add(carried[0], countMatches(matchesIn(line, slot0, k.scalars().i32(-1))))};
  });
}

Value Chosen::insert(Value slot0, Value list, Value place, Value wanted) {
  Value before = k.scalars().i32(-1);
  return k.loop(k.index(0), wanted, 1, {list, before}, [&](Value i, ValueRange carried) {
    Value next = k.reduce(tile::Combine::Min, matches(slot0, carried[1]), 1);
    Value at = k.toI32(k.add(place, i));
    Value longer = k.map({carried[0], next}, k.i32(), [&](Scalars &s, ValueRange v) {
      return s.select(s.eq(s.coord(0), at), v[1], v[0]);
    });
    return SmallVector<Value>{longer, k.extract(next)};
  })[0];
}

Value Chosen::find(Value first, int64_t rows) {
  Value end = k.add(first, rows), zero = k.index(0);
  return k.loop(zero, total, width, {k.splatI32(-1, rows, 1), zero}, [&](Value slot0, ValueRange carried) {
    Value seen = carried[1], here = countMatches(matches(slot0, k.scalars().i32(-1))), after = k.add(seen, here);
    // Stretches before the first wanted slot and behind the last are only counted.
    Value early = k.scalars().le(after, first);
    Value wanted = k.scalars().select(early, zero, k.min(here, k.sub(end, seen)));
    return SmallVector<Value>{insert(slot0, carried[0], k.sub(seen, first), wanted), after};
  })[0];
}

//===------------------------------------------------------------------------------------------===//
// The product
//===------------------------------------------------------------------------------------------===//

namespace {
struct Shape {
  int64_t m, n, k, splits;
};

/// One block's work.
class Product {
public:
  Product(KernelBuilder &k, ExpertProblem &p, Shape shape, Value expert) : k(k), p(p), shape(shape), expert(expert) {}

  /// Columns `col` .. of the results of the slots in `slots` (-1: none).
  void compute(Value slots, Value col);
  /// The same of choice `choice` of row `row` alone.
  void computeOne(Value row, Value choice, Value col);

private:
  Value loadWeights(Value w, Value col, Value k0, Value left);
  /// Sums over K for each weight, f32 [rows, cols]. `multiplyAt(k0, left)` loads rows and says how a weight tile is multiplied
  /// with them and added to a sum.
  SmallVector<Value> overK(int64_t rows, int64_t cols,
                           function_ref<std::function<Value(Value w, Value sum)>(Value k0, Value left)> multiplyAt, Value col);
  /// Of the sums of each weight: rounded, and for the up product the activation times the routing weight (null: none).
  Value finish(SmallVector<Value> sums, Value routing);
  Value colsLeft(Value col) { return p.n % shape.n ? k.sub(k.index(p.n), col) : Value(); }

  KernelBuilder &k;
  ExpertProblem &p;
  Shape shape;
  Value expert;
};
} // namespace

Value Product::loadWeights(Value w, Value col, Value k0, Value left) {
  auto type = cast<ced::ScaledType>(w.getType());
  int64_t perByte = type.isFP4() ? 2 : 1, perScale = type.getBlockCols();
  Value codeCount = left ? k.div(left, perByte) : Value();
  Value scaleCount = left ? k.div(k.add(left, perScale - 1), perScale) : Value();
  Value codes = k.load(k.memory(w, 0), {expert, col, k.div(k0, perByte)}, shape.n, shape.k / perByte, {colsLeft(col), codeCount});
  Value scales = k.load(k.memory(w, 1), {expert, col, k.div(k0, perScale)}, shape.n, shape.k / perScale, {colsLeft(col), scaleCount});
  return k.decode(codes, scales, type, k.bf16());
}

SmallVector<Value> Product::overK(int64_t rows, int64_t cols,
                                  function_ref<std::function<Value(Value, Value)>(Value, Value)> multiplyAt, Value col) {
  SmallVector<Value> sums(p.w.size(), k.splat(0, rows, cols));
  return k.loop(k.index(0), k.index(p.k), shape.k, sums, [&](Value k0, ValueRange carried) {
    Value left = p.k % shape.k ? k.sub(k.index(p.k), k0) : Value();
    auto multiply = multiplyAt(k0, left);
    SmallVector<Value> next;
    for (auto [w, sum] : llvm::zip(p.w, carried))
      next.push_back(multiply(loadWeights(w, col, k0, left), sum));
    return next;
  });
}

Value Product::finish(SmallVector<Value> sums, Value routing) {
  if (routing)
    sums.push_back(routing);
  return k.map(sums, k.bf16(), [&](Scalars &s, ValueRange v) {
    if (!routing)
      return s.toBF16(v[0]);
    Value value = clampedSwiglu(s, s.roundBF16(v[0]), s.roundBF16(v[1]), p.limit);
    return s.toBF16(s.mul(v[2], value));
  });
}

void Product::compute(Value slots, Value col) {
  ScaledRows x(k, p.x);
  Value rows = slots, routing;
  if (!p.xPerSlot)
    rows = k.map({slots}, k.i32(), [&](Scalars &s, ValueRange v) {
      return s.select(s.lt(v[0], s.i32(0)), s.i32(-1), s.div(v[0], s.i32(p.choices)));
    });
  SmallVector<Value> sums = overK(shape.m, shape.n, [&](Value k0, Value left) {
    Value xTile = x.decode(x.gather(rows, k0, shape.k, left));
    return [this, xTile](Value w, Value sum) { return k.mma(xTile, w, sum); };
  }, col);
  if (p.routing) // the weights are [rows, choices]: a column of slots
    routing = k.gather(k.memory(p.routing), {k.index(0), k.index(0)}, slots, 1, {{}, {}, {{1, -1}}});
  k.scatter(finish(sums, routing), k.memory(p.out), {k.index(0), k.index(0), col}, slots, {{}, colsLeft(col)});
}

void Product::computeOne(Value row, Value choice, Value col) {
  constexpr int64_t width = 8; // of mma's second operand; one row of it exists
  Value one = k.index(1);
  auto type = cast<ced::ScaledType>(p.x.getType());
  // x is [rows, K], or [rows, choices, K].
  auto at = [&](Value k0) { return p.xPerSlot ? SmallVector<Value>{row, choice, k0} : SmallVector<Value>{row, k0}; };
  SmallVector<Value> sums = overK(shape.n, width, [&](Value k0, Value left) {
    int64_t perScale = type.getBlockCols();
    Value scalesLeft = left ? k.div(k.add(left, perScale - 1), perScale) : Value();
    Value codes = k.load(k.memory(p.x, 0), at(k0), width, shape.k, {one, left});
    Value scales = k.load(k.memory(p.x, 1), at(k.div(k0, perScale)), width, shape.k / perScale, {one, scalesLeft});
    Value xTile = k.decode(codes, scales, type, k.bf16());
    return [this, xTile](Value w, Value sum) { return k.mma(w, xTile, sum); };
  }, col);
  Value routing;
  if (p.routing)
    routing = k.load(k.memory(p.routing), {row, choice}, 1, 1);
  k.store(finish(sums, routing), k.memory(p.out), {row, choice, col}, {colsLeft(col), one, {{2, 1}}});
}

/// 1 where `expert` is one, else 0: ids of rows that do not exist are -1.
static Value isExpert(KernelBuilder &k, ExpertProblem &p, Value expert) {
  Scalars s = k.scalars();
  Value id = k.toI32(expert);
  return k.count(s.both(s.le(s.i32(0), id), s.lt(id, s.i32(p.experts))));
}

/// A block for each slot and tile of columns. Blocks of one tile stand together, so slots that share an expert read its
/// weights at the same time.
static tile::KernelOp buildBySlot(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits, ExpertProblem &p, Shape shape) {
  MLIRContext *context = builder.getContext();
  KernelBuilder k(builder, kernel, limits,
                  {gridRows(context, 1), gridBlocks(context, p.choices), gridBlocks(context, ceilDiv(p.n, shape.n))}, "batch");
  Value row = k.block(0), choice = k.block(1), col = k.mul(k.block(2), shape.n);
  Value expert = k.toIndex(k.element(k.memory(p.ids), {row, choice}));
  Product product(k, p, shape, expert);
  k.loop(k.index(0), isExpert(k, p, expert), 1, [&](Value) { product.computeOne(row, choice, col); });
  return k.finish();
}

namespace {
/// The slots of an expert: how many, and some of them as a column.
struct SlotsOf {
  Value count;
  std::function<Value(Value first, int64_t rows)> at;
};
} // namespace

/// A block for each expert and share of its columns.
static tile::KernelOp buildByExpert(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits, ExpertProblem &p, Shape shape,
                                    function_ref<SlotsOf(KernelBuilder &, Chosen &)> slotsOf) {
  MLIRContext *context = builder.getContext();
  KernelBuilder k(builder, kernel, limits, {gridBlocks(context, p.experts), gridBlocks(context, shape.splits)}, "batch");
  Value expert = k.block(0);
  Chosen chosen(k, p, expert);
  SlotsOf slots = slotsOf(k, chosen);
  int64_t share = ceilDiv(ceilDiv(p.n, shape.n), shape.splits) * shape.n;
  Value begin = k.mul(k.block(1), share), end = k.min(k.add(begin, share), k.index(p.n));
  Product product(k, p, shape, expert);
  k.loop(k.index(0), slots.count, shape.m, [&](Value first) {
    Value rows = slots.at(first, shape.m);
    k.loop(begin, end, shape.n, [&](Value col) { product.compute(rows, col); });
  });
  return k.finish();
}

/// The same in two phases: a list of all slots by expert first, so that nobody looks through the ids for every few slots.
static tile::KernelOp buildListed(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits, ExpertProblem &p, Shape shape) {
  MLIRContext *context = builder.getContext();
  std::string names[] = {(kernel.getSymName() + "_list").str(), (kernel.getSymName() + "_product").str()};
  { // puts the builder back to where it stood
    KernelBuilder k(builder, kernel, limits, {gridBlocks(context, p.experts)}, "batch");
    Chosen chosen(k, p, k.block(0));
    chosen.list(k.scratch(), chosen.countBelow());
    tile::KernelOp list = k.finish();
    list.setSymName(names[0]);
    list.setConfigAttr(makeConfig(context, {{"warps", 4}}));
  }
  tile::KernelOp last = buildByExpert(builder, kernel, limits, p, shape, [](KernelBuilder &k, Chosen &chosen) {
    Value begin = chosen.countBelow(), count = chosen.count();
    return SlotsOf{count, [&k, begin, count](Value first, int64_t rows) {
      Value left = k.sub(count, first), leftI32 = k.toI32(left);
      Value numbers = k.load(k.scratch(), {k.index(0), k.add(begin, first)}, rows, 1, {left, {}, {{1, -1}}});
      return k.map({numbers}, k.i32(), [&](Scalars &s, ValueRange v) { return s.select(s.lt(s.coord(0), leftI32), v[0], s.i32(-1)); });
    }};
  });
  last.setSymName(names[1]);
  last->setAttr("tile.phases", builder.getStrArrayAttr({names[0], names[1]}));
  return last;
}

FailureOr<tile::KernelOp> cedilla::buildExpertProduct(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) {
  ExpertProblem p = readExpertProblem(kernel.getBody().front());
  Shape shape{configValue(kernel, "block_m"), configValue(kernel, "block_n"), configValue(kernel, "block_k"),
              configValue(kernel, "splits")};
  if (shape.m <= 0 || shape.n <= 0 || shape.k <= 0 || shape.k % 32 != 0 || shape.splits <= 0)
    return kernel.emitOpError("expected positive block_m, block_n, splits and block_k, block_k a multiple of 32, got ")
           << kernel.getConfig();
  if (configValue(kernel, "by_slot"))
    return buildBySlot(builder, kernel, limits, p, shape);

  if (configValue(kernel, "listed"))
    return buildListed(builder, kernel, limits, p, shape);
  return buildByExpert(builder, kernel, limits, p, shape, [](KernelBuilder &k, Chosen &chosen) {
    return SlotsOf{chosen.count(), [&chosen](Value first, int64_t rows) { return chosen.find(first, rows); }};
  });
}
