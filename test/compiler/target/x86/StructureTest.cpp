//===- StructureTest.cpp - loops and branches that carry tiles; splat, constant, interleave ---===//

#include "Harness.h"

#include <cmath>

using namespace x86test;

//===------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------===//

static const char *loops = R"(
!T = !tile.tile<3x20xf32>
// (a, b) <- (b, a + b): each place is read after it could have been written.
tile.kernel @fibonacci grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<3x20xf32>, %y: memref<3x20xf32>, %rows: index, %blk: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = tile.load %x[%c0, %c0] : memref<3x20xf32> -> !T
  %r:2 = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %x0, %b = %x0) -> (!T, !T) {
    %s = tile.map ins(%a, %b : !T, !T) -> !T {
    ^bb0(%p: f32, %q: f32):
      %t = arith.addf %p, %q : f32
      tile.yield %t : f32
    }
    scf.yield %b, %s : !T, !T
  }
  // %x0 is still what it was.
  %z = tile.map ins(%r#0, %x0 : !T, !T) -> !T {
  ^bb0(%p: f32, %q: f32):
    %t = arith.addf %p, %q : f32
    tile.yield %t : f32
  }
  tile.store %z, %y[%c0, %c0] : !T, memref<3x20xf32>
  tile.return
}
// Three tiles go round.
tile.kernel @rotate grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<9x20xf32>, %y: memref<9x20xf32>, %rows: index, %blk: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %x0 = tile.load %x[%c0, %c0] : memref<9x20xf32> -> !T
  %x1 = tile.load %x[%c3, %c0] : memref<9x20xf32> -> !T
  %x2 = tile.load %x[%c6, %c0] : memref<9x20xf32> -> !T
  %r:3 = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %x0, %b = %x1, %c = %x2) -> (!T, !T, !T) {
    scf.yield %b, %c, %a : !T, !T, !T
  }
  tile.store %r#0, %y[%c0, %c0] : !T, memref<9x20xf32>
  tile.store %r#1, %y[%c3, %c0] : !T, memref<9x20xf32>
  tile.store %r#2, %y[%c6, %c0] : !T, memref<9x20xf32>
  tile.return
}
// An initial value of two loops, one inside the other; scalars carried beside; a branch that passes its
// tile through.
tile.kernel @nested grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<3x20xf32>, %y: memref<3x20xf32>, %rows: index, %blk: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %zero = tile.constant dense<0.0> : tensor<3x20xf32> -> !T
  %x0 = tile.load %x[%c0, %c0] : memref<3x20xf32> -> !T
  %r:2 = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %zero, %n = %one) -> (!T, f32) {
    %inner = scf.for %j = %c0 to %rows step %c1 iter_args(%s = %zero) -> (!T) {
      %odd = arith.remui %j, %c2 : index
      %isOdd = arith.cmpi eq, %odd, %c1 : index
      %next = scf.if %isOdd -> (!T) {
        %t = tile.map ins(%s, %x0 : !T, !T) -> !T {
        ^bb0(%p: f32, %q: f32):
          %v = math.fma %q, %n, %p : f32
          tile.yield %v : f32
        }
        scf.yield %t : !T
      } else {
        scf.yield %s : !T
      }
      scf.yield %next : !T
    }
    %sum = tile.map ins(%a, %inner : !T, !T) -> !T {
    ^bb0(%p: f32, %q: f32):
      %v = arith.addf %p, %q : f32
      tile.yield %v : f32
    }
    %n1 = arith.addf %n, %one : f32
    scf.yield %sum, %n1 : !T, f32
  }
  tile.store %r#0, %y[%c0, %c0] : !T, memref<3x20xf32>
  tile.return
}
// A branch that swaps, a select, a branch without else, and a place used again after its tile's life.
tile.kernel @branches grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<6x20xf32>, %y: memref<6x20xf32>, %z: memref<3x20xf32>, %rows: index, %blk: index):
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %a = tile.load %x[%c0, %c0] : memref<6x20xf32> -> !T
  %b = tile.load %x[%c3, %c0] : memref<6x20xf32> -> !T
  %many = arith.cmpi sgt, %rows, %c2 : index
  %r:2 = scf.if %many -> (!T, !T) {
    scf.yield %b, %a : !T, !T
  } else {
    scf.yield %a, %b : !T, !T
  }
  %d = tile.map ins(%r#0, %r#1 : !T, !T) -> !T {
  ^bb0(%p: f32, %q: f32):
    %v = arith.subf %p, %q : f32
    tile.yield %v : f32
  }
  tile.store %d, %y[%c0, %c0] : !T, memref<6x20xf32>
  %chosen = arith.select %many, %a, %b : !T
  tile.store %chosen, %z[%c0, %c0] : !T, memref<3x20xf32>
  %more = arith.cmpi sgt, %rows, %c5 : index
  scf.if %more {
    tile.store %a, %y[%c3, %c0] : !T, memref<6x20xf32>
  }
  tile.return
}
)";

