//===- LowerMma.cpp - tile.mma as mma.sync ----------------------------------------------------===//
//
// An instruction sums over k in any order as long as both operands agree. A lane therefore takes
// `vec` neighbouring k, and each instruction the next 4 (bf16, k = 16) or 8 (e4m3, k = 32) of them
// from every lane of a row: fragments are contiguous in memory.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Codes.h"
#include "compiler/target/nvptx/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

static Value asWord(Code &code, Value pair) { return code.bits(code.i32(), pair); }

/// One instruction: the four accumulators of a lane.
static Words instruction(Code &code, StringRef name, ArrayRef<Value> a, ArrayRef<Value> bOperand,
                         ArrayRef<Value> acc) {
  OpBuilder &b = code.b;
  SmallVector<Value> operands;
  for (Value word : llvm::concat<const Value>(a, bOperand))
    operands.push_back(asWord(code, word));
  operands.append(acc.begin(), acc.end());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(4, code.f32()));
  Value sums;
  if (name == "bf16") {
    using namespace NVVM;
    ValueRange all = operands;
    sums = NVVM::MmaOp::create(b, code.loc, type, all.take_front(4), all.slice(4, 2),
                               all.take_back(4), {16, 8, 16}, std::nullopt, std::nullopt,
                               std::array{MMATypes::bf16, MMATypes::bf16},
                               std::array{MMALayout::row, MMALayout::col});
  } else {
    // Not among the NVVM dialect's forms yet; the LLVM intrinsic is.
    sums = LLVM::CallIntrinsicOp::create(
               b, code.loc, type,
               b.getStringAttr("llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"), operands)
               .getResult(0);
  }
  Words result;
  for (int64_t i = 0; i < 4; ++i)
    result.push_back(LLVM::ExtractValueOp::create(b, code.loc, sums, i));
  return result;
}

/// Rows r and r + 1 of an accumulator's geometry are the two halves of one piece of 16; a chunk
/// holds two columns of each.
static Words gather(ArrayRef<Words> sums, int64_t r, int64_t c, int64_t perRow) {
  const Words &upper = sums[r * perRow + c], &lower = sums[(r + 1) * perRow + c];
  return {upper[0], upper[1], lower[0], lower[1]};
}

static void scatter(std::vector<Words> &sums, int64_t r, int64_t c, int64_t perRow,
                    ArrayRef<Value> values) {
  sums[r * perRow + c] = {values[0], values[1]};
  sums[(r + 1) * perRow + c] = {values[2], values[3]};
}

LogicalResult Lowering::lowerMma(tile::MmaOp op) {
  FailureOr<TileValue> result = declare(op.getResult());
  if (failed(result))
    return failure();
  auto name = op->getAttrOfType<StringAttr>(instructionAttr);
  if (!name)
    return refuse(op, "expected an instruction; run ced-nvptx-assign-layouts first");
  const TileValue acc = tiles[op.getAcc()];
  std::vector<Words> sums;
  for (size_t r = 0; r < acc.geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < acc.geometry.colOffsets.size(); ++c)
      sums.push_back(acc.chunk(r, c));
  if (name == "bf16")
    multiplyBF16(tiles[op.getA()], tiles[op.getB()], acc, sums);
  else
    multiplyE4M3(op, acc, sums);
  tiles[op.getResult()] = hold(*result, std::move(sums));
  return success();
}

void Lowering::multiplyBF16(const TileValue &a, const TileValue &bTile, const TileValue &acc,
                            std::vector<Words> &sums) {
  int64_t rows = acc.geometry.rowOffsets.size(), cols = acc.geometry.colOffsets.size();
  for (size_t k = 0; k < a.geometry.colOffsets.size(); ++k) {
    std::vector<Words> aWords;
    for (int64_t r = 0; r < rows; ++r)
      aWords.push_back(a.chunk(r, k));
    for (int64_t c = 0; c < cols; ++c) {
      Words bWords = bTile.chunk(c, k);
      for (size_t w = 0; w < bWords.size(); w += 2)
        for (int64_t r = 0; r < rows; r += 2) {
          const Words &upper = aWords[r], &lower = aWords[r + 1];
          scatter(sums, r, c, cols,
                  instruction(code, "bf16", {upper[w], lower[w], upper[w + 1], lower[w + 1]},
                              {bWords[w], bWords[w + 1]}, gather(sums, r, c, cols)));
        }
    }
  }
}

/// acc += (sum over 32 k of code a * code b) * (scale a * scale b); the sum over codes starts at 0.
void Lowering::multiplyE4M3(tile::MmaOp op, const TileValue &acc, std::vector<Words> &sums) {
  auto aDecode = op.getA().getDefiningOp<tile::DecodeOp>(),
       bDecode = op.getB().getDefiningOp<tile::DecodeOp>();
  const TileValue a = tiles[op.getA()], bTile = tiles[op.getB()];
  const TileValue aCodes = tiles[aDecode.getCodes()], bCodes = tiles[bDecode.getCodes()];
  const TileValue aScales = tiles[aDecode.getScales()], bScales = tiles[bDecode.getScales()];
  auto fetch = [&](tile::DecodeOp decode, const TileValue &codes, int64_t r, int64_t k) {
    Words words = codes.chunk(r, k);
    return isa<Float4E2M1FNType>(decode.getElement()) ? e2m1ToE4M3(code, words) : words;
  };
  auto scale = [&](tile::DecodeOp decode, const TileValue &scales, const TileValue &tile, Value row,
                   int64_t k) {
    return scaleToF32(code,
                      scaleByte(scales, decode, row, tile.geometry, tile.geometry.colOffsets[k]),
                      decode.getScale());
  };

  int64_t rows = acc.geometry.rowOffsets.size(), cols = acc.geometry.colOffsets.size();
  Value zero = code.zero(code.f32());
  for (size_t k = 0; k < a.geometry.colOffsets.size(); ++k) {
    std::vector<Words> aWords;
    Words aScale;
    for (int64_t r = 0; r < rows; ++r) {
      aWords.push_back(fetch(aDecode, aCodes, r, k));
      aScale.push_back(scale(aDecode, aScales, a, scaleRow(aDecode, a.geometry, r), k));
    }
    for (int64_t c = 0; c < cols; ++c) {
      Words bWords = fetch(bDecode, bCodes, c, k);
      // The accumulator's two columns are rows of b that other lanes multiply.
      Words bScale;
      for (int64_t i : {0, 1})
        bScale.push_back(scale(
            bDecode, bScales, bTile,
            quotient(acc.geometry.col, acc.geometry.colOffsets[c] + i, bDecode.getBlockRows()), k));
      for (int64_t r = 0; r < rows; r += 2) {
        const Words &upper = aWords[r], &lower = aWords[r + 1];
        Words part = instruction(code, "e4m3", {upper[0], lower[0], upper[1], lower[1]},
                                 {bWords[0], bWords[1]}, {zero, zero, zero, zero});
        Words sum = gather(sums, r, c, cols);
        for (int64_t i = 0; i < 4; ++i)
          sum[i] = code.fma(part[i], code.mulf(aScale[r + i / 2], bScale[i % 2]), sum[i]);
        scatter(sums, r, c, cols, sum);
      }
    }
  }
}
