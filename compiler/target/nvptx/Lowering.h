//===- Lowering.h - a kernel on its way from tiles to the code of one thread ------------------===//
//
// One object per kernel. A tile is a TileValue: words held in registers, or a recipe that fetches
// them when a reader asks (from shared memory, or by decoding). Recipes let a product fetch its
// operands piece by piece, so that a decoded tile never exists whole. The functions are spread over
// Lower*.cpp by subject.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/nvptx/Code.h"
#include "compiler/target/nvptx/Geometry.h"
#include "compiler/target/nvptx/Phases.h"

#include "mlir/IR/IRMapping.h"

#include <functional>
#include <map>

namespace cedilla::nvptx {

using Words = llvm::SmallVector<mlir::Value>;

/// Bytes of the block's shared memory.
struct SharedRange {
  int64_t begin = 0, end = 0;
  bool overlaps(const SharedRange &other) const { return begin < other.end && other.begin < end; }
};

/// One use of global memory by an op.
struct GlobalUse {
  mlir::Value memory;
  bool writes;
  mlir::Operation *op;
  mlir::scf::ForOp before = {}; ///< in an earlier iteration of this loop
};

/// What threads may have done since the block last met, and others may not rely on yet.
struct Hazards {
  llvm::SmallVector<SharedRange> written, read;
  llvm::SmallVector<GlobalUse> uses;
};

/// What a thread has of a tile. Chunk (r, c) lies at row offset r and column offset c of the
/// geometry; its `vec` columns are packed into words of 32 bits where that many lie together.
/// Codes of a chunk that are still to be decoded to bf16.
struct CodedChunk {
  Words words, scales; ///< four E4M3 codes each; a byte of E8M0 in an i32
  bool mayBeNaN = true;

  mlir::Value isRare(Code &code) const;
  Words decode(Code &code, bool once) const;

private:
  template <typename Each> void forEachScale(Each each) const {
    size_t count = words.size() / scales.size();
    for (size_t i = 0; i < scales.size(); ++i)
      each(llvm::ArrayRef<mlir::Value>(words).slice(i * count, count), scales[i]);
  }
};

struct TileValue {
  tile::TileType type;
  tile::LayoutAttr layout;
  Geometry geometry;
  /// Words of one chunk. Register layouts only.
  std::function<Words(int64_t r, int64_t c)> chunk;
  /// Of a decoded tile: a chunk's codes as E4M3 and the bytes of their scales, each for equally many of them; null where
  /// chunks are decoded in another way. So many chunks can be looked at before one branch.
  std::function<CodedChunk(int64_t r, int64_t c)> coded;
  /// The element at a row and column (i32) that any thread may ask for, as a byte in an i32. Only
  /// of tiles that lie in memory.
  std::function<mlir::Value(mlir::Value row, mlir::Value col)> byteAt;
  /// The four bytes from a column on that is a multiple of 4, as an i32; null where that cannot be
  /// read.
  std::function<mlir::Value(mlir::Value row, mlir::Value col)> fourAt;
  mlir::Value
      rowCount; ///< of a tile that lies in memory: rows beyond it do not exist; i64, null for none
  /// Address of the element at a row and column (i32); of tiles that lie in scratch alone, whose
  /// rows are `pitch` bytes apart and 16-byte aligned where they are as long.
  std::function<mlir::Value(mlir::Value row, mlir::Value col)> place;
  int64_t pitch = 0;
  mlir::Value scratch; ///< address of element (0, 0)
  /// Shared memory that the functions above read.
  llvm::SmallVector<SharedRange> reads;
};

/// A row of memory and whether it exists; null: it does.
struct RowPlace {
  mlir::Value row, exists;
};

/// Where an affine access points.
struct GlobalAccess {
  mlir::Value base; ///< address of the tile's element (0, 0)
  int64_t rowStride = 0, colStride = 0, bytes = 1;
  int64_t alignment = 1;          ///< of `base`, in bytes
  mlir::Value rowCount, colCount; ///< i64, may be null
};

/// A decoded operand of a product, taken apart.
struct CodeOperand {
  tile::DecodeOp decode;
  TileValue tile, codes, scales;
};

/// Scales of a product's operands for some sums of 32 k: for the rows of the accumulator (those of
/// one scale block share a key) and for the two columns of each of its column chunks.
struct SumScales {
  llvm::SmallVector<int64_t> keyOfRow;
  Words rows;              ///< per key: a word of four bytes, or one scale as f32
  std::vector<Words> cols; ///< per column chunk, likewise
};

/// The loads of one loop that run ahead of it.
struct Staged {
  explicit Staged(llvm::SmallVector<tile::LoadOp> loads);
  llvm::SmallVector<tile::LoadOp> loads;
  int64_t stages = 1;
  bool ownParts = false; ///< every warp copies what it reads and nothing else
  int64_t ahead() const { return stages - 1; }
  SharedRange range() const;
};

/// What a kernel becomes: an entry point, or a function that entries of several phases call
/// (Phases.h).
enum class Form { Entry, Phase };

class Lowering {
public:
  Lowering(tile::KernelOp kernel, Form form, const Chip &chip, mlir::OpBuilder &builder)
      : kernel(kernel), form(form), chip(chip), code(builder, kernel.getLoc()), b(builder) {}

