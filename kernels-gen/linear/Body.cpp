//===- Body.cpp - linear: the kernel -------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/linear/Linear.h"

using namespace mlir;
using namespace cedilla;

namespace {
/// One operand of the product: how a [rows, block_k] bf16 tile of it is made.
struct Operand {
  KernelBuilder &k;
  Value value;
  Value row0;               ///< first row of the tile
  Value rowCount;           ///< rows from row0 on that exist; null: all
  Value col0;               ///< first column of the group's slice
  int64_t rows;             ///< of the tile
  int64_t blockK;

  Value load(Value k0, Value left) const {
    auto type = dyn_cast<ced::ScaledType>(value.getType());
    Value col = k.add(col0, k0);
    if (!type)
      return k.load(k.memory(value), {row0, col}, rows, blockK, {rowCount, left});
    int64_t perByte = type.isFP4() ? 2 : 1;
    Value codes = k.load(k.memory(value, 0), {row0, k.div(col, perByte)}, rows, blockK / perByte,
                         {rowCount, left && perByte == 2 ? k.div(left, 2) : left});
    // Scales of blocks that lie beyond the end are loaded as 2^-127 and multiply codes of zero.
    Value scaleRows = rowCount, scaleCols = left;
    if (type.getBlockRows() > 1 && rowCount)
      scaleRows = k.div(k.add(rowCount, type.getBlockRows() - 1), type.getBlockRows());
    if (left)
      scaleCols = k.div(k.add(left, type.getBlockCols() - 1), type.getBlockCols());
    Value scales = k.load(k.memory(value, 1), {k.div(row0, type.getBlockRows()), k.div(col, type.getBlockCols())},
                          ceilDiv(rows, type.getBlockRows()), ceilDiv(blockK, type.getBlockCols()),
                          {scaleRows, scaleCols});
    return k.decode(codes, scales, type, k.bf16());
  }
};
} // namespace

FailureOr<tile::KernelOp> LinearFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  LinearProblem p = readLinearProblem(kernel.getBody().front());
  int64_t blockN = configValue(kernel, "block_n"), blockM = configValue(kernel, "block_m");
  int64_t blockK = configValue(kernel, "block_k");
  if (blockN <= 0 || blockM <= 0 || blockK <= 0 || blockK % 32 != 0 || (blockN % 32 != 0 && 32 % blockN != 0))
    return kernel.emitOpError("expected positive block_n, block_m, block_k with block_k a multiple of 32 and block_n a "
                              "multiple or divisor of 32, got ")
           << kernel.getConfig();

  MLIRContext *context = builder.getContext();
  int64_t blocksN = ceilDiv(p.n, blockN);
  KernelBuilder k(builder, kernel, limits, {gridBlocks(context, p.groups * blocksN), gridRows(context, blockM)}, "batch");

  Value group = p.groups > 1 ? k.div(k.block(0), blocksN) : k.index(0);
  Value n0 = k.mul(p.groups > 1 ? k.rem(k.block(0), blocksN) : k.block(0), blockN);
  Value wRow = p.groups > 1 ? k.add(k.mul(group, p.n), n0) : n0;
  Value m0 = k.mul(k.block(1), blockM);
  Value rowsLeft = k.sub(k.rows(), m0);
  // Counts are given only where something can be missing: full tiles take the short path.
  Value channelsLeft = p.n % blockN ? k.sub(k.index(p.n), n0) : Value();
  Operand w{k, p.w(), wRow, channelsLeft, k.index(0), blockN, blockK};
  Operand x{k, p.x(), m0, rowsLeft, p.groups > 1 ? k.mul(group, p.k) : k.index(0), blockM, blockK};

  Value acc = k.loop(k.index(0), k.index(p.k), blockK, {k.splat(0, blockN, blockM)}, [&](Value k0, ValueRange carried) {
    Value left = p.k % blockK ? k.sub(k.index(p.k), k0) : Value();
    return SmallVector<Value>{k.mma(w.load(k0, left), x.load(k0, left), carried[0])};
  })[0];

  Type element = cast<RankedTensorType>(p.out().getType()).getElementType();
  if (!element.isF32())
    acc = k.map({acc}, element, [](Scalars &s, ValueRange v) { return s.toBF16(v[0]); });
  k.store(acc, k.memory(p.out()), {m0, wRow}, {channelsLeft, rowsLeft, {{1, 0}}});
  return k.finish();
}
