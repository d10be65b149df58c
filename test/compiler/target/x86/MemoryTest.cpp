//===- MemoryTest.cpp - load, store, gather, scatter ------------------------------------------===//
//
// Elements are copied as bits, whatever they are, so every type is tested with random bytes.
// Offsets and counts come from memory; buffers end at an unreadable page.
//
//===------------------------------------------------------------------------------------------===//

#include "Harness.h"

using namespace x86test;

namespace {
struct Type {
  const char *name;
  int64_t bytes;
};
constexpr Type types[] = {{"f32", 4}, {"bf16", 2}, {"i8", 1}, {"i32", 4}, {"i64", 8}};

/// `shape` of the memory, `dims` along which the tile runs (-1: none), "" for the default.
struct Layout {
  std::vector<int64_t> shape;
  int64_t rowDim, colDim;
  const char *dims;
  int64_t rows, cols; ///< of the tile
};
} // namespace

static std::string shapeOf(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t dim : shape)
    text += std::to_string(dim) + "x";
  return text;
}

static const char *prologue = R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %pt = tile.load %p[%c0] : memref<5xi64> -> !tile.tile<1x5xi64>
  %e0 = tile.extract %pt[%c0, %c0] : !tile.tile<1x5xi64> -> i64
  %e1 = tile.extract %pt[%c0, %c1] : !tile.tile<1x5xi64> -> i64
  %e2 = tile.extract %pt[%c0, %c2] : !tile.tile<1x5xi64> -> i64
  %e3 = tile.extract %pt[%c0, %c3] : !tile.tile<1x5xi64> -> i64
  %e4 = tile.extract %pt[%c0, %c4] : !tile.tile<1x5xi64> -> i64
  %o0 = arith.index_cast %e0 : i64 to index
  %o1 = arith.index_cast %e1 : i64 to index
  %o2 = arith.index_cast %e2 : i64 to index
  %nr = arith.index_cast %e3 : i64 to index
  %nc = arith.index_cast %e4 : i64 to index
)";

static const char *affineBody = R"(
tile.kernel @in grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%m: memref<$shape$type>, %t: memref<$Rx$Cx$type>, %p: memref<5xi64>, %rows: index, %b: index):
  $prologue
  %x = tile.load %m[$offsets] $dims $counts : memref<$shape$type> -> !tile.tile<$Rx$Cx$type>
  tile.store %x, %t[%c0, %c0] : !tile.tile<$Rx$Cx$type>, memref<$Rx$Cx$type>
  tile.return
}
tile.kernel @out grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%m: memref<$shape$type>, %t: memref<$Rx$Cx$type>, %p: memref<5xi64>, %rows: index, %b: index):
  $prologue
  %x = tile.load %t[%c0, %c0] : memref<$Rx$Cx$type> -> !tile.tile<$Rx$Cx$type>
  tile.store %x, %m[$offsets] $dims $counts : !tile.tile<$Rx$Cx$type>, memref<$shape$type>
  tile.return
}
)";

static void randomise(const Buffer<char> &buffer, uint64_t seed) {
  for (size_t i = 0; i < buffer.size(); ++i)
    buffer[i] = char(hash(seed * 1000003 + i));
}