  /// Builds the function at the builder's insertion point, which is inside a gpu.module.
  mlir::LogicalResult run(mlir::LLVM::GlobalOp shared);

private:
  using Value = mlir::Value;

  // Lowering.cpp
  mlir::LogicalResult lower(mlir::Block &block);
  mlir::LogicalResult lower(mlir::Operation *op);
  // Dependent.cpp
  bool waits() { return form == Form::Phase || launchesDependent(kernel, chip); }
  bool readsConstants(tile::LoadOp load);
  bool accessesOthers(mlir::Operation *op);
  void waitForPredecessor();
  void waitForPhase();

  // Ordering.cpp
  void barrier();
  void writeShared(SharedRange range);
  void readShared(SharedRange range);
  void orderGlobal(mlir::Operation *op);
  void enterLoop(mlir::scf::ForOp loop);
  void enterBody(mlir::scf::ForOp loop);
  void merge(const Hazards &other);
  void prepare(mlir::Operation *op);

  // Lowering.cpp, helpers
  mlir::LLVM::LLVMFuncOp createFunction();
  void prepareEntry(mlir::LLVM::LLVMFuncOp function, mlir::LLVM::GlobalOp shared);
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &why);
  mlir::FailureOr<TileValue> declare(mlir::Value tile);
  TileValue hold(const TileValue &like, std::vector<Words> words);
  Words allWords(const TileValue &tile);
  int64_t wordsPerChunk(const TileValue &tile) const;

  // Threads.cpp: numbers of a thread, computed once at the kernel's start.
  Value sum(llvm::ArrayRef<ThreadTerm> terms, int64_t offset);
  Value quotient(llvm::ArrayRef<ThreadTerm> terms, int64_t offset, int64_t block);
  Value row(const TileValue &tile, int64_t r) {
    return sum(tile.geometry.row, tile.geometry.rowOffsets[r]);
  }
  Value col(const TileValue &tile, int64_t c) {
    return sum(tile.geometry.col, tile.geometry.colOffsets[c]);
  }
  Value ownsCopy(const TileValue &tile);

  // Words.cpp
  mlir::Type wordType(mlir::Type element, int64_t vec);
  int64_t perWord(mlir::Type element, int64_t vec) const;
  Words loadWords(Value address, mlir::Type element, int64_t vec, int64_t alignment);
  void storeWords(const Words &words, Value address, mlir::Type element, int64_t vec,
                  int64_t alignment);
  llvm::SmallVector<Value> unpack(const Words &words, mlir::Type element, int64_t vec);
  Words pack(llvm::ArrayRef<Value> scalars, mlir::Type element);
  Words zeros(mlir::Type element, int64_t vec);

  // LowerMemory.cpp
  mlir::LogicalResult lowerLoad(tile::LoadOp op);
  mlir::LogicalResult lowerStore(tile::StoreOp op);
  mlir::LogicalResult lowerGather(tile::GatherOp op);
  mlir::LogicalResult lowerScatter(tile::ScatterOp op);
  template <typename Op>
  GlobalAccess access(Op op, tile::TileType tile, const mlir::IRMapping &map);
  Value elementAddress(Value memory, mlir::ValueRange offsets, const mlir::IRMapping &map);
  Value addressOf(const GlobalAccess &global, Value row, Value col);
  RowPlace rowOf(const GlobalAccess &global, const TileValue &tile, int64_t r);
  RowPlace namedRow(const TileValue &index, int64_t r);
  Words loadChunk(const GlobalAccess &global, const TileValue &tile, RowPlace place, int64_t c);
  void storeChunk(const GlobalAccess &global, const TileValue &tile, RowPlace place, int64_t r,
                  int64_t c);
  void bindLazyLoad(tile::LoadOp op, TileValue tile, const GlobalAccess &global);

  // LowerLoop.cpp
  mlir::LogicalResult lowerLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult lowerIf(mlir::scf::IfOp branch);
  llvm::SmallVector<Value> flatten(mlir::ValueRange values);
  mlir::LogicalResult bind(mlir::ValueRange values, mlir::ValueRange words);
  Value nextSlot(Value slot, int64_t stages);
  void meet(const Staged &staged);
  void fillPipeline(const Staged &staged, Value lower, Value upper, Value step);
  mlir::LogicalResult advancePipeline(const Staged &staged, mlir::scf::ForOp lowered, Value slot,
                                      Value freeSlot);

