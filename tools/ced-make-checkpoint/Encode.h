//===- Encode.h - values to the formats of a checkpoint
//----------------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace cedilla::synthetic {

/// The value of element (row, column) of a matrix.
using Value = std::function<float(int64_t row, int64_t column)>;

/// A block-scaled matrix: how many rows and columns share a scale, and whether codes are FP4.
struct Blocks {
  int64_t rows, cols; ///< of the matrix
  int64_t blockRows, blockCols;
  bool fp4;
};

/// Fills the codes or the scales. A block's scale is the smallest power of two with which its
/// largest value is in range; codes are rounded to nearest even. Each is a function of the values
/// alone.
void encodeCodes(const Blocks &blocks, const Value &value, std::span<std::byte> out);
void encodeScales(const Blocks &blocks, const Value &value, std::span<std::byte> out);

} // namespace cedilla::synthetic
