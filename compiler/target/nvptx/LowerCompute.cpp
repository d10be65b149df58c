//===- LowerCompute.cpp - splat, constant, map, reduce ----------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

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

LogicalResult Lowering::lowerConstant(tile::ConstantOp op) {
  FailureOr<TileValue> tile = declare(op.getResult());
  if (failed(tile))
    return failure();
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || !elements.isSplat())
    return refuse(op, "a constant of different values is not carried by target 'nvptx' yet");
  Value value = arith::ConstantOp::create(b, code.loc, elements.getSplatValue<TypedAttr>());
  std::vector<Words> words(
      tile->geometry.chunks(),
      pack(SmallVector<Value>(tile->geometry.vec, value), tile->type.getElement()));
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

//===------------------------------------------------------------------------------------------===//
// reduce
//===------------------------------------------------------------------------------------------===//

static Value combine(Code &code, tile::Combine kind, Value x, Value y) {
  OpBuilder &b = code.b;
  bool isFloat = isa<FloatType>(x.getType());
  switch (kind) {
  case tile::Combine::Add:
    return isFloat ? code.addf(x, y) : code.add(x, y);
  case tile::Combine::Max:
    return isFloat ? Value(arith::MaxNumFOp::create(b, code.loc, x, y))
                   : arith::MaxSIOp::create(b, code.loc, x, y);
  case tile::Combine::Min:
    return isFloat ? Value(arith::MinNumFOp::create(b, code.loc, x, y))
                   : arith::MinSIOp::create(b, code.loc, x, y);
  }
  llvm_unreachable("a reduction combines by add, max or min");
}

/// The value of the lane whose number differs in the bits of `mask`.
static Value fromLane(Code &code, Value value, int64_t mask) {
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(code.b, code.loc, word.getType(), code.constant(~0u), word,
                                code.constant(mask), code.constant(31), NVVM::ShflKind::bfly,
                                UnitAttr());
  };
  if (value.getType().getIntOrFloatBitWidth() == 32)
    return exchange(value);
  Value low = exchange(code.to32(value)), high = exchange(code.to32(code.shr(value, 32)));
  auto wide = [&](Value word) {
    return arith::ExtUIOp::create(code.b, code.loc, code.i64(), word);
  };
  return code.orBits(wide(low), code.shl(wide(high), 32));
}

/// In registers first, then across the lanes that share the dim, in the order of the layout.
LogicalResult Lowering::lowerReduce(tile::ReduceOp op) {
  const TileValue from = tiles[op.getValue()];
  FailureOr<TileValue> to = declare(op.getResult());
  if (failed(to))
    return failure();
  bool alongRow = op.getDim() == 1;
  ArrayRef<ThreadTerm> shared = alongRow ? from.geometry.col : from.geometry.row;
  for (const ThreadTerm &term : shared)
    if (term.div * term.mod > warpSize)
      return refuse(
          op,
          "a reduction across warps is not carried by target 'nvptx' yet (the layout deals dim " +
              Twine(op.getDim()) + " out over several warps)");

  const Geometry &g = from.geometry;
  Type element = from.type.getElement();
  // One sum per row offset (dim 1), or per column of a chunk (dim 0).
  std::vector<Words> words;
  size_t outer = alongRow ? g.rowOffsets.size() : g.colOffsets.size();
  size_t inner = alongRow ? g.colOffsets.size() : g.rowOffsets.size();
  for (size_t o = 0; o < outer; ++o) {
    SmallVector<Value> sums;
    for (size_t i = 0; i < inner; ++i) {
      SmallVector<Value> elements =
          unpack(alongRow ? from.chunk(o, i) : from.chunk(i, o), element, g.vec);
      if (sums.empty() && !alongRow) {
        sums = elements;
        continue;
      }
      for (auto [e, value] : llvm::enumerate(elements)) {
        size_t slot = alongRow ? 0 : e;
        if (slot < sums.size())
          sums[slot] = combine(code, op.getKind(), sums[slot], value);
        else
          sums.push_back(value);
      }
    }
    for (Value &sum : sums)
      for (const ThreadTerm &term : shared)
        for (int64_t lane = term.div; lane < term.div * term.mod; lane *= 2)
          sum = combine(code, op.getKind(), sum, fromLane(code, sum, lane));
    words.push_back(pack(sums, element));
  }
  tiles[op.getResult()] = hold(*to, std::move(words));
  return success();
}
