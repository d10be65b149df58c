//===- KernelBuilder.h - short spelling for kernel bodies ----------------------------------------===//
//
// Families write tile bodies with this: it creates the tile.kernel with the arguments Signature.h
// prescribes, finds the memory of a ced value, and shortens index arithmetic, loads, maps and loops.
// It only creates ops; it decides nothing.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>
#include <optional>

namespace cedilla {

/// Optional parts of a memory access; see dialects/tile/ops/Memory.td.
struct Access {
  mlir::Value rowCount = {};
  mlir::Value colCount = {};
  std::optional<std::array<int64_t, 2>> dims = std::nullopt;
};

/// Arithmetic on the scalars of a map region, f32 unless said otherwise.
class Scalars {
public:
  Scalars(mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}
  mlir::OpBuilder &b;
  mlir::Location loc;

  mlir::Value f32(double value);
  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y); ///< float or integer by type
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y); ///< floats; integers: unsigned
  mlir::Value rem(mlir::Value x, mlir::Value y); ///< integers, unsigned
  mlir::Value mod(mlir::Value x, mlir::Value y); ///< integers, signed; the result has the sign of y > 0
  mlir::Value bitXor(mlir::Value x, mlir::Value y);
  mlir::Value max(mlir::Value x, mlir::Value y);
  mlir::Value min(mlir::Value x, mlir::Value y);
  mlir::Value exp(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  mlir::Value sqrt(mlir::Value x);
  mlir::Value rsqrt(mlir::Value x);
  mlir::Value abs(mlir::Value x);
  mlir::Value sin(mlir::Value x);
  mlir::Value cos(mlir::Value x);
  mlir::Value copysign(mlir::Value magnitude, mlir::Value sign);
  mlir::Value sigmoid(mlir::Value x); ///< 1 / (1 + exp(-x))
  mlir::Value lt(mlir::Value x, mlir::Value y); ///< ordered / signed
  mlir::Value le(mlir::Value x, mlir::Value y);
  mlir::Value eq(mlir::Value x, mlir::Value y);
  mlir::Value both(mlir::Value x, mlir::Value y);   ///< i1 and
  mlir::Value either(mlir::Value x, mlir::Value y); ///< i1 or
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value toF32(mlir::Value x);  ///< from bf16, or a signed integer
  mlir::Value toBF16(mlir::Value x); ///< from f32, RNE
  mlir::Value roundBF16(mlir::Value x) { return toF32(toBF16(x)); }
  mlir::Value toI32(mlir::Value x); ///< from i64 (truncated) or i8 (unsigned)
  mlir::Value toI64(mlir::Value x); ///< from i32, signed
  mlir::Value coord(int64_t dim);   ///< i32
};

class KernelBuilder {
public:
  using Value = mlir::Value;
  using MapBody = std::function<llvm::SmallVector<Value>(Scalars &, mlir::ValueRange)>;

  /// Starts the kernel; ops go to its end until `finish`.
  KernelBuilder(mlir::OpBuilder &builder, sched::KernelOp problem, const Limits &limits,
                llvm::ArrayRef<tile::GridAttr> grid, llvm::StringRef reproducibility);
  tile::KernelOp finish();

  mlir::OpBuilder &builder() { return b; }
  mlir::Location loc() const { return location; }
  mlir::MLIRContext *context() const { return b.getContext(); }

  /// The memory of a body's input (a block argument) or of a yielded result. A result that is a cache
  /// is the memory of the cache that came in.
  Value memory(Value cedValue, unsigned part = 0);
  /// The family's own memory, Family::scratch.
  Value scratch(unsigned number = 0) { return kernel.getBody().getArgument(firstScratch + number); }
  Value rows() { return kernel.getRows(); }
  Value block(unsigned dim) { return kernel.getBlockId(dim); }

