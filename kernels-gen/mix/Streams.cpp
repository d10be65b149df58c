//===- Streams.cpp - mix: copy a row to the streams, mix a sublayer's output in ---------------------===//

#include "kernels-gen/mix/Mix.h"

using namespace mlir;
using namespace cedilla;

void cedilla::buildExpand(KernelBuilder &k, const MixProblem &p) {
  auto op = cast<ced::HcExpandOp>(p.op);
  Value t = k.block(0), zero = k.index(0);
  int64_t width = tileWidth(p.cols);
  Value x = k.load(k.memory(op.getX()), {t, zero}, 1, width, {{}, k.cut(p.cols)});
  for (int64_t j = 0; j < p.streams; ++j)
    k.store(x, k.memory(op.getStream()), {t, k.index(j), zero}, {{}, k.cut(p.cols)});
  Value pre = k.map({}, {k.tileType(1, p.streams, k.f32())}, [](Scalars &s, ValueRange) {
    return SmallVector<Value>{s.select(s.eq(s.coord(1), s.i32(0)), s.f32(1), s.f32(0))};
  })[0];
  k.store(pre, k.memory(op.getPre()), {t, zero});
}

/// All streams of a block of columns: X'_j = bf16(post_j y + sum_i C_ij X_i), i ascending from 0.
void cedilla::buildPost(KernelBuilder &k, const MixProblem &p, int64_t blockCols) {
  auto op = cast<ced::HcPostOp>(p.op);
  int64_t n = p.streams;
  Value t = k.block(1), col = k.mul(k.block(0), blockCols);
  Access cut{{}, p.cols % blockCols ? k.sub(k.index(p.cols), col) : Value()};

  // y, then X_i, then post_j, then C_ij by rows.
  SmallVector<Value> inputs = {k.load(k.memory(op.getY()), {t, col}, 1, blockCols, cut)};
  for (int64_t i = 0; i < n; ++i)
    inputs.push_back(k.load(k.memory(op.getStream()), {t, k.index(i), col}, 1, blockCols, cut));
  for (int64_t j = 0; j < n; ++j)
    inputs.push_back(k.load(k.memory(op.getPost()), {t, k.index(j)}, 1, 1));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      inputs.push_back(k.load(k.memory(op.getComb()), {t, k.index(i), k.index(j)}, 1, 1));

  SmallVector<tile::TileType> outputs(n, k.tileType(1, blockCols, k.bf16()));
  SmallVector<Value> next = k.map(inputs, outputs, [&](Scalars &s, ValueRange v) {
    Value y = s.toF32(v[0]);
    auto x = v.slice(1, n), post = v.slice(1 + n, n), comb = v.drop_front(1 + 2 * n);
    SmallVector<Value> result;
    for (int64_t j = 0; j < n; ++j) {
      Value sum = s.f32(0);
      for (int64_t i = 0; i < n; ++i)
        sum = s.add(sum, s.mul(comb[i * n + j], s.toF32(x[i])));
      result.push_back(s.toBF16(s.add(s.mul(post[j], y), sum)));
    }
    return result;
  });
  for (int64_t j = 0; j < n; ++j)
    k.store(next[j], k.memory(op.getResult()), {t, k.index(j), col}, cut);
}
