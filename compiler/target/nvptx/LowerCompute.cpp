//===- LowerCompute.cpp - splat, constant, choice, map ----------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

//===------------------------------------------------------------------------------------------===//
// splat, constant
//===------------------------------------------------------------------------------------------===//

LogicalResult Lowering::lowerSplat(tile::SplatOp op) {
  FailureOr<TileValue> tile = declare(op.getResult());
  if (failed(tile))
    return failure();
  SmallVector<Value> elements(tile->geometry.vec, scalars.lookup(op.getValue()));
  std::vector<Words> words(tile->geometry.chunks(), pack(elements, tile->type.getElement()));
  tiles[op.getResult()] = hold(*tile, std::move(words));
  return success();
}

/// A table of the kernel's in global memory, by rows.
Value Lowering::tableOf(DenseElementsAttr elements) {
  auto function = sharedBase.getParentRegion()->getParentOfType<LLVM::LLVMFuncOp>();
  std::string name = (function.getSymName() + "_table" + Twine(tables++)).str();
  auto flat = RankedTensorType::get({elements.getNumElements()}, elements.getElementType());
  auto type = LLVM::LLVMArrayType::get(elements.getElementType(), elements.getNumElements());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(function);
  auto global = LLVM::GlobalOp::create(b, code.loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name, elements.reshape(flat),
                                       /*alignment=*/16, /*addrSpace=*/1);
  b.setInsertionPoint(entryEnd);
  return LLVM::AddressOfOp::create(b, code.loc, global);
}

LogicalResult Lowering::lowerConstant(tile::ConstantOp op) {
  FailureOr<TileValue> tile = declare(op.getResult());
  if (failed(tile))
    return failure();
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return refuse(op, "expected a dense constant");
  std::vector<Words> words;
  Type element = tile->type.getElement();
  if (elements.isSplat()) {
    Value value = arith::ConstantOp::create(b, code.loc, elements.getSplatValue<TypedAttr>());
    words.assign(tile->geometry.chunks(),
                 pack(SmallVector<Value>(tile->geometry.vec, value), element));
    tiles[op.getResult()] = hold(*tile, std::move(words));
    return success();
  }
  int64_t bytes = element.getIntOrFloatBitWidth() / 8, pitch = tile->type.getCols() * bytes;
  int64_t alignment = std::gcd(std::gcd(pitch, tile->geometry.vec * bytes), int64_t(16));
  Value table = tableOf(elements);
  for (size_t r = 0; r < tile->geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < tile->geometry.colOffsets.size(); ++c) {
      Value offset = code.add(code.mul(row(*tile, r), pitch), code.mul(col(*tile, c), bytes));
      words.push_back(loadWords(code.at(table, offset), element, tile->geometry.vec, alignment));
    }
  tiles[op.getResult()] = hold(*tile, std::move(words));
  return success();
}

/// arith.select of two tiles, which MLIR makes of a branch that only chooses.
LogicalResult Lowering::lowerChoice(arith::SelectOp op) {
  FailureOr<TileValue> tile = declare(op.getResult());
  if (failed(tile))
    return failure();
  const TileValue yes = tiles[op.getTrueValue()], no = tiles[op.getFalseValue()];
  Value condition = scalars.lookup(op.getCondition());
  std::vector<Words> words;
  for (size_t r = 0; r < tile->geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < tile->geometry.colOffsets.size(); ++c) {
      Words &chosen = words.emplace_back();
      for (auto [x, y] : llvm::zip(yes.chunk(r, c), no.chunk(r, c)))
        chosen.push_back(code.select(condition, x, y));
    }
  tiles[op.getResult()] = hold(*tile, std::move(words));
  return success();
}

//===------------------------------------------------------------------------------------------===//
// map
//===------------------------------------------------------------------------------------------===//

LogicalResult Lowering::lowerMap(tile::MapOp op) {
  std::vector<TileValue> inputs, outputs;
  for (Value input : op.getInputs())
    inputs.push_back(tiles[input]);
  for (Value output : op.getOutputs()) {
    FailureOr<TileValue> tile = declare(output);
    if (failed(tile))
      return failure();
    outputs.push_back(*tile);
  }
  const Geometry &shape = outputs.front().geometry;
  std::vector<std::vector<Words>> results(outputs.size());
  for (size_t r = 0; r < shape.rowOffsets.size(); ++r)
    for (size_t c = 0; c < shape.colOffsets.size(); ++c) {
      SmallVector<SmallVector<Value>> elements = mapChunk(op, inputs, outputs.front(), r, c);
      for (auto [i, output] : llvm::enumerate(outputs))
        results[i].push_back(pack(elements[i], output.type.getElement()));
    }
  for (auto [i, output] : llvm::enumerate(outputs))
    tiles[op.getOutputs()[i]] = hold(output, std::move(results[i]));
  return success();
}

/// The region once per element of a chunk; one list of elements per output. Dims of 1 are
/// broadcast.
SmallVector<SmallVector<Value>> Lowering::mapChunk(tile::MapOp op, ArrayRef<TileValue> inputs,
                                                   const TileValue &shape, int64_t r, int64_t c) {
  SmallVector<SmallVector<Value>> read;
  for (const TileValue &input : inputs) {
    int64_t row = input.type.getRows() == 1 ? 0 : r, col = input.type.getCols() == 1 ? 0 : c;
    read.push_back(unpack(input.chunk(row, col), input.type.getElement(), input.geometry.vec));
  }
  Block &body = op.getBody().front();
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (int64_t i = 0; i < shape.geometry.vec; ++i) {
    IRMapping map(scalars);
    for (auto [argument, elements] : llvm::zip(body.getArguments(), read))
      map.map(argument, elements[elements.size() == 1 ? 0 : i]);
    for (Operation &each : body.without_terminator()) {
      if (auto coord = dyn_cast<tile::CoordOp>(each))
        map.map(coord.getResult(),
                coord.getDim() == 0 ? row(shape, r) : code.add(col(shape, c), i));
      else
        b.clone(each, map);
    }
    for (auto [list, value] : llvm::zip(results, body.getTerminator()->getOperands()))
      list.push_back(map.lookup(value));
  }
  return results;
}
