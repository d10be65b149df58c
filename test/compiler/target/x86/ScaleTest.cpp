//===- ScaleTest.cpp - decode and encode, exhaustive and against the golden data --------------===//

#include "Harness.h"

#include "dialects/ced/reference/Numbers.h"
#include "runtime/io/Safetensors.h"

#include <bit>
#include <cmath>

using namespace x86test;
using namespace cedilla::reference;

//===------------------------------------------------------------------------------------------===//
// Decode: every code with every scale
//===------------------------------------------------------------------------------------------===//

static const char *decodeBody = R"(
tile.kernel @decode grid [#tile.grid<value = 256, rows_per = 0>] config {} class "run" {
^bb0(%c: memref<1x$bytesxi8>, %s: memref<256x1xi8>, %y: memref<256x$colsx$type>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %codes = tile.load %c[%c0, %c0] : memref<1x$bytesxi8> -> !tile.tile<1x$bytesxi8>
  %scale = tile.load %s[%b, %c0] : memref<256x1xi8> -> !tile.tile<1x1xi8>
  %v = tile.decode %codes, %scale element $element scale $scale block 1 x $cols
      : !tile.tile<1x$bytesxi8>, !tile.tile<1x1xi8> -> !tile.tile<1x$colsx$type>
  tile.store %v, %y[%b, %c0] : !tile.tile<1x$colsx$type>, memref<256x$colsx$type>
  tile.return
}
)";

static void testAllCodes(bool fp4, bool e8m0, bool toBF16) {
  int64_t cols = fp4 ? 512 : 256;
  Image image(fill(decodeBody, {{"bytes", "256"},
                                {"cols", std::to_string(cols)},
                                {"type", toBF16 ? "bf16" : "f32"},
                                {"element", fp4 ? "f4E2M1FN" : "f8E4M3FN"},
                                {"scale", e8m0 ? "f8E8M0FNU" : "f8E4M3FN"}}));
  Buffer<uint8_t> codes(256), scales(256);
  for (int i = 0; i < 256; ++i)
    codes[i] = scales[i] = i;
  Buffer<uint16_t> narrow(256 * cols);
  Buffer<float> wide(256 * cols);
  image.run("decode",
            {codes, scales, toBF16 ? static_cast<void *>(narrow) : static_cast<void *>(wide)}, 1,
            {256});
  for (int64_t s = 0; s < 256; ++s)
    for (int64_t c = 0; c < cols; ++c) {
      float code =
          fp4 ? fromE2M1(c % 2 ? codes[c / 2] >> 4 : codes[c / 2] & 15) : fromE4M3(codes[c]);
      float expected = code * (e8m0 ? fromUE8M0(s) : fromE4M3(s));
      float got = wide[s * cols + c];
      if (toBF16) {
        expected = rounded(expected);
        got = floatOf(narrow[s * cols + c]);
      }
      bool same = std::isnan(expected)
                      ? std::isnan(got)
                      : std::bit_cast<uint32_t>(expected) == std::bit_cast<uint32_t>(got);
      check(same, "code ", c, " scale ", s, ": expected ", expected, ", got ", got);
    }
}

static Register decodeAll("decode all codes", [] {
  for (bool fp4 : {false, true})
    for (bool e8m0 : {true, false})
      for (bool toBF16 : {true, false})
        testAllCodes(fp4, e8m0, toBF16);
});

//===------------------------------------------------------------------------------------------===//
// Decode: shapes
//===------------------------------------------------------------------------------------------===//

static const char *decodeShapeBody = R"(
tile.kernel @decode grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%c: memref<$rowsx$bytesxi8>, %s: memref<$srowsx$scolsxi8>, %y: memref<$rowsx$wxf32>, %n: index, %b: index):
  %c0 = arith.constant 0 : index
  %codes = tile.load %c[%c0, %c0] : memref<$rowsx$bytesxi8> -> !tile.tile<$rowsx$bytesxi8>
  %scale = tile.load %s[%c0, %c0] : memref<$srowsx$scolsxi8> -> !tile.tile<$srowsx$scolsxi8>
  %v = tile.decode %codes, %scale element $element scale f8E8M0FNU block $br x $bc
      : !tile.tile<$rowsx$bytesxi8>, !tile.tile<$srowsx$scolsxi8> -> !tile.tile<$rowsx$wxf32>
  tile.store %v, %y[%c0, %c0] : !tile.tile<$rowsx$wxf32>, memref<$rowsx$wxf32>
  tile.return
}
)";

