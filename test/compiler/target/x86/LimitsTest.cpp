//===- LimitsTest.cpp - size and time of compiling, and the same bytes again ------------------===//
//
// Big tiles must cost loops, not code: the linear body with tiles of 128x128x512 and a row kernel
// over 5120 columns. The time limit is for an idle core and is multiplied for a busy test machine.
//
//===------------------------------------------------------------------------------------------===//

#include "Harness.h"

#include <chrono>
#include <ctime>

using namespace x86test;

static const char *linearBody = R"(
tile.kernel @big grid [#tile.grid<value = 8, rows_per = 0>, #tile.grid<value = 1, rows_per = 128>] config {} class "batch" {
^bb0(%x: memref<?x4096xi8>, %xs: memref<?x128xi8>, %w: memref<1024x4096xi8>, %ws: memref<32x128xi8>, %y: memref<?x1024xbf16>,
     %rows: index, %bn: index, %bm: index):
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %end = arith.constant 4096 : index
  %n0 = arith.muli %bn, %c128 : index
  %ns = arith.muli %bn, %c4 : index
  %m0 = arith.muli %bm, %c128 : index
  %left = arith.subi %rows, %m0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero : f32 -> !tile.tile<128x128xf32>
  %acc = scf.for %k = %c0 to %end step %c512 iter_args(%a = %init) -> (!tile.tile<128x128xf32>) {
    %ks = arith.divui %k, %c32 : index
    %wc = tile.load %w[%n0, %k] : memref<1024x4096xi8> -> !tile.tile<128x512xi8>
    %wsc = tile.load %ws[%ns, %ks] : memref<32x128xi8> -> !tile.tile<4x16xi8>
    %xc = tile.load %x[%m0, %k] rows %left : memref<?x4096xi8> -> !tile.tile<128x512xi8>
    %xsc = tile.load %xs[%m0, %ks] rows %left : memref<?x128xi8> -> !tile.tile<128x16xi8>
    %wv = tile.decode %wc, %wsc element f8E4M3FN scale f8E8M0FNU block 32 x 32 : !tile.tile<128x512xi8>, !tile.tile<4x16xi8> -> !tile.tile<128x512xbf16>
    %xv = tile.decode %xc, %xsc element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<128x512xi8>, !tile.tile<128x16xi8> -> !tile.tile<128x512xbf16>
    %r = tile.mma %wv, %xv, %a : !tile.tile<128x512xbf16>, !tile.tile<128x512xbf16>, !tile.tile<128x128xf32>
    scf.yield %r : !tile.tile<128x128xf32>
  }
  %out = tile.map ins(%acc : !tile.tile<128x128xf32>) -> !tile.tile<128x128xbf16> {
  ^bb0(%v: f32):
    %b = arith.truncf %v : f32 to bf16
    tile.yield %b : bf16
  }
  tile.store %out, %y[%m0, %n0] dims [1, 0] cols %left : !tile.tile<128x128xbf16>, memref<?x1024xbf16>
  tile.return
}
)";

/// Processor seconds of this process and of what it waited for.
static double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

static Register limits("limits", [] {
  double start = processorSeconds();
  Image image(linearBody);
  double seconds = processorSeconds() - start;
  const KernelSizes &info = image.info("big");
  note("linear, tiles 128x128x512: " + std::to_string(seconds) + " s of processor time, " +
       std::to_string(info.codeBytes) + " bytes of code, " + std::to_string(info.arenaBytes) +
       " of arena");
  check(info.codeBytes > 0 && info.codeBytes <= 64 * 1024, "expected at most 64 KB of code, got ",
        info.codeBytes);
  check(seconds <= 1, "expected at most 1 s, got ", seconds);
  // Codes, their f32 values, the accumulator and the result; not one place for each tile and
  // iteration.
  check(info.arenaBytes <= 900 * 1024, "expected at most 900 KB of arena, got ", info.arenaBytes);

  Image again(linearBody);
  check(image.bytes() == again.bytes(), "compiling again gives other bytes");
});

/// Arithmetic of a long step on one core; measured, not judged.
static Register speed(
    "speed linear 128x1024x4096",
    [] {
      Image image(linearBody);
      Buffer<uint8_t> x(128 * 4096), xs(128 * 128), w(1024 * 4096), ws(32 * 128);
      Buffer<uint16_t> y(128 * 1024);
      for (const Buffer<uint8_t> *buffer : {&x, &xs, &w, &ws})
        for (size_t i = 0; i < buffer->size(); ++i)
          (*buffer)[i] = hash(i) & 0x3F;
      double best = 1e9;
      for (int i = 0; i < 5; ++i) {
        auto start = std::chrono::steady_clock::now();
        image.run("big", {x, xs, w, ws, y}, 128, {8, 1});
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      note(std::to_string(best) + " s, " + std::to_string(2e-9 * 128 * 1024 * 4096 / best) +
           " GFLOP/s");
    },
    true);