static Register structure("loops and branches", [] {
  Image image(loops);
  Buffer<float> x(9 * 20), y(9 * 20);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(int64_t(hash(i) % 100) - 50);
  for (int64_t rows : {0, 1, 2, 3, 7}) {
    y.poison();
    image.run("fibonacci", {x, y}, rows, {1});
    for (int i = 0; i < 60; ++i) {
      float a = x[i], b = x[i];
      for (int64_t n = 0; n < rows; ++n) {
        float next = a + b;
        a = b, b = next;
      }
      check(y[i] == a + x[i], "fibonacci ", rows, ": expected ", a + x[i], ", got ", y[i]);
    }
    image.run("rotate", {x, y}, rows, {1});
    for (int i = 0; i < 180; ++i)
      check(y[i] == x[(i + rows % 3 * 60) % 180], "rotate ", rows, " at ", i);
    image.run("nested", {x, y}, rows, {1});
    for (int i = 0; i < 60; ++i) {
      float sum = 0;
      for (int64_t n = 0; n < rows; ++n)
        for (int64_t j = 0; j < rows; ++j)
          sum += j % 2 ? x[i] * float(n + 1) : 0;
      check(y[i] == sum, "nested ", rows, ": expected ", sum, ", got ", y[i]);
    }
    Buffer<float> z(3 * 20);
    y.poison();
    image.run("branches", {x, y, z}, rows, {1});
    for (int i = 0; i < 60; ++i) {
      float expected = rows > 2 ? x[60 + i] - x[i] : x[i] - x[60 + i];
      check(y[i] == expected, "branches ", rows, ": expected ", expected, ", got ", y[i]);
      check(z[i] == x[rows > 2 ? i : 60 + i], "branches ", rows, ": the select");
      check(rows > 5 ? y[60 + i] == x[i] : std::isnan(y[60 + i]), "branches ", rows,
            ": the branch without else");
    }
  }
});

//===------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------===//

static const char *shapesBody = R"(
tile.kernel @shapes grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<$Rx$Wx$type>, %e: memref<$Rx$Hx$type>, %o: memref<$Rx$Hx$type>, %y: memref<$Rx$Wx$type>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<$Rx$Wx$type> -> !tile.tile<$Rx$Wx$type>
  %even, %odd = tile.deinterleave %t : !tile.tile<$Rx$Wx$type> -> !tile.tile<$Rx$Hx$type>
  tile.store %even, %e[%c0, %c0] : !tile.tile<$Rx$Hx$type>, memref<$Rx$Hx$type>
  tile.store %odd, %o[%c0, %c0] : !tile.tile<$Rx$Hx$type>, memref<$Rx$Hx$type>
  %back = tile.interleave %odd, %even : !tile.tile<$Rx$Hx$type> -> !tile.tile<$Rx$Wx$type>
  tile.store %back, %y[%c0, %c0] : !tile.tile<$Rx$Wx$type>, memref<$Rx$Wx$type>
  tile.return
}
)";

template <typename T>
static void testShapes(const char *type, int64_t rows, int64_t half) {
  Image image(fill(shapesBody, {{"type", type},
                                {"R", std::to_string(rows)},
                                {"W", std::to_string(2 * half)},
                                {"H", std::to_string(half)}}));
  Buffer<T> x(rows * half * 2), e(rows * half), o(rows * half), y(rows * half * 2);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = T(hash(i));
  image.run("shapes", {x, e, o, y}, 1, {1});
  for (int64_t i = 0; i < rows * half; ++i) {
    check(e[i] == x[2 * i] && o[i] == x[2 * i + 1], "deinterleave ", type, " ", rows, "x", 2 * half,
          " at ", i);
    check(y[2 * i] == x[2 * i + 1] && y[2 * i + 1] == x[2 * i], "interleave ", type, " ", rows, "x",
          2 * half, " at ", i);
  }
}

static Register shapes("deinterleave and interleave", [] {
  for (int64_t half : {1, 2, 4, 5, 8, 12, 13, 32}) {
    testShapes<uint32_t>("i32", 5, half);
    testShapes<uint8_t>("i8", 5, half);
    testShapes<uint16_t>("bf16", 1, half);
    testShapes<uint64_t>("i64", 2, half);
  }
});

static Register constants("constant and splat", [] {
  Image image(R"(
tile.kernel @k grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%y: memref<2x3xf32>, %z: memref<3x1xi64>, %h: memref<2x2xbf16>, %s: memref<2x3xf32>, %e: memref<1x1xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = tile.constant dense<[[1.0, 0.5, -0.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32> -> !tile.tile<2x3xf32>
  %i = tile.constant dense<[[1], [-2], [3000000000]]> : tensor<3x1xi64> -> !tile.tile<3x1xi64>
  %n = tile.constant dense<[[1.0, 0.25], [2.0, 3.0]]> : tensor<2x2xbf16> -> !tile.tile<2x2xbf16>
  %p = tile.constant dense<7.0> : tensor<2x3xf32> -> !tile.tile<2x3xf32>
  %q = tile.extract %f[%c1, %rows] : !tile.tile<2x3xf32> -> f32
  %t = tile.splat %q : f32 -> !tile.tile<1x1xf32>
  tile.store %f, %y[%c0, %c0] : !tile.tile<2x3xf32>, memref<2x3xf32>
  tile.store %i, %z[%c0, %c0] : !tile.tile<3x1xi64>, memref<3x1xi64>
  tile.store %n, %h[%c0, %c0] : !tile.tile<2x2xbf16>, memref<2x2xbf16>
  tile.store %p, %s[%c0, %c0] : !tile.tile<2x3xf32>, memref<2x3xf32>
  tile.store %t, %e[%c0, %c0] : !tile.tile<1x1xf32>, memref<1x1xf32>
  tile.return
})");
  Buffer<float> y(6), s(6), e(1);
  Buffer<int64_t> z(3);
  Buffer<uint16_t> h(4);
  image.run("k", {y, z, h, s, e}, 2, {1});
  const float expected[] = {1, 0.5f, -0.0f, 4, 5, 6}, halves[] = {1, 0.25f, 2, 3};
  check(!std::memcmp(y.data(), expected, sizeof expected), "f32 table");
  check(z[0] == 1 && z[1] == -2 && z[2] == 3000000000, "i64 column");
  for (int i = 0; i < 4; ++i)
    check(floatOf(h[i]) == halves[i], "bf16 table");
  for (int i = 0; i < 6; ++i)
    check(s[i] == 7, "splat");
  check(e[0] == 6, "extract");
});
