//===- MmaSync.h - one matrix instruction and its accumulators --------------------------------===//

#pragma once

#include "compiler/target/nvptx/Lowering.h"

namespace cedilla::nvptx {

/// One instruction: the four accumulators of a lane.
inline Words instruction(Code &code, mlir::NVVM::MMATypes type, llvm::ArrayRef<mlir::Value> a,
                         llvm::ArrayRef<mlir::Value> bOperand, llvm::ArrayRef<mlir::Value> acc) {
  mlir::OpBuilder &b = code.b;
  bool bf16 = type == mlir::NVVM::MMATypes::bf16; // pairs of which go as i32
  mlir::Type wordType = bf16 ? code.i32() : mlir::Type(mlir::VectorType::get({2}, b.getF16Type()));
  auto words = [&](llvm::ArrayRef<mlir::Value> operand) {
    return llvm::map_to_vector(operand,
                               [&](mlir::Value word) { return code.bits(wordType, word); });
  };
  auto sumType = mlir::LLVM::LLVMStructType::getLiteral(
      b.getContext(), llvm::SmallVector<mlir::Type>(4, code.f32()));
  std::array<int64_t, 3> shape{16, 8, 16};
  std::array<mlir::NVVM::MMALayout, 2> layouts{mlir::NVVM::MMALayout::row,
                                               mlir::NVVM::MMALayout::col};
  std::array<mlir::NVVM::MMATypes, 2> types{type, type};
  mlir::Value sums = mlir::NVVM::MmaOp::create(b, code.loc, sumType, words(a), words(bOperand), acc,
                                               shape, std::nullopt, std::nullopt, types, layouts);
  Words result;
  for (int64_t i = 0; i < 4; ++i)
    result.push_back(mlir::LLVM::ExtractValueOp::create(b, code.loc, sums, i));
  return result;
}

/// Rows r and r + 1 of an accumulator's geometry are the two halves of one piece of 16; a chunk
/// holds two columns of each.
inline Words gatherPiece(llvm::ArrayRef<Words> sums, int64_t r, int64_t c, int64_t perRow) {
  const Words &upper = sums[r * perRow + c], &lower = sums[(r + 1) * perRow + c];
  return {upper[0], upper[1], lower[0], lower[1]};
}

inline void scatterPiece(std::vector<Words> &sums, int64_t r, int64_t c, int64_t perRow,
                         llvm::ArrayRef<mlir::Value> values) {
  sums[r * perRow + c] = {values[0], values[1]};
  sums[(r + 1) * perRow + c] = {values[2], values[3]};
}

} // namespace cedilla::nvptx
