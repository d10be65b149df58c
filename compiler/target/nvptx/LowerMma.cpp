//===- LowerMma.cpp - tile.mma as mma.sync ----------------------------------------------------===//
//
// An instruction sums over k in any order as long as both operands agree. A lane therefore takes
// `vec` neighbouring k, and each instruction the next 4 (bf16, k = 16) or 8 (e4m3, k = 32) of them
// from every lane of a row: fragments are contiguous in memory.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Codes.h"
#include "compiler/target/nvptx/Lowering.h"
#include "compiler/target/nvptx/MmaSync.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

LogicalResult Lowering::lowerMma(tile::MmaOp op) {
  FailureOr<TileValue> result = declare(op.getResult());
  if (failed(result))
    return failure();
  auto name = op->getAttrOfType<StringAttr>(instructionAttr);
  if (!name)
    return refuse(op, "expected an instruction; run ced-nvptx-assign-layouts first");
  const TileValue acc = tiles[op.getAcc()], a = tiles[op.getA()], bTile = tiles[op.getB()];
  std::vector<Words> sums;
  for (size_t r = 0; r < acc.geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < acc.geometry.colOffsets.size(); ++c)
      sums.push_back(acc.chunk(r, c));
  if (name == "fma")
    multiplyFma(op, acc, sums);
  else if (name == "f16")
    multiplyF16(op, acc, sums);
  else if (bTile.place)
    multiplyShared(op, acc, sums);
  else
    multiplyBF16(a, bTile, acc, sums);
  tiles[op.getResult()] = hold(*result, std::move(sums));
  return success();
}

/// Column chunks from..to - 1 of a, `aWords(r, k)`, times those of b.
static void multiplyChunks(Code &code, function_ref<Words(int64_t r, int64_t k)> aWords, const TileValue &bTile, const TileValue &acc,
                           int64_t from, int64_t to, std::vector<Words> &sums) {
  int64_t rows = acc.geometry.rowOffsets.size(), cols = acc.geometry.colOffsets.size();
  for (int64_t k = from; k < to; ++k) {
    std::vector<Words> ofRow;
    for (int64_t r = 0; r < rows; ++r)
      ofRow.push_back(aWords(r, k));
    for (int64_t c = 0; c < cols; ++c) {
      Words bWords = bTile.chunk(c, k);
      for (size_t w = 0; w < bWords.size(); w += 2)
        for (int64_t r = 0; r < rows; r += 2) {
          const Words &upper = ofRow[r], &lower = ofRow[r + 1];
          scatterPiece(sums, r, c, cols,
                       instruction(code, NVVM::MMATypes::bf16,
                                   {upper[w], lower[w], upper[w + 1], lower[w + 1]},
                                   {bWords[w], bWords[w + 1]}, gatherPiece(sums, r, c, cols)));
        }
    }
  }
}

/// Words of codes that wait in registers for the warp to decide together how they are decoded.
static constexpr int64_t wordsTogether = 32;

void Lowering::multiplyBF16(const TileValue &a, const TileValue &bTile, const TileValue &acc,
                            std::vector<Words> &sums) {
  int64_t rows = acc.geometry.rowOffsets.size(), steps = a.geometry.colOffsets.size();
  if (!a.coded)
    return multiplyChunks(code, a.chunk, bTile, acc, 0, steps, sums);
  int64_t together = std::clamp<int64_t>(4 * wordsTogether / (rows * a.geometry.vec), 1, steps);
  for (int64_t from = 0; from < steps; from += together) {
    int64_t to = std::min(from + together, steps);
    std::vector<CodedChunk> chunks;
    Value rare;
    for (int64_t k = from; k < to; ++k)
      for (int64_t r = 0; r < rows; ++r) {
        Value here = chunks.emplace_back(a.coded(r, k)).isRare(code);
        rare = rare ? arith::OrIOp::create(b, code.loc, rare, here).getResult() : here;
      }
    Value any = NVVM::VoteSyncOp::create(b, code.loc, code.i1(), code.constant(~0u), rare, NVVM::VoteSyncKind::any);
    auto with = [&](bool once) {
      return [&, once]() -> Words {
        std::vector<Words> result = sums;
        multiplyChunks(code, [&](int64_t r, int64_t k) { return chunks[(k - from) * rows + r].decode(code, once); }, bTile, acc, from, to, result);
        Words all;
        for (const Words &words : result)
          all.append(words);
        return all;
      };
    };
    Words all = code.choose(any, with(false), with(true));
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] = Words(ArrayRef<Value>(all).slice(2 * i, 2));
  }
}

//===------------------------------------------------------------------------------------------===//
// Codes as f16
//===------------------------------------------------------------------------------------------===//

static bool isFP4(tile::DecodeOp decode) { return isa<Float4E2M1FNType>(decode.getElement()); }

