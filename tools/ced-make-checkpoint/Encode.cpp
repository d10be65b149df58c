//===- Encode.cpp - block scales and codes
//---------------------------------------------------------------------===//

#include "tools/ced-make-checkpoint/Encode.h"

#include "dialects/ced/reference/Numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace cedilla::reference;

namespace cedilla::synthetic {

static int64_t ceilDiv(int64_t value, int64_t by) { return (value + by - 1) / by; }

/// Scale bytes of one row of blocks.
static std::vector<uint8_t> scalesOf(const Blocks &blocks, const Value &value, int64_t blockRow) {
  int64_t first = blockRow * blocks.blockRows;
  int64_t last = std::min(first + blocks.blockRows, blocks.rows);
  std::vector<float> largest(ceilDiv(blocks.cols, blocks.blockCols), 0x1p-100f);
  for (int64_t row = first; row < last; ++row)
    for (int64_t col = 0; col < blocks.cols; ++col) {
      float &top = largest[col / blocks.blockCols];
      top = std::max(top, std::fabs(value(row, col)));
    }
  std::vector<uint8_t> scales;
  for (float top : largest)
    scales.push_back(ceilUE8M0(top / (blocks.fp4 ? maxE2M1 : maxE4M3)));
  return scales;
}

void encodeScales(const Blocks &blocks, const Value &value, std::span<std::byte> out) {
  size_t at = 0;
  for (int64_t blockRow = 0; blockRow < ceilDiv(blocks.rows, blocks.blockRows); ++blockRow)
    for (uint8_t scale : scalesOf(blocks, value, blockRow))
      out[at++] = std::byte{scale};
}

void encodeCodes(const Blocks &blocks, const Value &value, std::span<std::byte> out) {
  for (int64_t row = 0; row < blocks.rows;) {
    std::vector<uint8_t> scales = scalesOf(blocks, value, row / blocks.blockRows);
    int64_t last = std::min((row / blocks.blockRows + 1) * blocks.blockRows, blocks.rows);
    for (; row < last; ++row)
      for (int64_t col = 0; col < blocks.cols; ++col) {
        float scaled = value(row, col) / fromUE8M0(scales[col / blocks.blockCols]);
        int64_t element = row * blocks.cols + col;
        if (!blocks.fp4)
          out[element] = std::byte{toE4M3(scaled)};
        else // the low nibble is the even column
          out[element / 2] |= std::byte{toE2M1(scaled)} << (col % 2 * 4);
      }
  }
}

} // namespace cedilla::synthetic
