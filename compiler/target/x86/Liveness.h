//===- Liveness.h - when the tiles of a kernel are needed -------------------------------------===//
//
// Positions number the ops of a kernel in text order, two apart. A tile's life is a list of closed
// intervals: one unless it passes an scf.if, whose branches do not see each other's positions.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/tile/Tile.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <set>
#include <tuple>

namespace cedilla::x86 {

struct Interval {
  int64_t begin, end;
};

class Liveness {
public:
  explicit Liveness(tile::KernelOp kernel);

  /// Tiles in text order: op results and the carried arguments of loops.
  mlir::ArrayRef<mlir::Value> tiles() const { return order; }
  mlir::ArrayRef<Interval> lifeOf(mlir::Value tile) const { return lives.find(tile)->second; }
  int64_t positionOf(mlir::Operation *op) const { return begin.lookup(op); }

  /// Do the two need different places? Not when one ends where the other begins at an op that may
  /// write its result over that operand.
  bool interfere(mlir::Value a, mlir::Value b) const;

private:
  void number(mlir::Block &block);
  void addLife(mlir::Value tile, mlir::Block &block, int64_t from,
               llvm::SmallVector<Interval> &life);
  void addTile(mlir::Value tile, int64_t from, mlir::Block &block);
  void addOp(mlir::Operation &op);
  void allowInPlace(mlir::Value operand, mlir::Value result, int64_t position);

  int64_t next = 0;
  llvm::DenseMap<mlir::Operation *, int64_t> begin, end; // `end` differs for ops with regions
  llvm::SmallVector<mlir::Value> order;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Interval>> lives;
  llvm::DenseSet<std::pair<std::pair<mlir::Value, mlir::Value>, int64_t>> inPlace;
};

} // namespace cedilla::x86