/// Codes of one chunk as f16, times 2^-e2m1Exponent if they are E2M1. `split`: in the order in which E2M1 codes
/// come.
static Words codesAsF16(Code &code, const CodeOperand &operand, bool split, bool fewRegisters, int64_t r, int64_t k) {
  Words words = operand.codes.chunk(r, k);
  if (isFP4(operand.decode))
    return e2m1ToSmallF16(code, words, fewRegisters);
  return e4m3ToF16(code, split ? fourApart(code, words) : words);
}

/// Whether of the tile's rows only the first exists.
static bool hasOneRow(const CodeOperand &operand) {
  tile::DecodeOp decode = operand.decode;
  auto load = decode.getCodes().getDefiningOp<tile::LoadOp>();
  return load && load.getRowCount() && matchPattern(load.getRowCount(), m_One());
}

CodeOperand Lowering::takeApart(Value operand) {
  auto decode = operand.getDefiningOp<tile::DecodeOp>();
  return {decode, tiles[operand], tiles[decode.getCodes()], tiles[decode.getScales()]};
}

/// Scales of the sums from `step` on: words of four, or one. Words of what does not exist are
/// replaced by some that are as good as any.
SumScales Lowering::readScales(const CodeOperand &a, const CodeOperand &bSide, const TileValue &acc,
                               int64_t step, bool four) {
  auto read = [&](const CodeOperand &operand, Value row) {
    tile::DecodeOp decode = operand.decode;
    const Geometry &geometry = operand.tile.geometry;
    Value col = quotient(geometry.col, geometry.colOffsets[step], decode.getBlockCols());
    if (!four)
      return scaleToF32(code, operand.scales.byteAt(row, col), decode.getScale());
    Value word = operand.scales.fourAt(row, col);
    if (!operand.scales.rowCount)
      return word;
    Value exists = code.less(code.to64(row), operand.scales.rowCount);
    return code.select(exists, word, code.constant(0x7F7F7F7F));
  };

  SumScales scales;
  SmallVector<Value> known;
  for (size_t r = 0; r < acc.geometry.rowOffsets.size(); ++r) {
    Value row = scaleRow(a.decode, a.tile.geometry, r);
    auto key = llvm::find(known, row);
    scales.keyOfRow.push_back(key - known.begin());
    if (key != known.end())
      continue;
    known.push_back(row);
    scales.rows.push_back(read(a, row));
  }
  // The accumulator's two columns are rows of b that other lanes multiply. Where b has one row, nobody asks for the second column, and
  // any scale will do for the first of other lanes.
  tile::DecodeOp bDecode = bSide.decode; // methods of ops are not const
  if (hasOneRow(bSide)) {
    scales.cols.assign(acc.geometry.colOffsets.size(), {read(bSide, code.constant(0))});
    return scales;
  }
  for (int64_t offset : acc.geometry.colOffsets) {
    Words &pair = scales.cols.emplace_back();
    for (int64_t i : {0, 1})
      pair.push_back(read(bSide, quotient(acc.geometry.col, offset + i, bDecode.getBlockRows())));
  }
  return scales;
}

namespace {
/// How a piece of a product is computed: which sums of 32 k, and what is known of their scales.
struct Piece {
  int64_t step; ///< the first sum
  int count;    ///< of sums, all in one word of scales
  enum {
    Single,
    Plain,
    Any
  } scales; ///< one scale at a time; words that are not remarkable; any words
};
} // namespace

/// The products of scales that column chunk c needs for a piece.
static std::vector<Words> productsOf(Code &code, const SumScales &scales, int64_t c,
                                     int64_t exponent, const Piece &piece) {
  if (piece.scales != Piece::Single)
    return scaleProducts(code, {scales.rows, scales.cols[c], exponent}, piece.step % 4, piece.count,
                         piece.scales == Piece::Plain);
  std::vector<Words> products;
  for (Value x : scales.rows)
    for (Value y : scales.cols[c]) {
      Value product = code.mulf(x, y);
      products.push_back({exponent ? code.mulf(product, powerOfTwo(code, exponent)) : product});
    }
  return products;
}

namespace {
/// A product of codes: acc += (sum over 32 k of code a * code b) * (scale a * scale b).
struct CodeProduct {
  Code &code;
  CodeOperand a, b;
  const TileValue &acc;
  bool split = false;   ///< codes come as E2M1 does
  int64_t exponent = 0; ///< products of codes are too small by 2^exponent

  int64_t rows() const { return acc.geometry.rowOffsets.size(); }
  int64_t cols() const { return acc.geometry.colOffsets.size(); }

  std::vector<Words> fetch(const CodeOperand &operand, const Piece &piece,
                           ArrayRef<int64_t> chunks) const {
    std::vector<Words> words;
    for (int64_t i = 0; i < piece.count; ++i)
      for (int64_t chunk : chunks)
        words.push_back(codesAsF16(code, operand, split, /*fewRegisters=*/cols() > 1, chunk, piece.step + i));
    return words;
  }

