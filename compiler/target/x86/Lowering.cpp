//===- Lowering.cpp - what the lowering of a kernel's ops shares ------------------------------===//

#include "compiler/target/x86/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

Emitter::Values Lowering::lookup(ValueRange values) {
  Values result;
  for (Value value : values)
    result.push_back(scalar(value));
  return result;
}

Stored Lowering::placeAt(const TileLayout &layout, int64_t offset) {
  return {layout, address(arena, i8(), offset), offset};
}

Stored Lowering::define(OpResult result) {
  unsigned index = 0; // among the tiles of the op
  for (Value before : result.getOwner()->getResults().take_front(result.getResultNumber()))
    index += isa<tile::TileType>(before.getType());
  auto places = result.getOwner()->getAttrOfType<DenseI64ArrayAttr>("arena");
  Stored stored = placeAt(TileLayout(cast<tile::TileType>(result.getType())), places[index]);
  tiles.insert({result, stored});
  return stored;
}

Value Lowering::element(const Stored &tile, Value row, Value col) {
  return element(tile, mulAdd(row, tile.layout.rowStride, col));
}

void Lowering::copy(const Stored &from, const Stored &to) {
  loop(from.layout.elements(), lanes, [&](Value i) {
    store(load(vector(from.layout.element), element(from, i)), element(to, i));
  });
}

void Lowering::fill(const Stored &tile, Value value) {
  Value splatted = splat(value);
  loop(tile.layout.elements(), lanes, [&](Value i) { store(splatted, element(tile, i)); });
}