static void testDecodeShape(bool fp4, int64_t rows, int64_t cols, int64_t blockRows,
                            int64_t blockCols) {
  int64_t bytes = fp4 ? cols / 2 : cols;
  int64_t scaleRows = (rows + blockRows - 1) / blockRows,
          scaleCols = (cols + blockCols - 1) / blockCols;
  auto number = [](int64_t x) { return std::to_string(x); };
  Image image(fill(decodeShapeBody, {{"srows", number(scaleRows)},
                                     {"scols", number(scaleCols)},
                                     {"rows", number(rows)},
                                     {"bytes", number(bytes)},
                                     {"w", number(cols)},
                                     {"br", number(blockRows)},
                                     {"bc", number(blockCols)},
                                     {"element", fp4 ? "f4E2M1FN" : "f8E4M3FN"}}));
  Buffer<uint8_t> codes(rows * bytes), scales(scaleRows * scaleCols);
  Buffer<float> y(rows * cols);
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = hash(i) & (fp4 ? 0xFF : 0xF7); // no NaN
  for (size_t i = 0; i < scales.size(); ++i)
    scales[i] = 120 + hash(i) % 16;
  image.run("decode", {codes, scales, y}, 1, {1});
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      uint8_t byte = codes[r * bytes + (fp4 ? c / 2 : c)];
      float code = fp4 ? fromE2M1(c % 2 ? byte >> 4 : byte & 15) : fromE4M3(byte);
      float expected = code * fromUE8M0(scales[r / blockRows * scaleCols + c / blockCols]);
      check(y[r * cols + c] == expected, rows, "x", cols, " at ", r, ",", c, ": expected ",
            expected, ", got ", y[r * cols + c]);
    }
}

static Register decodeShapes("decode shapes", [] {
  testDecodeShape(false, 33, 80, 32, 32);
  testDecodeShape(false, 5, 13, 1, 32);
  testDecodeShape(false, 7, 1, 1, 1);
  testDecodeShape(false, 4, 24, 2, 3);
  testDecodeShape(false, 3, 40, 1, 16);
  testDecodeShape(true, 33, 80, 32, 32);
  testDecodeShape(true, 5, 12, 1, 32);
  testDecodeShape(true, 7, 2, 1, 2);
  testDecodeShape(true, 4, 24, 2, 3);
  testDecodeShape(true, 6, 16, 1, 16);
});

//===------------------------------------------------------------------------------------------===//
// Encode
//===------------------------------------------------------------------------------------------===//

static const char *encodeBody = R"(
tile.kernel @encode grid [#tile.grid<value = 1, rows_per = 4>] config {} class "run" {
^bb0(%x: memref<?x$wxbf16>, %q: memref<?x$bytesxi8>, %s: memref<?x$groupsxi8>, %d: memref<?x$wxbf16>, %n: index, %b: index):
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r0 = arith.muli %b, %c4 : index
  %left = arith.subi %n, %r0 : index
  %t = tile.load %x[%r0, %c0] rows %left : memref<?x$wxbf16> -> !tile.tile<4x$wxbf16>
  %f = tile.map ins(%t : !tile.tile<4x$wxbf16>) -> !tile.tile<4x$wxf32> {
  ^bb0(%v: bf16):
    %e = arith.extf %v : bf16 to f32
    tile.yield %e : f32
  }
  %codes, %scales = tile.encode %f element $element scale $scale group $size
      : !tile.tile<4x$wxf32> -> !tile.tile<4x$bytesxi8>, !tile.tile<4x$groupsxi8>
  tile.store %codes, %q[%r0, %c0] rows %left : !tile.tile<4x$bytesxi8>, memref<?x$bytesxi8>
  tile.store %scales, %s[%r0, %c0] rows %left : !tile.tile<4x$groupsxi8>, memref<?x$groupsxi8>
  %back = tile.decode %codes, %scales element $element scale $scale block 1 x $size
      : !tile.tile<4x$bytesxi8>, !tile.tile<4x$groupsxi8> -> !tile.tile<4x$wxbf16>
  tile.store %back, %d[%r0, %c0] rows %left : !tile.tile<4x$wxbf16>, memref<?x$wxbf16>
  tile.return
}
)";

namespace {
struct Rule {
  const char *name;
  bool fp4, e8m0;
  int64_t group;
};
constexpr Rule rules[] = {
    {"q8", false, true, 32}, {"q4i", true, true, 32}, {"q4m", true, false, 16}};

struct Encoded {
  Buffer<uint8_t> codes, scales;
  Buffer<uint16_t> decoded;
};
} // namespace

static Encoded encode(const Rule &rule, const Buffer<uint16_t> &x, int64_t cols) {
  int64_t rows = x.size() / cols, bytes = rule.fp4 ? cols / 2 : cols,
          groups = (cols + rule.group - 1) / rule.group;
  Image image(fill(encodeBody, {{"bytes", std::to_string(bytes)},
                                {"groups", std::to_string(groups)},
                                {"size", std::to_string(rule.group)},
                                {"element", rule.fp4 ? "f4E2M1FN" : "f8E4M3FN"},
                                {"scale", rule.e8m0 ? "f8E8M0FNU" : "f8E4M3FN"},
                                {"w", std::to_string(cols)}}));
  Encoded e{Buffer<uint8_t>(rows * bytes), Buffer<uint8_t>(rows * groups),
            Buffer<uint16_t>(x.size())};
  image.run("encode", {x, e.codes, e.scales, e.decoded}, rows, {(rows + 3) / 4});
  return e;
}

