//===- LowerMmaShared.cpp - products whose operands lie in shared memory ----------------------===//
//
// ldmatrix gives every lane its part of 8x8 pieces: of rows of `a` and of `b` in [N,K] as they are,
// of `b` in [K,N] turned. Rows in scratch are an odd number of 16 bytes apart, so that the eight
// rows of a piece lie in different banks. Where `a` is what an earlier product's accumulators
// became, it stays in its registers.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/MmaSync.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

// Of one instruction; k of a piece is half of it.
static constexpr int64_t pieceRows = 16, pieceCols = 8, pieceK = 16, bytes = 2;

/// `count` (2 or 4) pieces of 8x8; the lanes' addresses name their rows.
static Words loadPieces(Code &code, Value address, int64_t count, bool turned) {
  OpBuilder &b = code.b;
  auto type =
      LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(count, code.i32()));
  Value pieces = NVVM::LdMatrixOp::create(
      b, code.loc, type, address, b.getI32IntegerAttr(count),
      NVVM::MMALayoutAttr::get(b.getContext(),
                               turned ? NVVM::MMALayout::col : NVVM::MMALayout::row),
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltTypeAttr::get(b.getContext(), NVVM::LdStMatrixEltType::B16));
  Words words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(LLVM::ExtractValueOp::create(b, code.loc, pieces, i));
  return words;
}

namespace {
/// Where the pieces of an operand begin for a lane, and how far it is to the next ones.
struct Pieces {
  Value base;
  int64_t perStep, perPiece;
};
} // namespace

void Lowering::multiplyShared(tile::MmaOp op, const TileValue &acc, std::vector<Words> &sums) {
  const TileValue a = tiles[op.getA()], bTile = tiles[op.getB()];
  ArrayRef<int64_t> split = acc.layout.getSplit();
  int64_t m = acc.type.getRows(), n = acc.type.getCols(), k = op.getA().getType().getCols();
  int64_t rows = acc.geometry.rowOffsets.size(), cols = acc.geometry.colOffsets.size();
  bool kn = op.getKn();
  const int64_t colWarp = warpSize * split[0], kWarp = colWarp * split[1];
  auto begin = [&](const TileValue &tile, ArrayRef<ThreadTerm> terms) {
    return code.at(tile.scratch, sum(terms, 0));
  };

  // Bytes along m, n and k of each operand.
  int64_t aRow = a.pitch;
  int64_t bCol = kn ? bytes : bTile.pitch, bK = kn ? bTile.pitch : bytes;
  Pieces aPieces{{}, pieceK * bytes, pieceRows * aRow};
  if (a.place)
    aPieces.base = begin(a, {{1, 8, aRow},
                             {8, 2, 8 * aRow},
                             {16, 2, 8 * bytes},
                             {warpSize, split[0], m / split[0] * aRow},
                             {kWarp, split[2], k / split[2] * bytes}});
  // Lanes name rows of memory: columns of the product, or its k.
  ThreadTerm inPiece{1, 8, bTile.pitch}, second{8, 2, 8 * bK}, nextPiece{16, 2, pieceCols * bCol};
  ThreadTerm warpCol{colWarp, split[1], n / split[1] * bCol},
      warpK{kWarp, split[2], k / split[2] * bK};
  Pieces bPieces{begin(bTile, {inPiece, second, warpCol, warpK}), pieceK * bK, pieceCols * bCol};
  Value bTwo = cols > 1 ? begin(bTile, {inPiece, second, nextPiece, warpCol, warpK}) : Value();

  auto aWords = [&](int64_t step, int64_t r) -> Words {
    if (a.place)
      return loadPieces(
          code, code.at(aPieces.base, step * aPieces.perStep + r / 2 * aPieces.perPiece), 4, false);
    return {a.chunk(r, 2 * step)[0], a.chunk(r + 1, 2 * step)[0], a.chunk(r, 2 * step + 1)[0],
            a.chunk(r + 1, 2 * step + 1)[0]};
  };
  for (int64_t step = 0; step < k / split[2] / pieceK; ++step) {
    std::vector<Words> left;
    for (int64_t r = 0; r < rows; r += 2)
      left.push_back(aWords(step, r));
    for (int64_t c = 0; c < cols; c += 2) {
      int64_t here = std::min<int64_t>(cols - c, 2),
              offset = step * bPieces.perStep + c * bPieces.perPiece;
      Words right =
          loadPieces(code, code.at(here == 2 ? bTwo : bPieces.base, offset), 2 * here, kn);
      for (int64_t i = 0; i < here; ++i)
        for (int64_t r = 0; r < rows; r += 2)
          scatterPiece(sums, r, c + i, cols,
                       instruction(code, NVVM::MMATypes::bf16, left[r / 2],
                                   ArrayRef<Value>(right).slice(2 * i, 2),
                                   gatherPiece(sums, r, c + i, cols)));
    }
  }
}
