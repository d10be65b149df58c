//===- Body.cpp - norm_cast: the kernel ----------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/norm_cast/NormCast.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cedilla;

namespace {
/// The rows of one block: tokens of a [T,D] value, or heads of one token of a [T,H,D] value.
class Rows {
public:
  Rows(KernelBuilder &k, const NormCastProblem &p, int64_t rows) : k(k), p(p), rows(rows), width(tileWidth(p.cols)) {
    Value first = k.mul(k.block(p.heads ? 0 : 1), rows);
    if (p.heads)
      at = {k.block(1), first};
    else
      at = {first};
    if (!p.heads && rows > 1)
      left = k.sub(k.rows(), first);
    if (p.heads && p.heads % rows)
      left = k.sub(k.index(p.heads), first);
  }

  /// The f32 tile of an op's bf16 operand: computed before, or loaded.
  Value get(Value value);
  /// Remembers the f32 tile (values already rounded to bf16) and stores it if the group yields it.
  void set(Value value, Value tile);

  void visit(ced::HcCollapseOp op);
  void visit(ced::RmsNormOp op);
  void visit(ced::QuantizeOp op);
  void visit(ced::DequantizeOp op);
  void visit(ced::ScaleOp op);

private:
  SmallVector<Value> offsets() const {
    SmallVector<Value> result = at;
    result.push_back(k.index(0));
    return result;
  }
  Value load(Value memory, int64_t cols, Value cut) { return k.load(memory, offsets(), rows, cols, {left, cut}); }
  Value widen(Value tile) {
    return k.map({tile}, k.f32(), [](Scalars &s, ValueRange v) { return s.toF32(v[0]); });
  }

  /// Tile width and column count of the codes and of the scales of a block-scaled value.
  struct Part {
    int64_t width;
    Value cut;
  };
  std::array<Part, 2> parts(ced::ScaledType type) {
    int64_t perByte = type.isFP4() ? 2 : 1, group = type.getBlockCols();
    if (p.cols % 32 == 0)
      return {{{width / perByte, {}}, {width / group, {}}}};
    return {{{width / perByte, k.index(p.cols / perByte)}, {width / group, k.index(ceilDiv(p.cols, group))}}};
  }

  KernelBuilder &k;
  const NormCastProblem &p;
  int64_t rows, width;
  SmallVector<Value> at; ///< offsets but the column's
  Value left;            ///< rows that exist; null: all
  DenseMap<Value, Value> tiles;
};
} // namespace

static bool isYielded(Value value) {
  return llvm::is_contained(value.getUsers(), value.getParentBlock()->getTerminator());
}

Value Rows::get(Value value) {
  Value &tile = tiles[value];
  if (!tile)
    tile = widen(load(k.memory(value), width, k.cut(p.cols)));
  return tile;
}

void Rows::set(Value value, Value tile) {
  tiles[value] = tile;
  if (!isYielded(value))
    return;
  Value rounded = k.map({tile}, k.bf16(), [](Scalars &s, ValueRange v) { return s.toBF16(v[0]); });
  k.store(rounded, k.memory(value), offsets(), {left, k.cut(p.cols)});
}

/// sum_j pre_j * X_j, j ascending from 0.
void Rows::visit(ced::HcCollapseOp op) {
  SmallVector<Value> inputs;
  for (int64_t j = 0; j < p.streams; ++j)
    inputs.push_back(k.load(k.memory(op.getStream()), {at[0], k.index(j), k.index(0)}, rows, width,
                            {left, k.cut(p.cols), {{0, 2}}}));
  for (int64_t j = 0; j < p.streams; ++j)
    inputs.push_back(k.load(k.memory(op.getPre()), {at[0], k.index(j)}, rows, 1, {left}));
  set(op.getResult(), k.map(inputs, k.f32(), [&](Scalars &s, ValueRange v) {
    Value sum = s.f32(0);
    for (int64_t j = 0; j < p.streams; ++j)
      sum = s.add(sum, s.mul(v[p.streams + j], s.toF32(v[j])));
    return s.roundBF16(sum);
  }));
}

void Rows::visit(ced::RmsNormOp op) {
  Value x = get(op.getX());
  Value w = k.load(k.memory(op.getW()), {k.index(0)}, 1, width, {{}, k.cut(p.cols)});
  Value squares = k.map({x}, k.f32(), [](Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); });
  Value inverse = k.map({k.reduce(tile::Combine::Add, squares, 1)}, k.f32(), [&](Scalars &s, ValueRange v) {
    Value mean = s.div(v[0], s.f32(p.cols));
    return s.rsqrt(s.add(mean, s.f32(op.getEps().convertToDouble())));
  });
  set(op.getResult(), k.map({x, w, inverse}, k.f32(), [](Scalars &s, ValueRange v) {
    return s.roundBF16(s.mul(s.toF32(v[1]), s.mul(v[0], v[2])));
  }));
}

void Rows::visit(ced::QuantizeOp op) {
  auto type = cast<ced::ScaledType>(op.getResult().getType());
  auto [codes, scales] = k.encode(get(op.getX()), type);
  auto [codePart, scalePart] = parts(type);
  k.store(codes, k.memory(op.getResult(), 0), offsets(), {left, codePart.cut});
  k.store(scales, k.memory(op.getResult(), 1), offsets(), {left, scalePart.cut});
}

void Rows::visit(ced::DequantizeOp op) {
  auto type = cast<ced::ScaledType>(op.getX().getType());
  auto [codePart, scalePart] = parts(type);
  Value codes = load(k.memory(op.getX(), 0), codePart.width, codePart.cut);
  Value scales = load(k.memory(op.getX(), 1), scalePart.width, scalePart.cut);
  set(op.getResult(), widen(k.decode(codes, scales, type, k.bf16())));
}

void Rows::visit(ced::ScaleOp op) {
  double factor = op.getFactor().convertToDouble();
  set(op.getResult(), k.map({get(op.getX())}, k.f32(), [&](Scalars &s, ValueRange v) {
    return s.roundBF16(s.mul(v[0], s.f32(factor)));
  }));
}

FailureOr<tile::KernelOp> NormCastFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  NormCastProblem problem = readNormCastProblem(kernel.getBody().front());
  int64_t rows = configValue(kernel, "block_rows");
  if (rows <= 0)
    return kernel.emitOpError("expected positive block_rows, got ") << kernel.getConfig();
  MLIRContext *context = builder.getContext();
  SmallVector<tile::GridAttr> grid = {gridBlocks(context, 1), gridRows(context, rows)};
  if (problem.heads)
    grid = {gridBlocks(context, ceilDiv(problem.heads, rows)), gridRows(context, 1)};
  KernelBuilder k(builder, kernel, limits, grid, "batch");
  Rows block(k, problem, rows);
  for (Operation &op : kernel.getBody().front().without_terminator())
    llvm::TypeSwitch<Operation *>(&op)
        .Case<ced::HcCollapseOp, ced::RmsNormOp, ced::QuantizeOp, ced::DequantizeOp, ced::ScaleOp>(
            [&](auto each) { block.visit(each); });
  return k.finish();
}