  // Index arithmetic; constants are folded.
  Value index(int64_t value);
  Value add(Value x, Value y);
  Value add(Value x, int64_t y) { return add(x, index(y)); }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y) { return mul(x, index(y)); }
  Value div(Value x, int64_t y); ///< unsigned
  Value rem(Value x, int64_t y); ///< unsigned
  Value min(Value x, Value y);   ///< signed
  Value max(Value x, Value y);   ///< signed
  Value toIndex(Value scalar);   ///< from i32 / i64, signed
  Value toI32(Value index);
  Value cut(int64_t cols);       ///< column count of a tile of tileWidth(cols); null where it is full
  Value count(Value condition);  ///< 1 where true, else 0: a count of rows or columns
  /// Arithmetic and comparisons on scalars outside maps (not `coord`).
  Scalars scalars() { return Scalars(b, location); }

  // Tiles.
  tile::TileType tileType(int64_t rows, int64_t cols, mlir::Type element);
  mlir::Type f32() { return b.getF32Type(); }
  mlir::Type bf16() { return b.getBF16Type(); }
  mlir::Type i8() { return b.getI8Type(); }
  mlir::Type i32() { return b.getI32Type(); }
  mlir::Type i64() { return b.getI64Type(); }
  Value splat(double value, int64_t rows, int64_t cols);
  Value splatI32(int64_t value, int64_t rows, int64_t cols);
  Value constant(llvm::ArrayRef<float> values);   ///< 1xN
  Value constant(llvm::ArrayRef<int64_t> values); ///< 1xN, i64
  /// Element type from the memory.
  Value load(Value memory, llvm::ArrayRef<Value> offsets, int64_t rows, int64_t cols, Access access = {});
  void store(Value tile, Value memory, llvm::ArrayRef<Value> offsets, Access access = {});
  Value gather(Value memory, llvm::ArrayRef<Value> offsets, Value index, int64_t cols, Access access = {});
  void scatter(Value tile, Value memory, llvm::ArrayRef<Value> offsets, Value index, Access access = {});
  Value extract(Value tile, int64_t row = 0, int64_t col = 0);
  /// One element of a memory; 0 where `exists` (a count) is 0.
  Value element(Value memory, llvm::ArrayRef<Value> offsets, Value exists = {});
  Value decode(Value codes, Value scales, ced::ScaledType format, mlir::Type element);
  std::pair<Value, Value> encode(Value x, ced::ScaledType format);
  Value reduce(tile::Combine kind, Value tile, int64_t dim);
  Value mma(Value a, Value b, Value acc, bool kn = false);
  std::pair<Value, Value> deinterleave(Value tile); ///< even and odd columns
  Value interleave(Value even, Value odd);
  llvm::SmallVector<Value> map(llvm::ArrayRef<Value> inputs, llvm::ArrayRef<tile::TileType> outputs, const MapBody &body);
  /// One result with the broadcast shape of the inputs and the given element type.
  Value map(llvm::ArrayRef<Value> inputs, mlir::Type element, const std::function<Value(Scalars &, mlir::ValueRange)> &body);

  /// for (i = from; i < to; i += step) carrying `carried`.
  llvm::SmallVector<Value> loop(Value from, Value to, int64_t step, llvm::ArrayRef<Value> carried,
                                const std::function<llvm::SmallVector<Value>(Value i, mlir::ValueRange carried)> &body);
  void loop(Value from, Value to, int64_t step, const std::function<void(Value)> &body);
  void ifThen(Value condition, const std::function<void()> &body);

private:
  mlir::OpBuilder &b;
  mlir::OpBuilder::InsertionGuard guard;
  mlir::Location location;
  sched::KernelOp problem;
  Limits limits;
  tile::KernelOp kernel;
  unsigned firstScratch = 0; ///< argument number
};

/// `{value blocks}` and `{one block per n rows}`.
tile::GridAttr gridBlocks(mlir::MLIRContext *context, int64_t value);
tile::GridAttr gridRows(mlir::MLIRContext *context, int64_t rowsPerBlock);

/// Integer member of a config.
int64_t configValue(sched::KernelOp problem, llvm::StringRef name);

inline int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

/// The width of a tile that holds `cols` columns: every target can deal out multiples of 32. The rest is
/// cut off at each access with `KernelBuilder::cut`.
inline int64_t tileWidth(int64_t cols) { return ceilDiv(cols, 32) * 32; }

} // namespace cedilla
