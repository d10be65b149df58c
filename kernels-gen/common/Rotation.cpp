//===- Rotation.cpp - rotary position embedding on tiles ---------------------------------------------===//

#include "kernels-gen/common/Rotation.h"

using namespace mlir;
using namespace cedilla;

Rotation::Rotation(KernelBuilder &k, ced::RopeOp op, Value row, int64_t cols)
    : k(k), op(op), position(k.element(k.memory(op.getPositions()), {row})), cols(cols) {}

Value Rotation::turn(Value x) {
  auto [even, odd] = k.deinterleave(x);
  auto half = cast<tile::TileType>(even.getType());
  std::vector<float> frequencies;
  ced::ropeFrequencies(op.getRope(), frequencies);
  int64_t kept = (cols - op.getRope().getDim()) / 2, turned = frequencies.size();
  frequencies.insert(frequencies.begin(), kept, 0.0f);
  frequencies.resize(half.getCols(), 0.0f);
  Value table = k.constant(ArrayRef<float>(frequencies));
  tile::TileType line = k.tileType(1, half.getCols(), k.f32());
  SmallVector<Value> angles = k.map({table}, {line, line}, [&](Scalars &s, ValueRange v) {
    Value p = s.max(position, s.i32(0));
    if (op.getGroup() > 1)
      p = s.sub(p, s.rem(p, s.i32(op.getGroup())));
    Value angle = s.mul(s.toF32(p), v[0]);
    return SmallVector<Value>{s.cos(angle), s.sin(angle)};
  });
  bool inverse = op.getInverse(), all = kept == 0 && turned == half.getCols();
  SmallVector<Value> pairs = k.map({even, odd, angles[0], angles[1]}, {half, half}, [&](Scalars &s, ValueRange v) {
    Value a = s.toF32(v[0]), b = s.toF32(v[1]), c = v[2], d = v[3];
    Value first = inverse ? s.add(s.mul(a, c), s.mul(b, d)) : s.sub(s.mul(a, c), s.mul(b, d));
    Value second = inverse ? s.sub(s.mul(b, c), s.mul(a, d)) : s.add(s.mul(a, d), s.mul(b, c));
    if (all)
      return SmallVector<Value>{s.toBF16(first), s.toBF16(second)};
    Value stays = s.lt(s.coord(1), s.i32(kept));
    return SmallVector<Value>{s.select(stays, v[0], s.toBF16(first)), s.select(stays, v[1], s.toBF16(second))};
  });
  return k.interleave(pairs[0], pairs[1]);
}