  // Staging.cpp
  Value slotOffset(tile::LoadOp load, Value slot);
  Value warpNumber(int64_t warps);
  void issueCopies(llvm::ArrayRef<tile::LoadOp> loads, Value variable, Value slot);
  void runAhead(Value value, mlir::Block *body, mlir::IRMapping &map);
  void issueCopy(tile::LoadOp load, const mlir::IRMapping &map, Value slot);
  Value existingBytes(const GlobalAccess &global, Value row, Value col, int64_t width);
  mlir::LogicalResult bindStaged(tile::LoadOp load, Value slot);

  // LowerCompute.cpp
  mlir::LogicalResult lowerSplat(tile::SplatOp op);
  mlir::LogicalResult lowerConstant(tile::ConstantOp op);
  Value tableOf(mlir::DenseElementsAttr elements);
  mlir::LogicalResult lowerChoice(mlir::arith::SelectOp op);
  mlir::LogicalResult lowerMap(tile::MapOp op);
  llvm::SmallVector<llvm::SmallVector<Value>> mapChunk(tile::MapOp op,
                                                       llvm::ArrayRef<TileValue> inputs,
                                                       const TileValue &shape, int64_t r,
                                                       int64_t c);

  // LowerReduce.cpp
  mlir::LogicalResult lowerReduce(tile::ReduceOp op);
  Words reduceInThread(tile::ReduceOp op, const TileValue &from, int64_t outer);
  void reduceAcrossWarps(tile::ReduceOp op, std::vector<Words> &sums);

  // LowerShape.cpp
  mlir::LogicalResult lowerDeinterleave(tile::DeinterleaveOp op);
  mlir::LogicalResult lowerInterleave(tile::InterleaveOp op);
  mlir::LogicalResult lowerExtract(tile::ExtractOp op);

  // LowerRelayout.cpp
  mlir::LogicalResult lowerRelayout(tile::RelayoutOp op);
  mlir::FailureOr<SharedRange> scratchOf(mlir::Operation *op);
  TileValue lieInScratch(TileValue tile, SharedRange range);
  void writeTile(const TileValue &from, const TileValue &to);
  TileValue readTile(const TileValue &from, const TileValue &to);
  TileValue addParts(const TileValue &parts, const TileValue &result, SharedRange range);
  TileValue asPart(const TileValue &whole, const TileValue &part);

  // LowerDecode.cpp
  mlir::LogicalResult lowerDecode(tile::DecodeOp op);
  Value scaleByte(const TileValue &scales, tile::DecodeOp op, Value row, const Geometry &geometry,
                  int64_t col);
  Value scaleRow(tile::DecodeOp op, const Geometry &geometry, int64_t r);
  Words decodeNarrow(tile::DecodeOp op, const TileValue &codes, const TileValue &scales,
                     const TileValue &tile, int64_t r, int64_t c);

  // LowerEncode.cpp
  mlir::LogicalResult lowerEncode(tile::EncodeOp op);

  // LowerMma.cpp
  mlir::LogicalResult lowerMma(tile::MmaOp op);
  void multiplyBF16(const TileValue &a, const TileValue &b, const TileValue &acc,
                    std::vector<Words> &sums);
  CodeOperand takeApart(Value operand);
  SumScales readScales(const CodeOperand &a, const CodeOperand &bSide, const TileValue &acc,
                       int64_t step, bool four);
  void multiplyF16(tile::MmaOp op, const TileValue &acc, std::vector<Words> &sums);

  // LowerMmaShared.cpp
  void multiplyShared(tile::MmaOp op, const TileValue &acc, std::vector<Words> &sums);

  // LowerFma.cpp
  void multiplyFma(tile::MmaOp op, const TileValue &acc, std::vector<Words> &sums);

  // LowerSelect.cpp
  mlir::LogicalResult lowerSelectTopk(tile::SelectTopkOp op);

  tile::KernelOp kernel;
  Form form;
  const Chip &chip;
  Code code;
  mlir::OpBuilder &b;

  mlir::Operation *entryEnd = nullptr; ///< thread numbers are computed before it
  Value thread;                        ///< i32
  Value sharedBase;                    ///< address of byte 0 of the block's shared memory
  bool waited = false;                 ///< for the predecessor; on every path to here
  PhaseGate gate;                      ///< of a phase: what it waits for
  Hazards hazards;
  llvm::SmallVector<SharedRange> reading; ///< by the op in hand, of its operands
  int64_t tables = 0;                     ///< constants made so far, for their names
  std::map<std::vector<int64_t>, Value> threadNumbers;
  mlir::IRMapping scalars; ///< tile-level scalar -> its value
  llvm::DenseMap<Value, TileValue> tiles;
};

} // namespace cedilla::nvptx
