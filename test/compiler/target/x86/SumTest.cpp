//===- SumTest.cpp - reduce and mma -----------------------------------------------------------===//

#include "Harness.h"

#include <algorithm>
#include <cmath>

using namespace x86test;

//===------------------------------------------------------------------------------------------===//
// reduce
//===------------------------------------------------------------------------------------------===//

static const char *reduceBody = R"(
tile.kernel @reduce grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<$Rx$Cx$type>, %y: memref<$Rx1x$type>, %z: memref<1x$Cx$type>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<$Rx$Cx$type> -> !tile.tile<$Rx$Cx$type>
  %s = tile.reduce $kind %t dim 1 : !tile.tile<$Rx$Cx$type> -> !tile.tile<$Rx1x$type>
  %u = tile.reduce $kind %t dim 0 : !tile.tile<$Rx$Cx$type> -> !tile.tile<1x$Cx$type>
  tile.store %s, %y[%c0, %c0] : !tile.tile<$Rx1x$type>, memref<$Rx1x$type>
  tile.store %u, %z[%c0, %c0] : !tile.tile<1x$Cx$type>, memref<1x$Cx$type>
  tile.return
}
)";

template <typename T, typename Wide>
static void testReduce(const char *type, const char *kind, int64_t rows, int64_t cols) {
  Image image(fill(
      reduceBody,
      {{"type", type}, {"kind", kind}, {"R", std::to_string(rows)}, {"C", std::to_string(cols)}}));
  Buffer<T> x(rows * cols), y(rows), z(cols);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::is_floating_point_v<T> ? T(normal(i)) : T(int64_t(hash(i)) >> 20);
  image.run("reduce", {x, y, z}, 1, {1});
  auto combine = [&](Wide a, Wide b) {
    switch (kind[1]) {
    case 'd': // add
      return Wide(a + b);
    case 'a': // max
      return std::max(a, b);
    default:
      return std::min(a, b);
    }
  };
  auto compare = [&](T got, auto element, int64_t n, const char *what) {
    Wide sum = element(0), magnitude = std::abs(Wide(element(0)));
    for (int64_t i = 1; i < n; ++i)
      sum = combine(sum, element(i)), magnitude += std::abs(Wide(element(i)));
    if constexpr (std::is_floating_point_v<T>)
      check(std::fabs(got - sum) <= 1e-6 * magnitude * (kind[1] == 'd'), what, " ", kind, " of ",
            rows, "x", cols, ": expected ", sum, ", got ", got);
    else
      check(got == T(sum), what, " ", kind, " of ", rows, "x", cols, ": expected ", T(sum),
            ", got ", got);
  };
  for (int64_t r = 0; r < rows; ++r)
    compare(y[r], [&](int64_t c) { return x[r * cols + c]; }, cols, "row");
  for (int64_t c = 0; c < cols; ++c)
    compare(z[c], [&](int64_t r) { return x[r * cols + c]; }, rows, "column");
}

static Register reduce("reduce", [] {
  for (auto [rows, cols] : {std::pair(16, 32), {5, 13}, {1, 77}, {29, 1}, {1, 1}, {3, 8}, {2, 3}})
    for (const char *kind : {"add", "max", "min"}) {
      testReduce<float, double>("f32", kind, rows, cols);
      testReduce<int32_t, int64_t>("i32", kind, rows, cols);
      testReduce<int64_t, int64_t>("i64", kind, rows, cols);
    }
});

//===------------------------------------------------------------------------------------------===//
// mma
//===------------------------------------------------------------------------------------------===//

static const char *mmaBody = R"(
tile.kernel @mma grid [#tile.grid<value = 1, rows_per = 0>] config {} class "batch" {
^bb0(%a: memref<$Mx$Kx$type>, %b: memref<$Bshape$type>, %c: memref<$Mx$Nxf32>, %y: memref<$Mx$Nxf32>, %rows: index, %blk: index):
  %c0 = arith.constant 0 : index
  %at = tile.load %a[%c0, %c0] : memref<$Mx$Kx$type> -> !tile.tile<$Mx$Kx$type>
  %bt = tile.load %b[%c0, %c0] : memref<$Bshape$type> -> !tile.tile<$Bshape$type>
  %ct = tile.load %c[%c0, %c0] : memref<$Mx$Nxf32> -> !tile.tile<$Mx$Nxf32>
  %r = tile.mma %at, %bt, %ct $kn : !tile.tile<$Mx$Kx$type>, !tile.tile<$Bshape$type>, !tile.tile<$Mx$Nxf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<$Mx$Nxf32>, memref<$Mx$Nxf32>
  tile.return
}
)";

namespace {
/// Element (i, k) of an operand is a function of i and k alone, so products of other shapes share
/// sums.
float operand(uint64_t which, int64_t i, int64_t k) {
  return rounded(normal(which * 1000003 + i * 4099 + k));
}

struct Product {
  int64_t m, n, k;
  std::vector<float> values;
};
} // namespace

static Product multiply(int64_t m, int64_t n, int64_t k, bool kn, bool bf16) {
  std::string bShape = kn ? std::to_string(k) + "x" + std::to_string(n) + "x"
                          : std::to_string(n) + "x" + std::to_string(k) + "x";
  Image image(fill(mmaBody, {{"type", bf16 ? "bf16" : "f32"},
                             {"kn", kn ? "kn" : ""},
                             {"Bshape", bShape},
                             {"M", std::to_string(m)},
                             {"N", std::to_string(n)},
                             {"K", std::to_string(k)}}));
  Buffer<float> a(m * k), b(n * k), c(m * n), y(m * n);
  Buffer<uint16_t> ah(m * k), bh(n * k);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < k; ++j)
      ah[i * k + j] = bf16Of(a[i * k + j] = operand(1, i, j));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < k; ++j) {
      int64_t at = kn ? j * n + i : i * k + j;
      bh[at] = bf16Of(b[at] = operand(2, i, j));
    }
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      c[i * n + j] = operand(3, i, j);
  image.run("mma",
            {bf16 ? static_cast<void *>(ah) : static_cast<void *>(a),
             bf16 ? static_cast<void *>(bh) : static_cast<void *>(b), c, y},
            1, {1});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = c[i * n + j], magnitude = std::fabs(sum);
      for (int64_t l = 0; l < k; ++l) {
        double term = double(operand(1, i, l)) * operand(2, j, l);
        sum += term, magnitude += std::fabs(term);
      }
      check(std::fabs(y[i * n + j] - sum) <= magnitude * 1e-6, m, "x", n, "x", k, kn ? " kn" : "",
            " at ", i, ",", j, ": expected ", sum, ", got ", y[i * n + j]);
    }
  return {m, n, k, std::vector<float>(y.data(), y.data() + m * n)};
}

/// Every sum that a smaller product shares with a larger one has the same bits.
static Register mma("mma", [] {
  for (bool kn : {false, true})
    for (int64_t k : {1, 8, 67}) {
      Product whole = multiply(19, 21, k, kn, true);
      for (auto [m, n] :
           {std::pair(1, 1), {1, 21}, {19, 1}, {8, 1}, {2, 4}, {3, 2}, {5, 3}, {16, 16}, {7, 9}}) {
        Product part = multiply(m, n, k, kn, /*bf16=*/n % 2);
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j)
            check(part.values[i * n + j] == whole.values[i * whole.n + j], "K ", k, kn ? " kn" : "",
                  ": ", m, "x", n, " has other bits at ", i, ",", j);
      }
    }
});