static std::vector<int64_t> stridesOf(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// Rows and columns that exist for the given counts.
static void testAffine(const Layout &layout, const Type &type, bool rowCount, bool colCount) {
  std::string offsets = layout.shape.size() == 1   ? "%o0"
                        : layout.shape.size() == 2 ? "%o0, %o1"
                                                   : "%o0, %o1, %o2";
  std::string counts = std::string(rowCount ? "rows %nr " : "") + (colCount ? "cols %nc" : "");
  Image image(fill(affineBody, {{"prologue", prologue},
                                {"shape", shapeOf(layout.shape)},
                                {"offsets", offsets},
                                {"dims", layout.dims},
                                {"counts", counts},
                                {"type", type.name},
                                {"R", std::to_string(layout.rows)},
                                {"C", std::to_string(layout.cols)}}));
  std::vector<int64_t> strides = stridesOf(layout.shape);
  int64_t elements = strides[0] * layout.shape[0];
  for (int64_t nr :
       rowCount ? std::vector<int64_t>{-3, 0, 1, layout.rows - 1, layout.rows, layout.rows + 9}
                : std::vector<int64_t>{layout.rows})
    for (int64_t nc : colCount ? std::vector<int64_t>{-1, 0, 1, layout.cols - 1, layout.cols, 1000}
                               : std::vector<int64_t>{layout.cols}) {
      int64_t existRows = std::clamp<int64_t>(nr, 0, layout.rows),
              existCols = std::clamp<int64_t>(nc, 0, layout.cols);
      // As far to the end of memory as the existing elements allow.
      Buffer<int64_t> p(5);
      int64_t base = 0;
      for (size_t dim = 0; dim < layout.shape.size(); ++dim) {
        int64_t used = int64_t(dim) == layout.rowDim   ? std::max<int64_t>(existRows, 1)
                       : int64_t(dim) == layout.colDim ? std::max<int64_t>(existCols, 1)
                                                       : 1;
        p[dim] = layout.shape[dim] - used;
        base += p[dim] * strides[dim];
      }
      p[3] = nr, p[4] = nc;
      Buffer<char> memory(elements * type.bytes), tile(layout.rows * layout.cols * type.bytes);
      auto inMemory = [&](int64_t r, int64_t c) {
        int64_t at = base + (layout.rowDim < 0 ? 0 : r * strides[layout.rowDim]) +
                     (layout.colDim < 0 ? 0 : c * strides[layout.colDim]);
        return at * type.bytes;
      };
      std::string where = std::string(type.name) + " " + shapeOf(layout.shape) + " " + layout.dims +
                          " counts " + std::to_string(nr) + "," + std::to_string(nc);

      randomise(memory, 1);
      image.run("in", {memory, tile, p}, 1, {1});
      static const char zero[8] = {};
      for (int64_t r = 0; r < layout.rows; ++r)
        for (int64_t c = 0; c < layout.cols; ++c) {
          const char *want = r < existRows && c < existCols ? memory.data() + inMemory(r, c) : zero;
          check(!std::memcmp(tile.data() + (r * layout.cols + c) * type.bytes, want, type.bytes),
                "load ", where, " at ", r, ",", c);
        }

      randomise(tile, 2);
      randomise(memory, 3);
      Buffer<char> expected(memory.size());
      std::memcpy(expected.data(), memory.data(), memory.size());
      for (int64_t r = 0; r < existRows; ++r)
        for (int64_t c = 0; c < existCols; ++c)
          std::memcpy(expected.data() + inMemory(r, c),
                      tile.data() + (r * layout.cols + c) * type.bytes, type.bytes);
      image.run("out", {memory, tile, p}, 1, {1});
      check(memory.sameBits(expected), "store ", where);
    }
}

static const std::vector<Layout> layouts = {
    {{40, 48}, 0, 1, "", 16, 32},
    {{40, 48}, 0, 1, "", 5, 13},
    {{9, 77}, 0, 1, "", 1, 71},
    {{40, 48}, 0, 1, "", 11, 1},
    {{40, 48}, 1, 0, "dims [1, 0]", 32, 7},
    {{40, 48}, 1, 0, "dims [1, 0]", 1, 9},
    {{40, 48}, 1, 0, "dims [1, 0]", 19, 1},
    {{50}, -1, 0, "", 1, 21},
    {{50}, 0, -1, "dims [0, -1]", 21, 1},
    {{9, 4, 40}, 0, 2, "dims [0, 2]", 6, 33},
    {{9, 4, 40}, 2, 0, "dims [2, 0]", 33, 6},
    {{9, 7, 10}, 0, 1, "dims [0, 1]", 6, 5},
    {{9, 7, 10}, 1, 0, "dims [1, 0]", 6, 5},
    {{9, 7}, 0, 1, "", 1, 1},
};

static Register affine("load and store", [] {
  for (size_t i = 0; i < layouts.size(); ++i) {
    // Every layout with both counts; one type each more would only repeat the copy loops.
    testAffine(layouts[i], types[i % 5], true, true);
    testAffine(layouts[i], types[(i + 1) % 5], i % 2, i % 2 == 0);
    testAffine(layouts[i], types[(i + 3) % 5], false, false);
  }
  for (const Type &type : types)
    testAffine(layouts[1], type, true, true);
});

//===------------------------------------------------------------------------------------------===//
// Rows by index
//===------------------------------------------------------------------------------------------===//

static const char *indexedBody = R"(
tile.kernel @in grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%m: memref<$shape$type>, %t: memref<$Rx$Cx$type>, %i: memref<$Rx$index>, %p: memref<5xi64>, %rows: index, %b: index):
  $prologue
  %at = tile.load %i[%c0] dims [0, -1] : memref<$Rx$index> -> !tile.tile<$Rx1x$index>
  %x = tile.gather %m[$offsets] at %at $dims $counts : memref<$shape$type>, !tile.tile<$Rx1x$index> -> !tile.tile<$Rx$Cx$type>
  tile.store %x, %t[%c0, %c0] : !tile.tile<$Rx$Cx$type>, memref<$Rx$Cx$type>
  tile.return
}
tile.kernel @out grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%m: memref<$shape$type>, %t: memref<$Rx$Cx$type>, %i: memref<$Rx$index>, %p: memref<5xi64>, %rows: index, %b: index):
  $prologue
  %at = tile.load %i[%c0] dims [0, -1] : memref<$Rx$index> -> !tile.tile<$Rx1x$index>
  %x = tile.load %t[%c0, %c0] : memref<$Rx$Cx$type> -> !tile.tile<$Rx$Cx$type>
  tile.scatter %x, %m[$offsets] at %at $dims $counts : !tile.tile<$Rx$Cx$type>, memref<$shape$type>, !tile.tile<$Rx1x$index>
  tile.return
}
)";

