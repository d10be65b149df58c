//===- LinearTest.cpp - the block-scaled linear body ------------------------------------------===//
//
// y = x w^T with E4M3 codes; scales per 32x32 block of w and per 32 columns of x. Compared with
// sums in double; a row's bits may not depend on how many rows there are.
//
//===------------------------------------------------------------------------------------------===//

#include "Harness.h"

#include "dialects/ced/reference/Numbers.h"

#include <chrono>
#include <cmath>

using namespace x86test;
using namespace cedilla::reference;

static const char *body = R"(
tile.kernel @linear grid [#tile.grid<value = $NB, rows_per = 0>, #tile.grid<value = 1, rows_per = $BM>]
    config {} class "batch" {
^bb0(%x: memref<?x$Kxi8>, %xs: memref<?x$KSxi8>, %w: memref<$Nx$Kxi8>, %ws: memref<$NSx$KSxi8>, %y: memref<?x$Nxbf16>,
     %rows: index, %bn: index, %bm: index):
  %c0 = arith.constant 0 : index
  %cm = arith.constant $BM : index
  %cn = arith.constant $BN : index
  %c32 = arith.constant 32 : index
  %ck = arith.constant $BK : index
  %end = arith.constant $K : index
  %n0 = arith.muli %bn, %cn : index
  %ns = arith.divui %n0, %c32 : index
  %m0 = arith.muli %bm, %cm : index
  %left = arith.subi %rows, %m0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<$BNx$BMxf32>
  %acc = scf.for %k = %c0 to %end step %ck iter_args(%a = %init) -> (!tile.tile<$BNx$BMxf32>) {
    %ks = arith.divui %k, %c32 : index
    %wc = tile.load %w[%n0, %k] : memref<$Nx$Kxi8> -> !tile.tile<$BNx$BKxi8>
    %wsc = tile.load %ws[%ns, %ks] : memref<$NSx$KSxi8> -> !tile.tile<$SNx$SKxi8>
    %xc = tile.load %x[%m0, %k] rows %left : memref<?x$Kxi8> -> !tile.tile<$BMx$BKxi8>
    %xsc = tile.load %xs[%m0, %ks] rows %left : memref<?x$KSxi8> -> !tile.tile<$BMx$SKxi8>
    %wv = tile.decode %wc, %wsc element f8E4M3FN scale f8E8M0FNU block 32 x 32
        : !tile.tile<$BNx$BKxi8>, !tile.tile<$SNx$SKxi8> -> !tile.tile<$BNx$BKxbf16>
    %xv = tile.decode %xc, %xsc element f8E4M3FN scale f8E8M0FNU block 1 x 32
        : !tile.tile<$BMx$BKxi8>, !tile.tile<$BMx$SKxi8> -> !tile.tile<$BMx$BKxbf16>
    %r = tile.mma %wv, %xv, %a : !tile.tile<$BNx$BKxbf16>, !tile.tile<$BMx$BKxbf16>, !tile.tile<$BNx$BMxf32>
    scf.yield %r : !tile.tile<$BNx$BMxf32>
  }
  %out = tile.map ins(%acc : !tile.tile<$BNx$BMxf32>) -> !tile.tile<$BNx$BMxbf16> {
  ^bb0(%v: f32):
    %b = arith.truncf %v : f32 to bf16
    tile.yield %b : bf16
  }
  tile.store %out, %y[%m0, %n0] dims [1, 0] cols %left : !tile.tile<$BNx$BMxbf16>, memref<?x$Nxbf16>
  tile.return
}
)";

namespace {
struct Shape {
  int64_t n, k, bn, bm, bk;
};
} // namespace

static std::string textOf(const Shape &s) {
  auto number = [](int64_t x) { return std::to_string(x); };
  return fill(body, {{"NB", number(s.n / s.bn)},
                     {"NS", number(s.n / 32)},
                     {"KS", number(s.k / 32)},
                     {"SN", number((s.bn + 31) / 32)},
                     {"SK", number(s.bk / 32)},
                     {"BN", number(s.bn)},
                     {"BM", number(s.bm)},
                     {"BK", number(s.bk)},
                     {"N", number(s.n)},
                     {"K", number(s.k)}});
}

