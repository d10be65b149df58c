//===- MathTest.cpp - errors of our transcendental functions ----------------------------------===//
//
// Every f32 in steps through all bit patterns, compared with double; and the special values by
// hand.
//
//===------------------------------------------------------------------------------------------===//

#include "Harness.h"

#include <bit>
#include <cmath>

using namespace x86test;

static const char *body = R"(
tile.kernel @f grid [#tile.grid<value = 1, rows_per = 64>] config {} class "run" {
^bb0(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r0 = arith.muli %b, %c64 : index
  %t = tile.load %x[%r0, %c0] : memref<?x64xf32> -> !tile.tile<64x64xf32>
  %m = tile.map ins(%t : !tile.tile<64x64xf32>) -> !tile.tile<64x64xf32> {
  ^bb0(%v: f32):
    $op
    tile.yield %r : f32
  }
  tile.store %m, %y[%r0, %c0] : !tile.tile<64x64xf32>, memref<?x64xf32>
  tile.return
}
)";

static const char *sigmoid = R"(%one = arith.constant 1.0 : f32
    %n = arith.negf %v : f32
    %e = math.exp %n : f32
    %s = arith.addf %one, %e : f32
    %r = arith.divf %one, %s : f32)";

namespace {
struct Function {
  const char *name;
  std::string op;
  double (*exact)(double);
  float low, high;       ///< where the error is promised
  double ulps, absolute; ///< either is enough
  std::vector<std::pair<float, float>> special;
};
} // namespace

static const float inf = INFINITY, none = NAN;

static std::vector<Function> functions() {
  return {
      {"exp",
       "%r = math.exp %v : f32",
       [](double x) { return std::exp(x); },
       -inf,
       inf,
       1,
       0,
       {{0, 1},
        {-0.0f, 1},
        {inf, inf},
        {-inf, 0},
        {none, none},
        {88.73f, inf},
        {-104, 0},
        {-1e30f, 0},
        {1e30f, inf},
        {-103, 0x1p-149f}}},
      {"log",
       "%r = math.log %v : f32",
       [](double x) { return std::log(x); },
       -inf,
       inf,
       1,
       0,
       {{0, -inf}, {-0.0f, -inf}, {1, 0}, {inf, inf}, {-1, none}, {-inf, none}, {none, none}}},
      {"log1p",
       "%r = math.log1p %v : f32",
       [](double x) { return std::log1p(x); },
       -inf,
       inf,
       2,
       0,
       {{0, 0},
        {-0.0f, -0.0f},
        {-1, -inf},
        {inf, inf},
        {-2, none},
        {-inf, none},
        {none, none},
        {1e-30f, 1e-30f},
        {0x1p-149f, 0x1p-149f}}},
      {"sin",
       "%r = math.sin %v : f32",
       [](double x) { return std::sin(x); },
       -0x1p21f,
       0x1p21f,
       0,
       1.2e-7,
       {{0, 0}, {inf, none}, {-inf, none}, {none, none}, {1e9f, none}}},
      {"cos",
       "%r = math.cos %v : f32",
       [](double x) { return std::cos(x); },
       -0x1p21f,
       0x1p21f,
       0,
       1.2e-7,
       {{0, 1}, {inf, none}, {-inf, none}, {none, none}, {-1e9f, none}}},
      {"rsqrt",
       "%r = math.rsqrt %v : f32",
       [](double x) { return 1 / std::sqrt(x); },
       -inf,
       inf,
       1.5,
       0,
       {{0, inf}, {-0.0f, -inf}, {inf, 0}, {-1, none}, {none, none}, {4, 0.5f}}},
      {"sigmoid",
       sigmoid,
       [](double x) { return 1 / (1 + std::exp(-x)); },
       -88,
       inf,
       2.5,
       0,
       {{0, 0.5f}, {inf, 1}, {-inf, 0}, {none, none}}},
  };
}

static void testSpecial(const Image &image, const Function &f) {
  Buffer<float> x(4096), y(4096);
  for (size_t i = 0; i < 4096; ++i)
    x[i] = f.special[i % f.special.size()].first;
  image.run("f", {x, y}, 64, {1});
  for (size_t i = 0; i < 4096; ++i) {
    float expected = f.special[i % f.special.size()].second;
    bool same = std::isnan(expected)
                    ? std::isnan(y[i])
                    : std::bit_cast<uint32_t>(y[i]) == std::bit_cast<uint32_t>(expected);
    check(same, f.name, "(", x[i], "): expected ", expected, ", got ", y[i]);
  }
}

static void testFunction(const Function &f) {
  Image image(fill(body, {{"op", f.op}}));
  testSpecial(image, f);
  // A step that is odd and no multiple of a power of ten visits every exponent and mixed mantissas.
  constexpr uint64_t step = 2111, count = (1ull << 32) / step / 4096 * 4096;
  Buffer<float> x(count), y(count);
  for (uint64_t i = 0; i < count; ++i)
    x[i] = std::bit_cast<float>(uint32_t(i * step));
  image.run("f", {x, y}, count / 64, {int64_t(count / 4096)});
  double worstUlps = 0, worstAbsolute = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (!(x[i] >= f.low && x[i] <= f.high))
      continue;
    double exact = f.exact(x[i]), off = ulps(y[i], exact), absolute = std::fabs(y[i] - exact);
    if (f.ulps) {
      worstUlps = std::max(worstUlps, off);
      check(off <= f.ulps, f.name, "(", x[i], ") = ", y[i], ", off by ", off, " ulps");
    } else {
      worstAbsolute = std::max(worstAbsolute, absolute);
      check(absolute <= f.absolute, f.name, "(", x[i], ") = ", y[i], ", off by ", absolute);
    }
  }
  note(
      std::string(f.name) + ": " + std::to_string(count) + " inputs, worst error " +
      (f.ulps ? std::to_string(worstUlps) + " ulps" : std::to_string(worstAbsolute * 1e7) + "e-7"));
}

static Register math("math", [] {
  for (const Function &f : functions())
    testFunction(f);
});