static void testIndexed(const Layout &layout, const Type &type, bool wide, bool colCount) {
  std::string offsets = layout.shape.size() == 1   ? "%o0"
                        : layout.shape.size() == 2 ? "%o0, %o1"
                                                   : "%o0, %o1, %o2";
  Image image(fill(indexedBody, {{"prologue", prologue},
                                 {"shape", shapeOf(layout.shape)},
                                 {"offsets", offsets},
                                 {"dims", layout.dims},
                                 {"counts", colCount ? "cols %nc" : ""},
                                 {"type", type.name},
                                 {"index", wide ? "i64" : "i32"},
                                 {"R", std::to_string(layout.rows)},
                                 {"C", std::to_string(layout.cols)}}));
  std::vector<int64_t> strides = stridesOf(layout.shape);
  for (int64_t nc : colCount ? std::vector<int64_t>{-1, 0, 3, layout.cols, 1000}
                             : std::vector<int64_t>{layout.cols}) {
    int64_t existCols = std::clamp<int64_t>(nc, 0, layout.cols);
    Buffer<int64_t> p(5), index64(layout.rows);
    Buffer<int32_t> index32(layout.rows);
    int64_t base = 0;
    for (size_t dim = 0; dim < layout.shape.size(); ++dim) {
      p[dim] = int64_t(dim) == layout.rowDim   ? 1
               : int64_t(dim) == layout.colDim ? layout.shape[dim] - std::max<int64_t>(existCols, 1)
                                               : layout.shape[dim] - 1;
      base += p[dim] * strides[dim];
    }
    p[4] = nc;
    // Different rows, backwards, every third one missing.
    for (int64_t r = 0; r < layout.rows; ++r)
      index64[r] = index32[r] = r % 3 == 1 ? -1 - r : layout.shape[layout.rowDim] - 2 - r;
    void *index = wide ? static_cast<void *>(index64) : static_cast<void *>(index32);
    int64_t elements = strides[0] * layout.shape[0];
    Buffer<char> memory(elements * type.bytes), tile(layout.rows * layout.cols * type.bytes);
    auto inMemory = [&](int64_t r, int64_t c) {
      return (base + index64[r] * strides[layout.rowDim] +
              (layout.colDim < 0 ? 0 : c * strides[layout.colDim])) *
             type.bytes;
    };
    std::string where = std::string(type.name) + " " + shapeOf(layout.shape) + " " + layout.dims +
                        " cols " + std::to_string(nc);

    randomise(memory, 4);
    image.run("in", {memory, tile, index, p}, 1, {1});
    static const char zero[8] = {};
    for (int64_t r = 0; r < layout.rows; ++r)
      for (int64_t c = 0; c < layout.cols; ++c) {
        const char *want = index64[r] >= 0 && c < existCols ? memory.data() + inMemory(r, c) : zero;
        check(!std::memcmp(tile.data() + (r * layout.cols + c) * type.bytes, want, type.bytes),
              "gather ", where, " at ", r, ",", c);
      }

    randomise(tile, 5);
    randomise(memory, 6);
    Buffer<char> expected(memory.size());
    std::memcpy(expected.data(), memory.data(), memory.size());
    for (int64_t r = 0; r < layout.rows; ++r)
      for (int64_t c = 0; c < existCols && index64[r] >= 0; ++c)
        std::memcpy(expected.data() + inMemory(r, c),
                    tile.data() + (r * layout.cols + c) * type.bytes, type.bytes);
    image.run("out", {memory, tile, index, p}, 1, {1});
    check(memory.sameBits(expected), "scatter ", where);
  }
}

static Register indexed("gather and scatter", [] {
  const Layout shapes[] = {
      {{40, 48}, 0, 1, "", 16, 32},
      {{40, 48}, 0, 1, "", 7, 13},
      {{40, 48}, 0, 1, "", 9, 1},
      {{50}, 0, -1, "dims [0, -1]", 21, 1},
      {{30, 4, 40}, 0, 2, "dims [0, 2]", 6, 33},
      {{4, 30, 5}, 1, 0, "dims [1, 0]", 6, 3},
      {{40, 48}, 0, 1, "", 1, 20},
  };
  int i = 0;
  for (const Layout &layout : shapes) {
    testIndexed(layout, types[i % 5], i % 2, layout.cols > 1);
    testIndexed(layout, types[(i + 2) % 5], i % 2 == 0, false);
    ++i;
  }
});
