//===- Matrix.cpp - mma.sync, ldmatrix, stmatrix ----------------------------------------------===//
//
// Sums are computed in f64 and rounded once. The GPU adds in another order and drops low bits, so
// bits of results are its own; what goes where is the same.
//
//===------------------------------------------------------------------------------------------===//

#include "test/emulator/Builtins.h"
#include "test/emulator/Numbers.h"

#include <cstring>

namespace cedilla::emulator {

//===------------------------------------------------------------------------------------------===//
// mma.sync m16n8: words of a, words of b, four f32 of c; a word holds 32 / Bits neighbours in k
//===------------------------------------------------------------------------------------------===//

static float ofBF16(uint32_t code) { return toFloat(code << 16); }
static float ofTF32(uint32_t code) { return toFloat(code & 0xFFFFE000); }
static float ofE4M3(uint32_t code) { return static_cast<float>(decode(code, e4m3)); }
static float ofF16(uint32_t code) {
  static const std::vector<float> table = [] {
    std::vector<float> values(1 << 16);
    for (uint32_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(decode(i, f16));
    return values;
  }();
  return table[code];
}

template <float (*value)(uint32_t), int bits, int wordsOfA>
static void multiply(const Lanes &lanes) {
  constexpr int perWord = 32 / bits, depth = wordsOfA / 2 * 4 * perWord, wordsOfB = wordsOfA / 2;
  constexpr uint32_t mask = bits == 32 ? ~0u : (1u << bits % 32) - 1;
  float a[16][depth], b[8][depth];
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const uint64_t *in = lanes[lane]->call.in;
    int group = lane / 4, first = lane % 4 * perWord;
    for (int w = 0; w < wordsOfA; ++w)
      for (int i = 0; i < perWord; ++i)
        a[group + 8 * (w % 2)][first + w / 2 * 4 * perWord + i] =
            value(uint32_t(in[w]) >> (bits % 32 * i) & mask);
    for (int w = 0; w < wordsOfB; ++w)
      for (int i = 0; i < perWord; ++i)
        b[group][first + w * 4 * perWord + i] =
            value(uint32_t(in[wordsOfA + w]) >> (bits % 32 * i) & mask);
  }
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const Call &call = lanes[lane]->call;
    for (int i = 0; i < 4; ++i) {
      const float *row = a[lane / 4 + 8 * (i / 2)], *col = b[lane % 4 * 2 + i % 2];
      double sum = toFloat(call.in[wordsOfA + wordsOfB + i]);
      for (int k = 0; k < depth; ++k)
        sum += double(row[k]) * col[k];
      call.out[i] = bitsOf(static_cast<float>(sum));
    }
  }
}

//===------------------------------------------------------------------------------------------===//
// ldmatrix, stmatrix: 8x8 of 16 bits; lane 8 m + r says where row r of matrix m lies
//===------------------------------------------------------------------------------------------===//

/// Address of 16 bits: element `element` of the two that `lane` holds of matrix m.
template <bool transposed>
static uint64_t placeOf(const Lanes &lanes, uint32_t lane, int m, int element) {
  int row = lane / 4, col = lane % 4 * 2 + element;
  if (transposed)
    std::swap(row, col);
  return lanes[8 * m + row]->call.in[0] + 2 * col;
}

static void checkRows(const Lanes &lanes, int matrices, Access::Kind kind) {
  for (int i = 0; i < 8 * matrices; ++i) {
    Thread &thread = *lanes[i];
    thread.block->check(thread, {thread.call.in[0], 16, 16, kind, true, thread.call.site});
  }
}

template <int matrices, bool transposed>
static void loadMatrices(const Lanes &lanes) {
  checkRows(lanes, matrices, Access::Read);
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    for (int m = 0; m < matrices; ++m) {
      uint16_t halves[2];
      for (int e = 0; e < 2; ++e)
        std::memcpy(&halves[e],
                    reinterpret_cast<void *>(placeOf<transposed>(lanes, lane, m, e)), 2);
      lanes[lane]->call.out[m] = halves[0] | uint32_t(halves[1]) << 16;
    }
}

template <int matrices, bool transposed>
static void storeMatrices(const Lanes &lanes) {
  checkRows(lanes, matrices, Access::Write);
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    for (int m = 0; m < matrices; ++m)
      for (int e = 0; e < 2; ++e) {
        uint16_t half = lanes[lane]->call.in[1 + m] >> (16 * e);
        std::memcpy(reinterpret_cast<void *>(placeOf<transposed>(lanes, lane, m, e)), &half, 2);
      }
}

template <int matrices>
static void addMoves(Table &table) {
  std::string load = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x" + std::to_string(matrices);
  std::string store = "llvm.nvvm.stmatrix.sync.aligned.m8n8.x" + std::to_string(matrices);
  table[load + ".b16"].together = loadMatrices<matrices, false>;
  table[load + ".trans.b16"].together = loadMatrices<matrices, true>;
  table[store + ".b16"].together = storeMatrices<matrices, false>;
  table[store + ".trans.b16"].together = storeMatrices<matrices, true>;
}

void addMatrix(Table &table) {
  table["llvm.nvvm.mma.m16n8k8.row.col.bf16"].together = multiply<ofBF16, 16, 2>;
  table["llvm.nvvm.mma.m16n8k16.row.col.bf16"].together = multiply<ofBF16, 16, 4>;
  table["llvm.nvvm.mma.m16n8k8.row.col.f32.f32"].together = multiply<ofF16, 16, 2>;
  table["llvm.nvvm.mma.m16n8k16.row.col.f32.f32"].together = multiply<ofF16, 16, 4>;
  table["llvm.nvvm.mma.m16n8k8.row.col.tf32"].together = multiply<ofTF32, 32, 4>;
  table["llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"].together = multiply<ofE4M3, 8, 4>;
  addMoves<1>(table);
  addMoves<2>(table);
  addMoves<4>(table);
}

} // namespace cedilla::emulator
