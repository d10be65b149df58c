//===- Lowering.h - what the lowering of a kernel's ops shares --------------------------------===//
//
// `Lowering` is the state while one kernel is rewritten op by op in text order: where its tiles
// lie, what its scalars became, where its memory begins. The functions below lower one op each and
// are in lower/, one file per subject.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/x86/Emitter.h"
#include "dialects/sched/Sched.h"

#include "mlir/IR/IRMapping.h"

namespace cedilla::x86 {

/// A tile in the arena.
struct Stored {
  TileLayout layout;
  mlir::Value base;
  int64_t offset; ///< in the arena; -1 outside
};

class Lowering : public Emitter {
public:
  Lowering(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value arena)
      : Emitter(builder, loc), arena(arena) {}

  mlir::Value arena;
  mlir::IRMapping scalars; ///< also memory arguments, to their pointers
  llvm::DenseMap<mlir::Value, Stored> tiles;
  int64_t tables = 0; ///< constants made so far, for their names

  Value scalar(Value value) { return scalars.lookup(value); }
  Values lookup(mlir::ValueRange values);
  Stored tile(Value value) { return tiles.find(value)->second; }
  Stored placeAt(const TileLayout &layout, int64_t offset);
  /// Defines the tile result of `op` at its place.
  Stored define(mlir::OpResult result);

  /// Address of element (row, col), or of what follows `offset` elements after the base.
  Value element(const Stored &tile, Value row, Value col);
  Value element(const Stored &tile, Value offset) {
    return address(tile.base, tile.layout.element, offset);
  }
  /// Copies a whole tile.
  void copy(const Stored &from, const Stored &to);
  /// Writes `value` (held type) to every element, padding included.
  void fill(const Stored &tile, Value value);
};

/// All ops of a block but its terminator.
mlir::LogicalResult lowerBlock(Lowering &l, mlir::Block &block);
mlir::LogicalResult lowerFor(Lowering &l, mlir::scf::ForOp op);
mlir::LogicalResult lowerIf(Lowering &l, mlir::scf::IfOp op);

/// Arith and math on scalars, and their promotion inside a map to vectors of `n` lanes; `valid`
/// marks the lanes that are elements (null: all), so that no padding is divided by.
mlir::LogicalResult lowerScalar(Lowering &l, mlir::Operation &op, mlir::IRMapping &values,
                                int64_t n, mlir::Value valid);

void lowerLoad(Lowering &l, tile::LoadOp op);
void lowerStore(Lowering &l, tile::StoreOp op);
void lowerGather(Lowering &l, tile::GatherOp op);
void lowerScatter(Lowering &l, tile::ScatterOp op);

void lowerSplat(Lowering &l, tile::SplatOp op);
void lowerConstant(Lowering &l, tile::ConstantOp op);
void lowerExtract(Lowering &l, tile::ExtractOp op);
void lowerDeinterleave(Lowering &l, tile::DeinterleaveOp op);
void lowerInterleave(Lowering &l, tile::InterleaveOp op);

/// arith.select of two tiles, which MLIR makes of a branch that only chooses.
void lowerChoice(Lowering &l, mlir::arith::SelectOp op);

mlir::LogicalResult lowerMap(Lowering &l, tile::MapOp op);
void lowerReduce(Lowering &l, tile::ReduceOp op);
void lowerMma(Lowering &l, tile::MmaOp op);
void lowerDecode(Lowering &l, tile::DecodeOp op);
void lowerEncode(Lowering &l, tile::EncodeOp op);
void lowerSelectTopk(Lowering &l, tile::SelectTopkOp op);

/// The address of memref element `offsets`.
mlir::Value elementAddress(Lowering &l, mlir::Value memory, mlir::ValueRange offsets);

/// Of a kernel's function: what it needs of the arena.
inline constexpr llvm::StringLiteral arenaBytesAttr = "arena_bytes";

/// Declares the function of a kernel that is compiled elsewhere.
void declareKernel(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name, int64_t arenaBytes);

/// Makes a function of a sched.phases whose kernels are functions of the module.
void lowerPhases(sched::PhasesOp phases, mlir::ModuleOp module);

} // namespace cedilla::x86
