//===- Coefficients.cpp - mix: the coefficients of a sublayer -------------------------------------------===//
//
// A product over all n*d inputs of a row, then everything else: of many rows on columns [rows, 1], one per coefficient, whose sums
// run in exactly the order that ced.hc_mix names; of one row with the matrix over the threads of a warp.
//
//===------------------------------------------------------------------------------------------===//

#include "kernels-gen/mix/Mix.h"

using namespace mlir;
using namespace cedilla;

//===------------------------------------------------------------------------------------------===//
// Sinkhorn, on the scalars of a map: c is n*n by rows
//===------------------------------------------------------------------------------------------===//

/// Divides the elements `at(0) .. at(n-1)` by their sum + eps.
static void normalize(Scalars &s, MutableArrayRef<Value> c, int64_t n, double eps, function_ref<int64_t(int64_t)> at) {
  Value sum = c[at(0)];
  for (int64_t i = 1; i < n; ++i)
    sum = s.add(sum, c[at(i)]);
  Value divisor = s.add(sum, s.f32(eps));
  for (int64_t i = 0; i < n; ++i)
    c[at(i)] = s.div(c[at(i)], divisor);
}

static void normalizeColumns(Scalars &s, MutableArrayRef<Value> c, int64_t n, double eps) {
  for (int64_t j = 0; j < n; ++j)
    normalize(s, c, n, eps, [&](int64_t i) { return i * n + j; });
}

static void normalizeRows(Scalars &s, MutableArrayRef<Value> c, int64_t n, double eps) {
  for (int64_t i = 0; i < n; ++i)
    normalize(s, c, n, eps, [&](int64_t j) { return i * n + j; });
}

/// Softmax of each row, plus eps.
static void softmaxRows(Scalars &s, MutableArrayRef<Value> c, int64_t n, double eps) {
  for (int64_t i = 0; i < n; ++i) {
    MutableArrayRef<Value> row = c.slice(i * n, n);
    Value largest = row[0];
    for (Value x : row.drop_front())
      largest = s.max(largest, x);
    Value sum;
    for (Value &x : row) {
      x = s.exp(s.sub(x, largest));
      sum = sum ? s.add(sum, x) : x;
    }
    for (Value &x : row)
      x = s.add(s.div(x, sum), s.f32(eps));
  }
}

//===------------------------------------------------------------------------------------------===//
// The product
//===------------------------------------------------------------------------------------------===//

namespace {
class Coefficients {
public:
  /// Of `rows` rows from row block `block` on.
  Coefficients(KernelBuilder &k, const MixProblem &p, sched::KernelOp kernel, int64_t rows, Value block)
      : k(k), p(p), op(cast<ced::HcMixOp>(p.op)), rows(rows), blockK(configValue(kernel, "block_k")),
        split(configValue(kernel, "split")), row0(k.mul(block, rows)), left(k.sub(k.rows(), row0)),
        eps(op.getEps().convertToDouble()) {}

  void build();
  void buildSliceSums(Value slice);
  void buildFromSums();

private:
  /// Products with fn [rows, outputs], and sums of squares [rows, 1].
  struct Sums {
    Value products, squares;
  };
  Value product(Value x, Value fn, Value acc);
  /// Over columns [from, to) of stream j.
  SmallVector<Value> addStream(Value j, Value from, Value to, ValueRange carried);
  SmallVector<Value> zeros() { return {k.splat(0, rows, p.outputs()), k.splat(0, rows, blockK)}; }
  Sums wholeSums();
  Value sumOfSlices(int64_t col, int64_t cols);
  Value inverseOf(Value squares);
  Value statistics(Sums sums);
  /// g * scale + base for the outputs of each part: pre, post, comb.
  Value statistics(Value g, Value inverse, int part);
  int64_t firstOf(int part) const { return part * p.streams; }
  int64_t widthOf(int part) const { return part == 2 ? p.streams * p.streams : p.streams; }
  Value pre(Value g) {
    return k.map({g}, k.f32(), [&](Scalars &s, ValueRange v) { return s.add(s.sigmoid(v[0]), s.f32(eps)); });
  }
  Value post(Value g) {
    return k.map({g}, k.f32(), [](Scalars &s, ValueRange v) { return s.mul(s.f32(2), s.sigmoid(v[0])); });
  }
  void storeCombOfRow(Value g);
  Value pick(Value g, int64_t output);
  void storeColumn(Value column, Value memory, int64_t i, int64_t j = -1);

  KernelBuilder &k;
  const MixProblem &p;
  ced::HcMixOp op;
  int64_t rows, blockK, split;
  Value row0, left;
  double eps;
};
} // namespace

