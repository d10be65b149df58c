//===- LowerShape.cpp - deinterleave, interleave, extract -------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

LogicalResult Lowering::lowerDeinterleave(tile::DeinterleaveOp op) {
  const TileValue whole = tiles[op.getValue()];
  FailureOr<TileValue> even = declare(op.getEven()), odd = declare(op.getOdd());
  if (failed(even) || failed(odd))
    return failure();
  Type element = whole.type.getElement();
  std::vector<Words> halves[2];
  for (size_t r = 0; r < whole.geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < whole.geometry.colOffsets.size(); ++c) {
      SmallVector<Value> parts[2];
      for (auto [i, value] :
           llvm::enumerate(unpack(whole.chunk(r, c), element, whole.geometry.vec)))
        parts[i % 2].push_back(value);
      for (int64_t half : {0, 1})
        halves[half].push_back(pack(parts[half], element));
    }
  tiles[op.getEven()] = hold(*even, std::move(halves[0]));
  tiles[op.getOdd()] = hold(*odd, std::move(halves[1]));
  return success();
}

LogicalResult Lowering::lowerInterleave(tile::InterleaveOp op) {
  const TileValue even = tiles[op.getEven()], odd = tiles[op.getOdd()];
  FailureOr<TileValue> whole = declare(op.getResult());
  if (failed(whole))
    return failure();
  Type element = whole->type.getElement();
  std::vector<Words> words;
  for (size_t r = 0; r < even.geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < even.geometry.colOffsets.size(); ++c) {
      SmallVector<Value> elements;
      for (auto [x, y] : llvm::zip(unpack(even.chunk(r, c), element, even.geometry.vec),
                                   unpack(odd.chunk(r, c), element, odd.geometry.vec)))
        elements.append({x, y});
      words.push_back(pack(elements, element));
    }
  tiles[op.getResult()] = hold(*whole, std::move(words));
  return success();
}

/// The one element of a tile is in every thread; others are read from where the tile lies.
LogicalResult Lowering::lowerExtract(tile::ExtractOp op) {
  const TileValue tile = tiles[op.getValue()];
  Type element = tile.type.getElement();
  if (tile.type.getNumElements() == 1) {
    scalars.map(op.getResult(), unpack(tile.chunk(0, 0), element, 1)[0]);
    return success();
  }
  if (!tile.place)
    return refuse(op, "expected a tile in shared memory");
  auto position = [&](Value index) { return code.to32(code.indexTo64(scalars.lookup(index))); };
  Value address = tile.place(position(op.getRow()), position(op.getCol()));
  scalars.map(op.getResult(), code.load(element, address, element.getIntOrFloatBitWidth() / 8));
  return success();
}
