//===- Body.cpp - rope: the kernel ---------------------------------------------------------------------===//

#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/rope/Rope.h"

using namespace mlir;
using namespace cedilla;

/// cos and sin of the row's angles, [1, dim / 2]. Padding rows turn by 0.
static std::pair<Value, Value> buildAngles(KernelBuilder &k, ced::RopeOp op, Value t) {
  std::vector<float> frequencies;
  ced::ropeFrequencies(op.getRope(), frequencies);
  Value table = k.constant(ArrayRef<float>(frequencies));
  Value position = k.element(k.memory(op.getPositions()), {t});
  tile::TileType type = k.tileType(1, frequencies.size(), k.f32());
  SmallVector<Value> both = k.map({table}, {type, type}, [&](Scalars &s, ValueRange v) {
    Value p = s.max(position, s.i32(0));
    if (op.getGroup() > 1)
      p = s.sub(p, s.rem(p, s.i32(op.getGroup())));
    Value angle = s.mul(s.toF32(p), v[0]);
    return SmallVector<Value>{s.cos(angle), s.sin(angle)};
  });
  return {both[0], both[1]};
}

static Value buildTurned(KernelBuilder &k, Value x, Value cosine, Value sine, bool inverse) {
  auto [even, odd] = k.deinterleave(x);
  auto half = cast<tile::TileType>(even.getType());
  SmallVector<Value> turned = k.map({even, odd, cosine, sine}, {half, half}, [&](Scalars &s, ValueRange v) {
    Value a = s.toF32(v[0]), b = s.toF32(v[1]), c = v[2], d = v[3];
    Value first = inverse ? s.add(s.mul(a, c), s.mul(b, d)) : s.sub(s.mul(a, c), s.mul(b, d));
    Value second = inverse ? s.sub(s.mul(b, c), s.mul(a, d)) : s.add(s.mul(a, d), s.mul(b, c));
    return SmallVector<Value>{s.toBF16(first), s.toBF16(second)};
  });
  return k.interleave(turned[0], turned[1]);
}

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
  auto [cosine, sine] = buildAngles(k, op, t);
  Value loaded = k.load(x, at(kept), rows, turned, {left});
  k.store(buildTurned(k, loaded, cosine, sine, op.getInverse()), result, at(kept), {left});
  return k.finish();
}