/// acc + x fn^T. An f32 is the sum of three bf16, each the rounded rest of those before.
Value Coefficients::product(Value x, Value fn, Value acc) {
  if (split == 1)
    return k.mma(k.map({x}, k.f32(), [](Scalars &s, ValueRange v) { return s.toF32(v[0]); }), fn, acc);
  for (int64_t part = 0; part < split; ++part) {
    acc = k.mma(x, k.map({fn}, k.bf16(), [](Scalars &s, ValueRange v) { return s.toBF16(v[0]); }), acc);
    fn = k.map({fn}, k.f32(), [](Scalars &s, ValueRange v) { return s.sub(v[0], s.roundBF16(v[0])); });
  }
  return acc;
}

SmallVector<Value> Coefficients::addStream(Value j, Value from, Value to, ValueRange carried) {
  int64_t outputs = p.outputs();
  bool cut = p.cols % blockK || p.cols % MixProblem::sliceCols;
  return k.loop(from, to, blockK, llvm::to_vector(carried), [&](Value k0, ValueRange carried) {
    Value cols = cut ? k.sub(to, k0) : Value();
    Value x = k.load(k.memory(op.getStream()), {row0, j, k0}, rows, blockK, {left, cols, {{0, 2}}});
    Value f = k.load(k.memory(op.getFn()), {k.index(0), k.add(k.mul(j, p.cols), k0)}, outputs, blockK, {{}, cols});
    Value squares = k.map({carried[1], x}, k.f32(), [](Scalars &s, ValueRange v) {
      Value x = s.toF32(v[1]);
      return s.add(v[0], s.mul(x, x));
    });
    return SmallVector<Value>{product(x, f, carried[0]), squares};
  });
}

Coefficients::Sums Coefficients::wholeSums() {
  SmallVector<Value> sums = k.loop(k.index(0), k.index(p.streams), 1, zeros(), [&](Value j, ValueRange carried) {
    return addStream(j, k.index(0), k.index(p.cols), carried);
  });
  return {sums[0], k.reduce(tile::Combine::Add, sums[1], 1)};
}

void Coefficients::buildSliceSums(Value slice) {
  int64_t perStream = p.slicesPerStream();
  Value from = k.mul(k.rem(slice, perStream), MixProblem::sliceCols);
  Value to = k.min(k.add(from, MixProblem::sliceCols), k.index(p.cols));
  SmallVector<Value> sums = addStream(k.div(slice, perStream), from, to, zeros());
  k.store(sums[0], k.scratch(), {row0, slice, k.index(0)}, {left, {}, {{0, 2}}});
  k.store(k.reduce(tile::Combine::Add, sums[1], 1), k.scratch(), {row0, slice, k.index(p.outputs())}, {left, {}, {{0, 2}}});
}

/// Columns of the sums of the one row: all slices, added in an order that knows only their number.
Value Coefficients::sumOfSlices(int64_t col, int64_t cols) {
  Value all = k.load(k.scratch(), {row0, k.index(0), k.index(col)}, p.slices(), cols, {{}, {}, {{1, 2}}});
  return k.reduce(tile::Combine::Add, all, 0);
}

Value Coefficients::inverseOf(Value squares) {
  return k.map({squares}, k.f32(), [&](Scalars &s, ValueRange v) {
    Value mean = s.div(v[0], s.f32(p.streams * p.cols));
    return s.rsqrt(s.add(mean, s.f32(op.getNormEps().convertToDouble())));
  });
}

Value Coefficients::statistics(Value g, Value inverse, int part) {
  Value base = k.load(k.memory(op.getBase()), {k.index(firstOf(part))}, 1, widthOf(part));
  Value scale = k.element(k.memory(op.getScale()), {k.index(part)});
  return k.map({g, inverse, base}, k.f32(), [&](Scalars &s, ValueRange v) { return s.add(s.mul(s.mul(v[0], v[1]), scale), v[2]); });
}

//===------------------------------------------------------------------------------------------===//
// One row: a matrix of coefficients over the threads of a warp
//===------------------------------------------------------------------------------------------===//

/// c / (sum over `dim` + eps)
static Value normalizeOver(KernelBuilder &k, Value c, int64_t dim, double eps) {
  return k.map({c, k.reduce(tile::Combine::Add, c, dim)}, k.f32(),
               [&](Scalars &s, ValueRange v) { return s.div(v[0], s.add(v[1], s.f32(eps))); });
}

void Coefficients::storeCombOfRow(Value g) {
  int64_t n = p.streams;
  Value memory = k.memory(op.getComb());
  // The way from a row to a matrix goes through the result's own memory.
  k.store(g, memory, {row0, k.index(0), k.index(0)}, {{}, {}, {{0, 2}}});
  Value c = k.load(memory, {row0, k.index(0), k.index(0)}, n, n, {{}, {}, {{1, 2}}});
  Value e = k.map({c, k.reduce(tile::Combine::Max, c, 1)}, k.f32(), [](Scalars &s, ValueRange v) { return s.exp(s.sub(v[0], v[1])); });
  c = k.map({e, k.reduce(tile::Combine::Add, e, 1)}, k.f32(),
            [&](Scalars &s, ValueRange v) { return s.add(s.div(v[0], v[1]), s.f32(eps)); });
  c = normalizeOver(k, c, 0, eps);
  c = k.loop(k.index(1), k.index(op.getIters()), 1, {c}, [&](Value, ValueRange carried) {
    return SmallVector<Value>{normalizeOver(k, normalizeOver(k, carried[0], 1, eps), 0, eps)};
  })[0];
  k.store(c, memory, {row0, k.index(0), k.index(0)}, {{}, {}, {{1, 2}}});
}

