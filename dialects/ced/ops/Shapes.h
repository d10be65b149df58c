//===- Shapes.h - the shape checks that the verifiers share -----------------------------------===//
//
// A verifier creates one `Shapes` and states the shape of each operand and result:
//
//   Shapes shapes(*this);
//   shapes.expect("q", getQ().getType(), {kRows, heads, columns})
//
// kRows stands for the number of rows T of the step: the same everywhere in one op, `?` agreeing with
// any number. kAny agrees with everything. Every other dim is a model dimension, static and equal.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"

namespace cedilla::ced {

inline constexpr int64_t kAny = mlir::ShapedType::kDynamic;
inline constexpr int64_t kRows = kAny + 1;

/// Dims of a ranked tensor or block-scaled value, nothing for any other type.
std::optional<llvm::ArrayRef<int64_t>> shapeOf(mlir::Type type);

class Shapes {
public:
  explicit Shapes(mlir::Operation *op) : op(op) {}

  /// Emits an error that names the value and both shapes, unless `type` has the given dims.
  llvm::LogicalResult expect(llvm::StringRef name, mlir::Type type, llvm::ArrayRef<int64_t> dims);

  /// As `expect` with that many unknown dims; hands out the dims, of which only the first may be `?` or 0.
  llvm::LogicalResult expectRank(llvm::StringRef name, mlir::Type type, size_t rank, llvm::ArrayRef<int64_t> &dims);

  /// The step's row tensors (positions, slots, ...), each of shape [T].
  llvm::LogicalResult expectRows(std::initializer_list<std::pair<llvm::StringRef, mlir::Value>> rows);

private:
  bool agrees(int64_t expected, int64_t found);
  std::string text(llvm::ArrayRef<int64_t> dims) const;

  mlir::Operation *op;
  int64_t rowCount = kAny;
};

} // namespace cedilla::ced