static void testGolden(const cedilla::SafetensorsFile &file, const Rule &rule,
                       const std::string &set) {
  std::string prefix = std::string(rule.name) + "." + set;
  auto tensor = [&](const char *part) -> const cedilla::TensorView & {
    const cedilla::TensorView *view = file.find(prefix + part);
    check(view, "no tensor ", prefix, part);
    return *view;
  };
  const cedilla::TensorView &x = tensor(".x");
  Buffer<uint16_t> input(x.bytes / 2);
  std::memcpy(input.data(), x.data, x.bytes);
  Encoded e = encode(rule, input, x.shape[1]);
  auto compare = [&](const char *part, const void *got, size_t bytes) {
    const cedilla::TensorView &expected = tensor(part);
    check(expected.bytes == bytes, prefix, part, ": ", expected.bytes, " bytes expected, got ",
          bytes);
    for (size_t i = 0; i < bytes; ++i) {
      int want = int(std::to_integer<uint8_t>(expected.data[i])),
          have = static_cast<const uint8_t *>(got)[i];
      check(want == have, prefix, part, " byte ", i, ": expected ", want, ", got ", have);
    }
  };
  compare(".q", e.codes.data(), e.codes.size());
  compare(".s", e.scales.data(), e.scales.size());
  compare(".qdq", e.decoded.data(), e.decoded.size() * 2);
}

static Register encodeGolden("encode golden", [] {
  cedilla::SafetensorsFile file(goldenDirectory + "/ops/ops.safetensors");
  for (const Rule &rule : rules)
    for (const char *set : {"edge", "huge", "random"})
      testGolden(file, rule, set);
});

/// The rules once more in plain C++, for random rows of any width.
static void testEncodeWidth(const Rule &rule, int64_t cols) {
  constexpr int64_t rows = 37;
  Buffer<uint16_t> x(rows * cols);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = bf16Of(normal(i) * std::ldexp(1.0f, int(hash(i / 16) % 60) - 30));
  Encoded e = encode(rule, x, cols);
  int64_t groups = (cols + rule.group - 1) / rule.group;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t g = 0; g < groups; ++g) {
      float largest = rule.fp4 ? 6 * (rule.e8m0 ? 0x1p-126f : 0x1p-9f) : 1e-4f,
            limit = rule.fp4 ? 6 : 448;
      int64_t begin = g * rule.group, end = std::min(cols, begin + rule.group);
      for (int64_t c = begin; c < end; ++c)
        largest = std::max(largest, std::fabs(floatOf(x[r * cols + c])));
      uint8_t scale = rule.e8m0 ? ceilUE8M0(largest * (1 / limit)) : toE4M3(largest / limit);
      check(e.scales[r * groups + g] == scale, rule.name, " width ", cols, " scale ", r, ",", g);
      float s = rule.e8m0 ? fromUE8M0(scale) : fromE4M3(scale);
      for (int64_t c = begin; c < end; ++c) {
        float v = floatOf(x[r * cols + c]) / s;
        uint8_t byte = e.codes[r * (rule.fp4 ? cols / 2 : cols) + (rule.fp4 ? c / 2 : c)];
        uint8_t code = !rule.fp4 ? byte : c % 2 ? byte >> 4 : byte & 15;
        check(code == (rule.fp4 ? toE2M1(v) : toE4M3(v)), rule.name, " width ", cols, " code ", r,
              ",", c);
      }
    }
}

static Register encodeWidths("encode widths", [] {
  for (const Rule &rule : rules)
    for (int64_t cols : {2, 6, 16, 20, 32, 48, 52, 64, 100, 512})
      testEncodeWidth(rule, cols);
  testEncodeWidth(rules[0], 1);
  testEncodeWidth(rules[0], 33);
});

/// NaN and infinity do not pass silently: the block decodes to NaN.
static Register encodeSpecial("encode NaN", [] {
  for (const Rule &rule : rules)
    for (float bad : {NAN, INFINITY}) {
      if (std::isinf(bad) && !rule.e8m0)
        continue; // an E4M3 scale saturates: infinity is 448 * 6
      Buffer<uint16_t> x(64);
      for (size_t i = 0; i < 64; ++i)
        x[i] = bf16Of(normal(i));
      x[5] = bf16Of(bad);
      Encoded e = encode(rule, x, 64);
      check(std::isnan(floatOf(e.decoded[5])), rule.name, ": expected NaN, got ",
            floatOf(e.decoded[5]));
      check(!std::isnan(floatOf(e.decoded[40])), rule.name, ": NaN in another block");
    }
});
