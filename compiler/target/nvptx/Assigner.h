//===- Assigner.h - one kernel while its tiles are given layouts ------------------------------===//
//
// Ops are visited in order. A flexible op (one that any thread can evaluate from memory or from
// nothing) waits until somebody reads it and then takes the reader's layout; other ops take the
// layout of what they read. A reader that finds another layout gets a copy of a cheap producer, or
// a tile.relayout behind the producer.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/nvptx/Geometry.h"
#include "compiler/target/nvptx/MmaPlan.h"

namespace cedilla::nvptx {

inline bool isTile(mlir::Value value) { return mlir::isa<tile::TileType>(value.getType()); }

class Assigner {
public:
  Assigner(tile::KernelOp kernel, const Chip &chip);
  mlir::LogicalResult run();

private:
  using Value = mlir::Value;
  using LayoutAttr = tile::LayoutAttr;
  using TileType = tile::TileType;

  // AssignLayouts.cpp
  mlir::LogicalResult require(mlir::OpOperand &operand, LayoutAttr layout);
  mlir::LogicalResult requireScales(tile::DecodeOp op);
  mlir::FailureOr<LayoutAttr> settled(mlir::OpOperand &operand);
  mlir::LogicalResult finishFlexible();
  void write();

  // AssignFlexible.cpp
  bool isFlexible(Value value) const;
  bool isReady(Value value) const;
  bool isCheap(Value value) const;
  bool takes(mlir::Operation *op, LayoutAttr layout) const;
  mlir::LogicalResult setFlexible(mlir::Operation *op, LayoutAttr layout);
  bool isStored(Value memory) const { return stored.contains(memory); }

  // AssignFlat.cpp
  void chooseSplit();
  LayoutAttr split(TileType tile) const;
  LayoutAttr flat(TileType tile, int64_t leastVec = 1) const;
  LayoutAttr flatFor(mlir::Operation *op) const;
  LayoutAttr memory() const;
  LayoutAttr finished(LayoutAttr layout, TileType tile) const;
  bool fits(LayoutAttr layout, TileType tile) const;

  // AssignOps.cpp
  mlir::LogicalResult visit(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation *op);
  mlir::LogicalResult chooseOperands(tile::MmaOp mma);
  mlir::LogicalResult visitMma(tile::MmaOp mma);
  mlir::LogicalResult visitLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult visitIf(mlir::scf::IfOp branch);
  mlir::LogicalResult visitElementwise(mlir::Operation *op);
  mlir::LogicalResult visitReduce(tile::ReduceOp op);
  mlir::LogicalResult visitDeinterleave(tile::DeinterleaveOp op);
  mlir::LogicalResult visitInterleave(tile::InterleaveOp op);
  mlir::LogicalResult visitEncode(tile::EncodeOp op);
  mlir::LogicalResult visitExtract(tile::ExtractOp op);
  LayoutAttr productOf(mlir::BlockArgument argument) const;
  LayoutAttr neighbour(mlir::BlockArgument argument) const;
  LayoutAttr carried(mlir::BlockArgument argument, Value init) const;

  tile::KernelOp kernel;
  const Chip &chip;
  mlir::MLIRContext *context;
  int64_t warps;
  LayoutAttr common; ///< how tiles without a reason of their own are dealt out
  MmaPlans plans;
  llvm::DenseSet<Value> stored; ///< memory that the kernel writes
  llvm::DenseMap<Value, LayoutAttr> layouts;
  llvm::DenseMap<std::pair<Value, LayoutAttr>, Value> moved; ///< exchanges made so far
};

} // namespace cedilla::nvptx
