//===- LowerDecode.cpp - tile.decode as a recipe ----------------------------------------------===//
//
// A chunk is decoded when somebody asks for it: its codes are fetched, its scale read from where
// the scales lie. Products that take codes as they are (LowerMma.cpp) never ask. Where a thread has
// whole words of codes under one scale they are decoded word by word, elsewhere one by one.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/Numbers.h"
#include "compiler/target/nvptx/Codes.h"
#include "compiler/target/nvptx/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

Value CodedChunk::isRare(Code &code) const {
  Value any;
  forEachScale([&](ArrayRef<Value> codes, Value scale) {
    Value rare = isRareE4M3(code, codes, scale, mayBeNaN);
    any = any ? arith::OrIOp::create(code.b, code.loc, any, rare).getResult() : rare;
  });
  return any;
}

Words CodedChunk::decode(Code &code, bool once) const {
  Words result;
  forEachScale([&](ArrayRef<Value> codes, Value scale) { result.append(e4m3TimesScale(code, codes, scale, once, mayBeNaN)); });
  return result;
}

Value Lowering::scaleRow(tile::DecodeOp op, const Geometry &geometry, int64_t r) {
  return quotient(geometry.row, geometry.rowOffsets[r], op.getBlockRows());
}

/// The byte of the scale at row `row` of the scales and the block of column `col` of the decoded
/// tile.
Value Lowering::scaleByte(const TileValue &scales, tile::DecodeOp op, Value row,
                          const Geometry &geometry, int64_t col) {
  return scales.byteAt(row, quotient(geometry.col, col, op.getBlockCols()));
}

/// Codes one after the other, each with its own scale.
Words Lowering::decodeNarrow(tile::DecodeOp op, const TileValue &codes, const TileValue &scales,
                             const TileValue &tile, int64_t r, int64_t c) {
  bool fp4 = isa<Float4E2M1FNType>(op.getElement());
  const Geometry &g = tile.geometry;
  ScalarBuilder a(b, code.loc);
  SmallVector<Value> bytes = unpack(codes.chunk(r, c), codes.type.getElement(), codes.geometry.vec),
                     result;
  for (int64_t i = 0; i < g.vec; ++i) {
    Value byte = code.unsignedTo32(bytes[fp4 ? i / 2 : i]);
    if (fp4)
      byte = code.andBits(code.shr(byte, i % 2 * 4), 0xF);
    Value scale = scaleToF32(
        code, scaleByte(scales, op, scaleRow(op, g, r), g, g.colOffsets[c] + i), op.getScale());
    Value value = code.mulf(decodeMinifloat(a, fp4 ? e2m1 : e4m3, byte), scale);
    if (tile.type.getElement().isBF16())
      value = arith::TruncFOp::create(b, code.loc, b.getBF16Type(), value);
    result.push_back(value);
  }
  return pack(result, tile.type.getElement());
}

LogicalResult Lowering::lowerDecode(tile::DecodeOp op) {
  FailureOr<TileValue> tile = declare(op.getResult());
  if (failed(tile))
    return failure();
  const TileValue codes = tiles[op.getCodes()], scales = tiles[op.getScales()];
  tile->reads = codes.reads;
  tile->reads.append(scales.reads);
  bool fp4 = isa<Float4E2M1FNType>(op.getElement()), toF32 = tile->type.getElement().isF32();
  int64_t vec = tile->geometry.vec, blockCols = op.getBlockCols(),
          together = std::min(vec, blockCols);
  bool words =
      vec % (fp4 ? 8 : 4) == 0 && together % 4 == 0 && std::max(vec, blockCols) % together == 0;
  if (!words) {
    tile->chunk = [this, op, codes, scales, own = *tile](int64_t r, int64_t c) {
      return decodeNarrow(op, codes, scales, own, r, c);
    };
    tiles[op.getResult()] = *tile;
    return success();
  }

  if (!toF32 && isa<Float8E8M0FNUType>(op.getScale()))
    tile->coded = [this, op, codes, scales, fp4, vec, together, geometry = tile->geometry](int64_t r, int64_t c) mutable {
      CodedChunk coded{codes.chunk(r, c), {}, !fp4};
      if (fp4)
        coded.words = e2m1ToE4M3(code, coded.words);
      for (int64_t first = 0; first < vec; first += together)
        coded.scales.push_back(scaleByte(scales, op, scaleRow(op, geometry, r), geometry, geometry.colOffsets[c] + first));
      return coded;
    };
  tile->chunk = [this, op, codes, scales, fp4, toF32, vec, together,
                 geometry = tile->geometry](int64_t r, int64_t c) mutable {
    Words words = codes.chunk(r, c), result;
    if (fp4)
      words = e2m1ToE4M3(code, words);
    for (int64_t first = 0; first < vec; first += together) {
      ArrayRef<Value> part = ArrayRef<Value>(words).slice(first / 4, together / 4);
      Value byte = scaleByte(scales, op, scaleRow(op, geometry, r), geometry,
                             geometry.colOffsets[c] + first);
      if (!toF32) {
        result.append(e4m3TimesScale(code, part, byte, op.getScale(), !fp4));
        continue;
      }
      Value scale = scaleToF32(code, byte, op.getScale());
      for (Value pair : e4m3ToBF16(code, part, !fp4))
        for (int64_t i : {0, 1})
          result.push_back(code.mulf(
              arith::ExtFOp::create(b, code.loc, code.f32(), code.element(pair, i)), scale));
    }
    return result;
  };
  tiles[op.getResult()] = *tile;
  return success();
}