  /// One column chunk of a piece. `aWords`: per sum and row.
  void multiply(const Piece &piece, int64_t c, ArrayRef<Words> aWords, ArrayRef<Words> bWords,
                const SumScales &scales, ArrayRef<Words> products, std::vector<Words> &sums) const {
    for (int64_t i = 0; i < piece.count; ++i)
      for (int64_t r = 0; r < rows(); r += 2) {
        const Words &upper = aWords[i * rows() + r], &lower = aWords[i * rows() + r + 1];
        const Words &right = bWords[i];
        Words part(4, code.zero(code.f32())), sum = gatherPiece(sums, r, c, cols());
        for (size_t w = 0; w < upper.size(); w += 2)
          part = instruction(code, NVVM::MMATypes::f16,
                             {upper[w], lower[w], upper[w + 1], lower[w + 1]},
                             {right[w], right[w + 1]}, part);
        int64_t columns = scales.cols[c].size();
        for (int64_t e = 0; e < 4; ++e)
          if (e % 2 < columns)
            sum[e] = code.fma(part[e], products[scales.keyOfRow[r + e / 2] * columns + e % 2][i], sum[e]);
        scatterPiece(sums, r, c, cols(), sum);
      }
  }

  /// All of a piece.
  void multiply(const Piece &piece, const SumScales &scales, std::vector<Words> &sums) const {
    std::vector<Words> aWords = fetch(a, piece, llvm::to_vector(llvm::seq<int64_t>(0, rows())));
    for (int64_t c = 0; c < cols(); ++c) {
      std::vector<Words> bWords = fetch(b, piece, {c});
      multiply(piece, c, aWords, bWords, scales, productsOf(code, scales, c, exponent, piece),
               sums);
    }
  }

  /// Four sums of one column chunk: only the products of scales depend on their being remarkable.
  void multiplyNarrow(int64_t step, const SumScales &scales, Value remarkable,
                      std::vector<Words> &sums) const {
    Piece piece{step, 4, Piece::Any};
    std::vector<Words> aWords = fetch(a, piece, llvm::to_vector(llvm::seq<int64_t>(0, rows())));
    std::vector<Words> bWords = fetch(b, piece, {0});
    auto products = [&](auto kind) {
      Words all;
      for (const Words &words : productsOf(code, scales, 0, exponent, {step, 4, kind}))
        all.append(words);
      return all;
    };
    Words all = code.choose(
        remarkable, [&] { return products(Piece::Any); }, [&] { return products(Piece::Plain); });
    std::vector<Words> each;
    for (size_t i = 0; i < all.size(); i += 4)
      each.emplace_back(ArrayRef<Value>(all).slice(i, 4));
    multiply(piece, 0, aWords, bWords, scales, each, sums);
  }

  /// Four sums of many column chunks, one after the other to save registers. The warp decides
  /// together, so that instructions may stand in both branches.
  void multiplyWide(int64_t step, const SumScales &scales, Value remarkable,
                    std::vector<Words> &sums) const {
    Value any = NVVM::VoteSyncOp::create(code.b, code.loc, code.i1(), code.constant(~0u),
                                         remarkable, NVVM::VoteSyncKind::any);
    auto run = [&](auto kind) {
      std::vector<Words> result = sums;
      for (int64_t i = 0; i < 4; ++i)
        multiply({step + i, 1, kind}, scales, result);
      Words all;
      for (const Words &words : result)
        all.append(words);
      return all;
    };
    Words all = code.choose(
        any, [&] { return run(Piece::Any); }, [&] { return run(Piece::Plain); });
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] = Words(ArrayRef<Value>(all).slice(2 * i, 2));
  }
};
} // namespace

/// Scales of four sums are read together where they lie so.
void Lowering::multiplyF16(tile::MmaOp op, const TileValue &acc, std::vector<Words> &sums) {
  CodeProduct product{code, takeApart(op.getA()), takeApart(op.getB()), acc};
  const CodeOperand &a = product.a, &bSide = product.b;
  product.split = isFP4(a.decode) || isFP4(bSide.decode);
  product.exponent = e2m1Exponent * (isFP4(a.decode) + isFP4(bSide.decode));
  int64_t steps = a.tile.geometry.colOffsets.size();
  tile::DecodeOp aDecode = a.decode, bDecode = bSide.decode;
  bool four = a.scales.fourAt && bSide.scales.fourAt && aDecode.getBlockCols() == 32 &&
              bDecode.getBlockCols() == 32 && steps % 4 == 0;
  for (int64_t step = 0; step < steps; step += four ? 4 : 1) {
    SumScales scales = readScales(a, bSide, acc, step, four);
    if (!four) {
      product.multiply({step, 1, Piece::Single}, scales, sums);
      continue;
    }
    ScaleWords all{scales.rows, {}, product.exponent};
    for (const Words &pair : scales.cols)
      all.b.append(pair);
    Value remarkable = isRemarkable(code, all);
    if (product.cols() == 1)
      product.multiplyNarrow(step, scales, remarkable, sums);
    else
      product.multiplyWide(step, scales, remarkable, sums);
  }
}
