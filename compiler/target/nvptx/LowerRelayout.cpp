//===- LowerRelayout.cpp - exchanges through shared memory ------------------------------------===//
//
// Parts of a sum that k-warps hold are added in the order of the warps. Any other change of layout
// writes the tile row by row and reads it back.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutKind;

LogicalResult Lowering::lowerRelayout(tile::RelayoutOp op) {
  const TileValue from = tiles[op.getValue()];
  FailureOr<TileValue> to = declare(op.getResult());
  if (failed(to))
    return failure();
  auto offset = op->getAttrOfType<IntegerAttr>(scratchAttr);
  if (!offset)
    return refuse(op, "expected a place in shared memory; run ced-nvptx-place-shared first");
  Value scratch = code.at(sharedBase, offset.getInt());
  bool parts = from.layout.getKind() == LayoutKind::MmaPart;
  bool sameSplit =
      from.layout.getSplit() == to->layout.getSplit() && to->layout.getKind() == LayoutKind::MmaAcc;
  if (parts && !sameSplit)
    return refuse(op, "parts of a sum can only be added in their own layout");
  enterShared();
  tiles[op.getResult()] = parts ? addParts(from, *to, scratch) : exchange(from, *to, scratch);
  return success();
}

/// Word w of k-warp k of a thread lies at ((k * words + w) * threads + thread): neighbours store
/// neighbours.
TileValue Lowering::addParts(const TileValue &parts, const TileValue &to, Value scratch) {
  ArrayRef<int64_t> split = parts.layout.getSplit();
  int64_t threads = chip.warp * split[0] * split[1], kWarps = split[2];
  Words mine = allWords(parts);
  int64_t count = mine.size();
  Value inGroup = code.rem(thread, threads), group = code.div(thread, threads);
  Value base = code.at(scratch, code.mul(inGroup, 4));
  Value own = code.at(base, code.mul(group, count * threads * 4));
  for (auto [w, word] : llvm::enumerate(mine))
    code.store(word, code.at(own, w * threads * 4), 4);
  code.barrier();

  std::vector<Words> sums;
  int64_t per = wordsPerChunk(to);
  for (int64_t w = 0; w < count; ++w) {
    Value sum;
    for (int64_t k = 0; k < kWarps; ++k) {
      Value part = code.load(code.f32(), code.at(base, (k * count + w) * threads * 4), 4);
      sum = sum ? code.addf(sum, part) : part;
    }
    if (w % per == 0)
      sums.emplace_back();
    sums.back().push_back(sum);
  }
  return hold(to, std::move(sums));
}

TileValue Lowering::exchange(const TileValue &from, const TileValue &to, Value scratch) {
  Type element = from.type.getElement();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8, pitch = from.type.getCols() * bytes;
  auto place = [&](const TileValue &tile, int64_t r, int64_t c) {
    return code.at(scratch, code.add(code.mul(row(tile, r), pitch), code.mul(col(tile, c), bytes)));
  };
  auto alignment = [&](const TileValue &tile) {
    return std::gcd(std::gcd(tile.geometry.vec * bytes, pitch), int64_t(16));
  };

  code.when(ownsCopy(from), [&] {
    for (size_t r = 0; r < from.geometry.rowOffsets.size(); ++r)
      for (size_t c = 0; c < from.geometry.colOffsets.size(); ++c)
        storeWords(from.chunk(r, c), place(from, r, c), element, from.geometry.vec,
                   alignment(from));
  });
  code.barrier();
  std::vector<Words> words;
  for (size_t r = 0; r < to.geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < to.geometry.colOffsets.size(); ++c)
      words.push_back(loadWords(place(to, r, c), element, to.geometry.vec, alignment(to)));
  return hold(to, std::move(words));
}