namespace {
struct Problem {
  Problem(const Shape &s, int64_t rows)
      : s(s), x(rows * s.k), xs(rows * s.k / 32), w(s.n * s.k), ws(s.n / 32 * (s.k / 32)),
        y(rows * s.n), rows(rows) {
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = toE4M3(normal(i) * 100);
    for (size_t i = 0; i < w.size(); ++i)
      w[i] = toE4M3(normal(i + (1ull << 40)) * 100);
    for (size_t i = 0; i < xs.size(); ++i)
      xs[i] = 118 + hash(i) % 5;
    for (size_t i = 0; i < ws.size(); ++i)
      ws[i] = 115 + hash(i + (1ull << 41)) % 7;
  }
  std::vector<void *> buffers() const { return {x, xs, w, ws, y}; }

  Shape s;
  Buffer<uint8_t> x, xs, w, ws;
  Buffer<uint16_t> y;
  int64_t rows;
};
} // namespace

/// Largest error over what the format and the order of an f32 sum allow.
static double worstError(const Problem &p) {
  double worst = 0;
  for (int64_t m = 0; m < p.rows; ++m)
    for (int64_t n = 0; n < p.s.n; ++n) {
      double sum = 0, magnitude = 0;
      for (int64_t k = 0; k < p.s.k; ++k) {
        double a =
            fromE4M3(p.x[m * p.s.k + k]) * double(fromUE8M0(p.xs[m * (p.s.k / 32) + k / 32]));
        double b =
            fromE4M3(p.w[n * p.s.k + k]) * double(fromUE8M0(p.ws[n / 32 * (p.s.k / 32) + k / 32]));
        sum += a * b;
        magnitude += std::fabs(a * b);
      }
      double allowed = std::fabs(sum) * 0x1.01p-8 + magnitude * 1e-6;
      double error = std::fabs(floatOf(p.y[m * p.s.n + n]) - sum) / allowed;
      worst = error > worst || std::isnan(error) ? error : worst;
    }
  return worst;
}

static void testShape(const Shape &s) {
  Image image(textOf(s));
  Problem whole(s, 13);
  auto run = [&](const Problem &p) {
    image.run("linear", p.buffers(), p.rows, {s.n / s.bn, (p.rows + s.bm - 1) / s.bm});
  };
  run(whole);
  double worst = worstError(whole);
  check(worst <= 1, "error ", worst, " times what is allowed");
  note(std::to_string(s.n) + "x" + std::to_string(s.k) + ": error " + std::to_string(worst) +
       " of what is allowed");

  Problem again(s, 13);
  run(again);
  check(again.y.sameBits(whole.y), "the second run has other bits");
  for (int64_t rows : {1, 5, 8}) {
    Problem part(s, rows);
    run(part);
    check(std::memcmp(part.y.data(), whole.y.data(), rows * s.n * 2) == 0,
          "bits of a row depend on the number of rows, ", rows);
  }
}

static Register shapes("linear", [] {
  testShape({64, 256, 32, 8, 128});
  testShape({64, 256, 64, 8, 128});
  testShape({96, 160, 32, 1, 32});
  testShape({64, 96, 32, 3, 96});
  testShape({64, 128, 16, 16, 64});
  testShape({128, 256, 128, 13, 256});
});

/// What one core does with the shape of a decode step. Measured, not judged: the machine may be
/// busy.
static Register speed(
    "speed linear 1x5120x8192",
    [] {
      for (Shape s : {Shape{5120, 8192, 32, 8, 128}, Shape{5120, 8192, 32, 1, 128},
                      Shape{5120, 8192, 64, 1, 256}}) {
        Image image(textOf(s));
        Problem p(s, 1);
        double best = 1e9;
        for (int i = 0; i < 5; ++i) {
          auto start = std::chrono::steady_clock::now();
          image.run("linear", p.buffers(), 1, {s.n / s.bn, 1});
          best = std::min(
              best,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        note("BN " + std::to_string(s.bn) + " BM " + std::to_string(s.bm) + " BK " +
             std::to_string(s.bk) + ": " + std::to_string(best) + " s, code " +
             std::to_string(image.info("linear").codeBytes) + " bytes, arena " +
             std::to_string(image.info("linear").arenaBytes));
      }
    },
    true);
