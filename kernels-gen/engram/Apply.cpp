//===- Apply.cpp - engram: look rows up, gate them into the streams ---------------------------------------===//

#include "kernels-gen/engram/Engram.h"

#include <cmath>

using namespace mlir;
using namespace cedilla;

/// One table row, decoded to bf16, behind those of the columns before it.
void cedilla::buildEngramLookup(KernelBuilder &k, ced::EngramLookupOp op) {
  auto table = cast<ced::ScaledType>(op.getTable().getType());
  int64_t cols = table.getCols(), width = tileWidth(cols), group = table.getBlockCols();
  Value column = k.block(0), t = k.block(1), zero = k.index(0);
  Value row = k.toIndex(k.element(k.memory(op.getRows()), {t, k.index(op.getIndex()), column}));
  if (op.getGathered()) {
    int64_t columns = cast<RankedTensorType>(op.getRows().getType()).getDimSize(2);
    Scalars s = k.scalars();
    Value inTable = s.eq(k.element(k.memory(op.getGathered()), {zero}), s.i32(0));
    row = s.select(inTable, row, k.add(k.mul(t, columns), column));
  }
  Access cut{{}, k.cut(cols)}, cutScales{{}, cut.colCount ? k.index(ceilDiv(cols, group)) : Value()};
  Value codes = k.load(k.memory(op.getTable(), 0), {row, zero}, 1, width, cut);
  Value scales = k.load(k.memory(op.getTable(), 1), {row, zero}, 1, width / group, cutScales);
  k.store(k.decode(codes, scales, table, k.bf16()), k.memory(op.getResult()), {t, k.mul(column, cols)}, cut);
}

/// rsqrt(sum / d + eps), [1, 1].
static Value inverseRms(KernelBuilder &k, Value squares, int64_t d, double eps) {
  return k.map({k.reduce(tile::Combine::Add, squares, 1)}, k.f32(), [&](Scalars &s, ValueRange v) {
    return s.rsqrt(s.add(s.div(v[0], s.f32(d)), s.f32(eps)));
  });
}

/// One stream of one row: X_j + gate_j * value.
void cedilla::buildEngramInject(KernelBuilder &k, ced::EngramInjectOp op) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getStream().getType()).getShape();
  int64_t n = shape[1], d = shape[2], width = tileWidth(d);
  double eps = op.getEps().convertToDouble();
  Value j = k.block(0), t = k.block(1), zero = k.index(0), kv = k.memory(op.getKv());
  Access cut{{}, k.cut(d)};
  auto load = [&](Value memory, ArrayRef<Value> offsets) { return k.load(memory, offsets, 1, width, cut); };
  Value x = load(k.memory(op.getStream()), {t, j, zero});
  Value key = load(kv, {t, k.mul(j, d)}), value = load(kv, {t, k.index(n * d)});
  Value q = load(k.memory(op.getQWeight()), {j, zero}), w = load(k.memory(op.getKWeight()), {j, zero});

  SmallVector<tile::TileType> products(3, k.tileType(1, width, k.f32()));
  SmallVector<Value> parts = k.map({x, key, q, w}, products, [](Scalars &s, ValueRange v) {
    Value x = s.toF32(v[0]), key = s.toF32(v[1]), weight = s.mul(s.toF32(v[2]), s.toF32(v[3]));
    return SmallVector<Value>{s.mul(s.mul(x, weight), key), s.mul(x, x), s.mul(key, key)};
  });
  Value sum = k.reduce(tile::Combine::Add, parts[0], 1);
  Value kind = k.element(k.memory(op.getKinds()), {t});
  SmallVector<Value> factors = {sum, inverseRms(k, parts[1], d, eps), inverseRms(k, parts[2], d, eps)};
  Value gate = k.map(factors, k.f32(), [&](Scalars &s, ValueRange v) {
    Value dot = s.mul(s.mul(s.mul(v[0], v[1]), v[2]), s.f32(1.0 / std::sqrt(double(d))));
    Value root = s.copysign(s.sqrt(s.max(s.abs(dot), s.f32(1e-6))), dot);
    return s.select(s.eq(kind, s.i32(1)), s.f32(0), s.sigmoid(root));
  });
  Value injected = k.map({x, value, gate}, k.bf16(), [](Scalars &s, ValueRange v) {
    return s.toBF16(s.add(s.toF32(v[0]), s.mul(v[2], s.toF32(v[1]))));
  });
  k.store(injected, k.memory(op.getResult()), {t, j, zero}, cut);
}
