//===- Shape.cpp - splat, constant, extract, select, deinterleave, interleave -----------------===//

#include "compiler/target/x86/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

void cedilla::x86::lowerSplat(Lowering &l, tile::SplatOp op) {
  l.fill(l.define(op->getResult(0)), l.scalar(op.getValue()));
}

void cedilla::x86::lowerExtract(Lowering &l, tile::ExtractOp op) {
  const Stored &tile = l.tile(op.getValue());
  Value at = l.element(tile, l.scalar(op.getRow()), l.scalar(op.getCol()));
  l.scalars.map(op.getResult(), l.load(tile.layout.element, at));
}

void cedilla::x86::lowerChoice(Lowering &l, arith::SelectOp op) {
  Stored yes = l.tile(op.getTrueValue()), no = l.tile(op.getFalseValue());
  Value chosen = LLVM::SelectOp::create(l.b, l.loc, l.scalar(op.getCondition()), yes.base, no.base);
  l.copy({yes.layout, chosen, -1}, l.define(op->getResult(0)));
}

//===------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------===//

/// One element as held.
static Attribute heldElement(Attribute value, Type held) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(held, number.getValueAsDouble());
  return value;
}

/// The table in the layout of the tile, as a private constant of the image.
static Value tableOf(Lowering &l, tile::ConstantOp op, const TileLayout &layout) {
  SmallVector<Attribute> elements(layout.elements(),
                                  cast<Attribute>(l.b.getZeroAttr(layout.element)));
  for (auto [i, value] : llvm::enumerate(op.getValue().getValues<Attribute>()))
    elements[int64_t(i) / layout.inner * layout.padded + int64_t(i) % layout.inner] =
        heldElement(value, layout.element);

  auto function = l.b.getInsertionBlock()->getParent()->getParentOfType<LLVM::LLVMFuncOp>();
  std::string name = (function.getSymName() + ".table" + Twine(l.tables++)).str();
  auto type = LLVM::LLVMArrayType::get(layout.element, layout.elements());
  auto tensor = RankedTensorType::get({layout.elements()}, layout.element);
  {
    OpBuilder::InsertionGuard guard(l.b);
    l.b.setInsertionPoint(function);
    LLVM::GlobalOp::create(l.b, l.loc, type, /*isConstant=*/true, LLVM::Linkage::Private, name,
                           DenseElementsAttr::get(tensor, elements), /*alignment=*/arenaAlignment);
  }
  return LLVM::AddressOfOp::create(l.b, l.loc, LLVM::LLVMPointerType::get(l.b.getContext()), name);
}

void cedilla::x86::lowerConstant(Lowering &l, tile::ConstantOp op) {
  const Stored &tile = l.define(op->getResult(0));
  if (op.getValue().isSplat()) {
    auto element =
        cast<TypedAttr>(heldElement(op.getValue().getSplatValue<Attribute>(), tile.layout.element));
    return l.fill(tile, l.constant(tile.layout.element, element));
  }
  l.copy({tile.layout, tableOf(l, op, tile.layout), -1}, tile);
}

//===------------------------------------------------------------------------------------------===//
// Even and odd columns
//===------------------------------------------------------------------------------------------===//

static constexpr int64_t evenLanes[] = {0, 2, 4, 6, 8, 10, 12, 14};
static constexpr int64_t oddLanes[] = {1, 3, 5, 7, 9, 11, 13, 15};
static constexpr int64_t zipLow[] = {0, 8, 1, 9, 2, 10, 3, 11};
static constexpr int64_t zipHigh[] = {4, 12, 5, 13, 6, 14, 7, 15};

void cedilla::x86::lowerDeinterleave(Lowering &l, tile::DeinterleaveOp op) {
  const Stored whole = l.tile(op.getValue());
  const Stored even = l.define(op->getResult(0)), odd = l.define(op->getResult(1));
  auto at = [&](const Stored &tile, Value row, Value col) { return l.element(tile, row, col); };
  int64_t rows = op.getEven().getType().getRows(), cols = op.getEven().getType().getCols();
  if (even.layout.column) { // halves of one column: elements
    l.loop(rows, 1, [&](Value row) {
      l.store(l.load(even.layout.element, at(whole, row, l.i64(0))), at(even, row, l.i64(0)));
      l.store(l.load(even.layout.element, at(whole, row, l.i64(1))), at(odd, row, l.i64(0)));
    });
    return;
  }
  Type vector = l.vector(even.layout.element);
  l.loop(rows, 1, [&](Value row) {
    l.loop(cols, lanes, [&](Value col) {
      // The second half may lie behind the row; then its lanes are padding of the halves.
      Value from = l.mulAdd(col, 2, l.i64(0));
      Value first = l.load(vector, at(whole, row, from));
      Value second = l.load(vector, at(whole, row, l.mulAdd(from, 1, l.i64(lanes))));
      l.store(l.shuffle(first, second, evenLanes), at(even, row, col));
      l.store(l.shuffle(first, second, oddLanes), at(odd, row, col));
    });
  });
}

void cedilla::x86::lowerInterleave(Lowering &l, tile::InterleaveOp op) {
  const Stored even = l.tile(op.getEven()), odd = l.tile(op.getOdd());
  const Stored whole = l.define(op->getResult(0));
  auto at = [&](const Stored &tile, Value row, Value col) { return l.element(tile, row, col); };
  int64_t rows = op.getEven().getType().getRows(), cols = op.getEven().getType().getCols();
  if (even.layout.column) {
    l.loop(rows, 1, [&](Value row) {
      l.store(l.load(even.layout.element, at(even, row, l.i64(0))), at(whole, row, l.i64(0)));
      l.store(l.load(even.layout.element, at(odd, row, l.i64(0))), at(whole, row, l.i64(1)));
    });
    return;
  }
  Type vector = l.vector(even.layout.element);
  auto zip = [&](Value row, Value col, bool both) {
    Value x = l.load(vector, at(even, row, col)), y = l.load(vector, at(odd, row, col));
    Value to = l.mulAdd(col, 2, l.i64(0));
    l.store(l.shuffle(x, y, zipLow), at(whole, row, to));
    if (both)
      l.store(l.shuffle(x, y, zipHigh), at(whole, row, l.mulAdd(to, 1, l.i64(lanes))));
  };
  // Behind the last vector of a row lies the next row: at most 4 columns left give one vector.
  int64_t rest = cols % lanes, full = cols - rest;
  l.loop(rows, 1, [&](Value row) {
    l.loop(full, lanes, [&](Value col) { zip(row, col, true); });
    if (rest)
      zip(row, l.i64(full), rest > lanes / 2);
  });
}
