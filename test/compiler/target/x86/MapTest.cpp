//===- MapTest.cpp - elementwise maps: types, broadcasting, coordinates -----------------------===//

#include "Harness.h"

#include <bit>
#include <cmath>

using namespace x86test;

//===------------------------------------------------------------------------------------------===//
// Broadcasting, coordinates, scalars of outside, several results
//===------------------------------------------------------------------------------------------===//

static const char *broadcastBody = R"(
tile.kernel @map grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<$Rx$Cxf32>, %row: memref<1x$Cxbf16>, %col: memref<$Rx1xf32>, %one: memref<1x1xi32>,
     %y: memref<$Rx$Cxf32>, %z: memref<$Rx$Cxi64>, %h: memref<$Rx$Cxbf16>, %q: memref<$Rx$Cxi8>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %c0] : memref<$Rx$Cxf32> -> !tile.tile<$Rx$Cxf32>
  %rt = tile.load %row[%c0, %c0] : memref<1x$Cxbf16> -> !tile.tile<1x$Cxbf16>
  %ct = tile.load %col[%c0, %c0] : memref<$Rx1xf32> -> !tile.tile<$Rx1xf32>
  %ot = tile.load %one[%c0, %c0] : memref<1x1xi32> -> !tile.tile<1x1xi32>
  %rows32 = arith.index_cast %rows : index to i32
  %out:4 = tile.map ins(%xt, %rt, %ct, %ot : !tile.tile<$Rx$Cxf32>, !tile.tile<1x$Cxbf16>, !tile.tile<$Rx1xf32>, !tile.tile<1x1xi32>)
      -> !tile.tile<$Rx$Cxf32>, !tile.tile<$Rx$Cxi64>, !tile.tile<$Rx$Cxbf16>, !tile.tile<$Rx$Cxi8> {
  ^bb0(%a: f32, %r: bf16, %c: f32, %o: i32):
    %i = tile.coord 0
    %j = tile.coord 1
    %rf = arith.extf %r : bf16 to f32
    %p = math.fma %a, %c, %rf : f32
    %big = arith.constant 1000 : i32
    %ii = arith.muli %i, %big : i32
    %ij = arith.addi %ii, %j : i32
    %d = arith.remsi %ij, %o : i32
    %w = arith.extsi %d : i32 to i64
    %r64 = arith.extsi %rows32 : i32 to i64
    %wide = arith.muli %w, %r64 : i64
    %in = arith.cmpi slt, %j, %o : i32
    %zero = arith.constant 0.0 : bf16
    %rr = arith.addf %r, %r : bf16
    %rc = arith.truncf %c : f32 to bf16
    %prod = arith.mulf %rr, %rc : bf16
    %half = arith.select %in, %prod, %zero : bf16
    %byte = arith.trunci %ij : i32 to i8
    tile.yield %p, %wide, %half, %byte : f32, i64, bf16, i8
  }
  tile.store %out#0, %y[%c0, %c0] : !tile.tile<$Rx$Cxf32>, memref<$Rx$Cxf32>
  tile.store %out#1, %z[%c0, %c0] : !tile.tile<$Rx$Cxi64>, memref<$Rx$Cxi64>
  tile.store %out#2, %h[%c0, %c0] : !tile.tile<$Rx$Cxbf16>, memref<$Rx$Cxbf16>
  tile.store %out#3, %q[%c0, %c0] : !tile.tile<$Rx$Cxi8>, memref<$Rx$Cxi8>
  tile.return
}
)";

static void testBroadcast(int64_t rows, int64_t cols) {
  Image image(fill(broadcastBody, {{"R", std::to_string(rows)}, {"C", std::to_string(cols)}}));
  Buffer<float> x(rows * cols), col(rows), y(rows * cols);
  Buffer<uint16_t> row(cols), h(rows * cols);
  Buffer<int32_t> one(1);
  Buffer<int64_t> z(rows * cols);
  Buffer<int8_t> q(rows * cols);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = normal(i);
  for (int64_t i = 0; i < rows; ++i)
    col[i] = normal(1000 + i);
  for (int64_t i = 0; i < cols; ++i)
    row[i] = bf16Of(normal(2000 + i));
  one[0] = 7;
  image.run("map", {x, row, col, one, y, z, h, q}, 12345, {1});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) {
      int64_t at = i * cols + j, ij = i * 1000 + j;
      float r = floatOf(row[j]);
      check(y[at] == std::fma(x[at], col[i], r), rows, "x", cols, " f32 at ", i, ",", j);
      check(z[at] == ij % 7 * 12345, rows, "x", cols, " i64 at ", i, ",", j, ": got ", z[at]);
      float half = j < 7 ? rounded(rounded(r + r) * rounded(col[i])) : 0.0f;
      check(floatOf(h[at]) == half, rows, "x", cols, " bf16 at ", i, ",", j, ": expected ", half,
            ", got ", floatOf(h[at]));
      check(q[at] == int8_t(ij), rows, "x", cols, " i8 at ", i, ",", j);
    }
}

static Register broadcast("map broadcast", [] {
  for (auto [rows, cols] : {std::pair(16, 32), {5, 13}, {1, 9}, {11, 1}, {1, 1}, {3, 8}, {9, 40}})
    testBroadcast(rows, cols);
});

//===------------------------------------------------------------------------------------------===//
// bf16 rounding, exhaustive over the upper bits
//===------------------------------------------------------------------------------------------===//

static const char *roundBody = R"(
tile.kernel @round grid [#tile.grid<value = 1, rows_per = 64>] config {} class "run" {
^bb0(%x: memref<?x64xf32>, %y: memref<?x64xbf16>, %z: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r0 = arith.muli %b, %c64 : index
  %t = tile.load %x[%r0, %c0] : memref<?x64xf32> -> !tile.tile<64x64xf32>
  %m:2 = tile.map ins(%t : !tile.tile<64x64xf32>) -> !tile.tile<64x64xbf16>, !tile.tile<64x64xf32> {
  ^bb0(%v: f32):
    %h = arith.truncf %v : f32 to bf16
    %bits = arith.bitcast %h : bf16 to i16
    %back = arith.bitcast %bits : i16 to bf16
    %w = arith.extf %back : bf16 to f32
    tile.yield %h, %w : bf16, f32
  }
  tile.store %m#0, %y[%r0, %c0] : !tile.tile<64x64xbf16>, memref<?x64xbf16>
  tile.store %m#1, %z[%r0, %c0] : !tile.tile<64x64xf32>, memref<?x64xf32>
  tile.return
}
)";

static Register rounding("map bf16", [] {
  Image image(roundBody);
  constexpr uint32_t lows[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
  constexpr size_t count = 65536 * 6;
  Buffer<float> x(count), z(count);
  Buffer<uint16_t> y(count);
  for (uint32_t i = 0; i < count; ++i)
    reinterpret_cast<uint32_t *>(x.data())[i] = (i / 6) << 16 | lows[i % 6];
  image.run("round", {x, y, z}, count / 64, {int64_t(count / 4096)});
  for (size_t i = 0; i < count; ++i) {
    check(y[i] == bf16Of(x[i]), "bits ", std::bit_cast<uint32_t>(x[i]), ": expected ", bf16Of(x[i]),
          ", got ", y[i]);
    check(std::bit_cast<uint32_t>(z[i]) == uint32_t(y[i]) << 16, "bits ",
          std::bit_cast<uint32_t>(x[i]), ": the bitcast differs");
  }
});
