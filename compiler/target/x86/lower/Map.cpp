//===- Map.cpp - elementwise maps as loops over vectors ---------------------------------------===//
//
// One loop nest in the layout of the results: runs outside, 8 elements of a run inside. Inputs that
// do not vary along a run are loaded outside the inner loop and broadcast. The region's scalars
// become vectors. The last vector of a run computes on padding, whatever that holds, and writes
// padding.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

namespace {
/// How an input meets the results' layout.
struct Input {
  Stored tile;
  bool alongRuns, alongRun; ///< varies from run to run, within a run
  int64_t runStride;
};
} // namespace

static Input inputOf(Lowering &l, Value value, const TileLayout &result) {
  auto type = cast<tile::TileType>(value.getType());
  int64_t outer = result.column ? type.getCols() : type.getRows();
  int64_t inner = result.column ? type.getRows() : type.getCols();
  const Stored &tile = l.tile(value);
  // An Mx1 input of an MxN map is a column: one element per run.
  return {tile, outer > 1, inner > 1, result.column ? 0 : tile.layout.rowStride};
}

/// Scalars of outside, as vectors, before the loops.
static void broadcastCaptured(Lowering &l, tile::MapOp map, IRMapping &values) {
  map.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (operand.getParentRegion() != &map.getBody() && !values.contains(operand))
        values.map(operand, l.splat(l.scalar(operand)));
  });
}

static Value coordOf(Lowering &l, tile::CoordOp coord, const TileLayout &layout, Value run,
                     Value at) {
  bool alongRun = (coord.getDim() == 1) != layout.column;
  Value position = l.trunc(alongRun ? at : run, l.i32Type());
  return alongRun ? l.iota(position) : l.splat(position);
}

/// The region on the 8 elements from `at` of run `run`.
static LogicalResult lowerBody(Lowering &l, tile::MapOp map, const TileLayout &layout,
                               IRMapping &values, Value run, Value at) {
  Value valid;
  if (layout.inner % lanes != 0) {
    Value left = l.sub(l.i64(layout.inner), at);
    valid = l.lt(l.iota(l.i32(0, left)), l.splat(l.trunc(left, l.i32Type())));
  }
  for (Operation &op : map.getBody().front().without_terminator()) {
    l.loc = op.getLoc();
    if (auto coord = dyn_cast<tile::CoordOp>(op))
      values.map(coord.getResult(), coordOf(l, coord, layout, run, at));
    else if (failed(lowerScalar(l, op, values, lanes, valid)))
      return failure();
  }
  l.loc = map.getLoc();
  return success();
}

LogicalResult cedilla::x86::lowerMap(Lowering &l, tile::MapOp map) {
  Block &body = map.getBody().front();
  SmallVector<Input> inputs;
  SmallVector<Stored> outputs;
  TileLayout layout(cast<tile::TileType>(map.getResult(0).getType()));
  for (OpResult result : map->getResults())
    outputs.push_back(l.define(result));
  for (Value input : map.getInputs())
    inputs.push_back(inputOf(l, input, layout));

  IRMapping values;
  broadcastCaptured(l, map, values);
  auto loadAt = [&](unsigned i, Value offset) {
    values.map(body.getArgument(i),
               l.load(l.vector(inputs[i].tile.layout.element), l.element(inputs[i].tile, offset)));
  };
  auto broadcastAt = [&](unsigned i, Value offset) {
    Value scalar = l.load(inputs[i].tile.layout.element, l.element(inputs[i].tile, offset));
    values.map(body.getArgument(i), l.splat(scalar));
  };

  for (auto [i, input] : llvm::enumerate(inputs))
    if (!input.alongRuns && !input.alongRun)
      broadcastAt(i, l.i64(0));
  LogicalResult result = success();
  l.loop(layout.outer, 1, [&](Value run) {
    for (auto [i, input] : llvm::enumerate(inputs))
      if (input.alongRuns && !input.alongRun)
        broadcastAt(i, l.mulAdd(run, input.runStride, l.i64(0)));
    l.loop(layout.inner, lanes, [&](Value at) {
      for (auto [i, input] : llvm::enumerate(inputs))
        if (input.alongRun)
          loadAt(i, input.alongRuns ? l.mulAdd(run, input.runStride, at) : at);
      if (failed(result) || failed(result = lowerBody(l, map, layout, values, run, at)))
        return;
      for (auto [output, value] : llvm::zip(outputs, body.getTerminator()->getOperands()))
        l.store(values.lookup(value), l.element(output, l.mulAdd(run, layout.padded, at)));
    });
  });
  return result;
}
