//===- GeometryTest.cpp - every layout deals every element out once ---------------------------===//

#include "compiler/target/nvptx/Geometry.h"

#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;
using tile::TileType;

namespace {
struct Example {
  LayoutKind kind;
  SmallVector<int64_t> split;
  int64_t vec, rows, cols;
  int64_t owners; ///< threads that own each element: k-warps of a partial sum
};
} // namespace

static int64_t sum(ArrayRef<ThreadTerm> terms, int64_t thread) {
  int64_t value = 0;
  for (const ThreadTerm &term : terms)
    value += term.at(thread);
  return value;
}

static bool refuse(LayoutAttr layout, TileType tile, const Twine &why) {
  llvm::errs() << layout << " on " << tile << ": " << why << "\n";
  return false;
}

/// Every element has `owners` owners, and nobody holds anything outside.
static bool checkExample(MLIRContext &context, const Example &example) {
  auto layout = LayoutAttr::get(&context, example.kind, example.split, example.vec);
  auto tile = TileType::get(&context, example.rows, example.cols, Float32Type::get(&context));
  std::string reason;
  FailureOr<Geometry> geometry = getGeometry(layout, tile, reason);
  if (failed(geometry))
    return refuse(layout, tile, reason);
  int64_t threads = example.split[0] * example.split[1] * example.split[2];
  if (example.kind != LayoutKind::Flat)
    threads *= warpSize;
  std::vector<int64_t> owners(example.rows * example.cols);
  for (int64_t thread = 0; thread < threads; ++thread)
    for (int64_t r : geometry->rowOffsets)
      for (int64_t c : geometry->colOffsets)
        for (int64_t i = 0; i < geometry->vec; ++i) {
          int64_t row = sum(geometry->row, thread) + r, col = sum(geometry->col, thread) + c + i;
          if (row >= example.rows || col >= example.cols)
            return refuse(layout, tile,
                          "thread " + Twine(thread) + " holds element (" + Twine(row) + ", " +
                              Twine(col) + ")");
          owners[row * example.cols + col] += sum(geometry->copy, thread) == 0;
        }
  for (int64_t count : owners)
    if (count != example.owners)
      return refuse(layout, tile,
                    "an element has " + Twine(count) + " owners, expected " +
                        Twine(example.owners));
  return true;
}

bool checkGeometry(MLIRContext &context) {
  context.loadDialect<tile::TileDialect>();
  const Example examples[] = {
      {LayoutKind::Flat, {4, 32, 1}, 4, 16, 256, 1}, {LayoutKind::Flat, {16, 8, 1}, 8, 16, 64, 1},
      {LayoutKind::Flat, {16, 8, 1}, 8, 4, 64, 1},   {LayoutKind::Flat, {4, 32, 1}, 4, 16, 1, 1},
      {LayoutKind::Flat, {4, 32, 1}, 4, 1, 256, 1},  {LayoutKind::Flat, {4, 32, 1}, 1, 1, 1, 1},
      {LayoutKind::Flat, {8, 8, 2}, 2, 24, 16, 1},   {LayoutKind::Flat, {1, 128, 2}, 4, 3, 1024, 1},
      {LayoutKind::MmaAcc, {2, 1, 1}, 2, 64, 8, 1},  {LayoutKind::MmaAcc, {1, 2, 2}, 2, 32, 64, 1},
      {LayoutKind::MmaAcc, {2, 2, 1}, 2, 64, 1, 1},  {LayoutKind::MmaAcc, {2, 2, 1}, 2, 1, 32, 1},
      {LayoutKind::MmaPart, {1, 1, 4}, 2, 16, 8, 4}, {LayoutKind::MmaA, {2, 2, 1}, 16, 32, 128, 1},
      {LayoutKind::MmaA, {1, 1, 4}, 8, 16, 128, 1},  {LayoutKind::MmaB, {2, 2, 1}, 16, 16, 64, 1},
      {LayoutKind::MmaB, {1, 1, 2}, 4, 8, 64, 1},
  };
  bool good = true;
  for (const Example &example : examples)
    good &= checkExample(context, example);
  llvm::outs() << (good ? "every element once\n" : "");
  return good;
}