void Coefficients::buildFromSums() {
  Value inverse = inverseOf(sumOfSlices(p.outputs(), 1));
  // All is read before anything is stored, so that the reads are on their way together.
  Value g[3];
  for (int part = 0; part < 3; ++part)
    g[part] = statistics(sumOfSlices(firstOf(part), widthOf(part)), inverse, part);
  k.store(pre(g[0]), k.memory(op.getPre()), {row0, k.index(0)});
  k.store(post(g[1]), k.memory(op.getPost()), {row0, k.index(0)});
  storeCombOfRow(g[2]);
}

//===------------------------------------------------------------------------------------------===//
// Many rows: a column per coefficient
//===------------------------------------------------------------------------------------------===//

/// One column of a tile.
Value Coefficients::pick(Value g, int64_t output) {
  Value only = k.map({g}, k.f32(), [&](Scalars &s, ValueRange v) {
    return s.select(s.eq(s.coord(1), s.i32(output)), v[0], s.f32(0));
  });
  return k.reduce(tile::Combine::Add, only, 1);
}

void Coefficients::storeColumn(Value column, Value memory, int64_t i, int64_t j) {
  if (j < 0)
    return k.store(column, memory, {row0, k.index(i)}, {left});
  k.store(column, memory, {row0, k.index(i), k.index(j)}, {left, {}, {{0, 2}}});
}

/// g * scale + base, [rows, outputs].
Value Coefficients::statistics(Sums sums) {
  int64_t n = p.streams, outputs = p.outputs();
  Value base = k.load(k.memory(op.getBase()), {k.index(0)}, 1, outputs);
  SmallVector<Value> scale;
  for (int64_t i = 0; i < 3; ++i)
    scale.push_back(k.element(k.memory(op.getScale()), {k.index(i)}));
  return k.map({sums.products, inverseOf(sums.squares), base}, k.f32(), [&](Scalars &s, ValueRange v) {
    Value output = s.coord(1);
    Value factor = s.select(s.lt(output, s.i32(2 * n)), scale[1], scale[2]);
    factor = s.select(s.lt(output, s.i32(n)), scale[0], factor);
    return s.add(s.mul(s.mul(v[0], v[1]), factor), v[2]);
  });
}

void Coefficients::build() {
  int64_t n = p.streams;
  Value g = statistics(wholeSums());
  for (int64_t j = 0; j < n; ++j) {
    storeColumn(pre(pick(g, j)), k.memory(op.getPre()), j);
    storeColumn(post(pick(g, n + j)), k.memory(op.getPost()), j);
  }

  SmallVector<Value> comb;
  for (int64_t c = 0; c < n * n; ++c)
    comb.push_back(pick(g, 2 * n + c));
  SmallVector<tile::TileType> columns(n * n, k.tileType(rows, 1, k.f32()));
  comb = k.map(comb, columns, [&](Scalars &s, ValueRange v) {
    SmallVector<Value> c(v);
    softmaxRows(s, c, n, eps);
    normalizeColumns(s, c, n, eps);
    return c;
  });
  comb = k.loop(k.index(1), k.index(op.getIters()), 1, comb, [&](Value, ValueRange carried) {
    return k.map(llvm::to_vector(carried), columns, [&](Scalars &s, ValueRange v) {
      SmallVector<Value> c(v);
      normalizeRows(s, c, n, eps);
      normalizeColumns(s, c, n, eps);
      return c;
    });
  });
  for (int64_t c = 0; c < n * n; ++c)
    storeColumn(comb[c], k.memory(op.getComb()), c / n, c % n);
}

void cedilla::buildCoefficients(KernelBuilder &k, const MixProblem &p, sched::KernelOp kernel) {
  Coefficients(k, p, kernel, configValue(kernel, "block_rows"), k.block(0)).build();
}

void cedilla::buildSliceSums(KernelBuilder &k, const MixProblem &p, sched::KernelOp kernel) {
  Coefficients(k, p, kernel, configValue(kernel, "block_rows"), k.block(1)).buildSliceSums(k.block(0));
}

void cedilla::buildFromSums(KernelBuilder &k, const MixProblem &p, sched::KernelOp kernel) {
  Coefficients(k, p, kernel, 1, k.block(0)).buildFromSums();
}
