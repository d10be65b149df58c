//===- SyntheticTest.cpp - made-up weights are what the formats allow --------------------------------===//

#include "runtime/synthetic/Pattern.h"
#include "test/runtime/Expect.h"

#include <cmath>
#include <cstring>

namespace cedilla::test {

using synthetic::makePattern;
using synthetic::patternBytes;

static BufferInfo weight(const char *tensor, const char *dtype, std::vector<int64_t> shape,
                         int64_t elementBytes) {
  BufferInfo info;
  info.name = tensor, info.kind = "weight", info.dtype = dtype;
  info.tensors = {tensor}, info.tensorShape = shape;
  info.bytes = elementBytes;
  for (int64_t dim : shape)
    info.bytes *= dim;
  return info;
}

template <typename Stored>
static std::vector<Stored> valuesOf(const std::vector<std::byte> &bytes) {
  std::vector<Stored> values(bytes.size() / sizeof(Stored));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

static double e4m3(uint8_t code) {
  double magnitude = (code & 0x7F) < 8 ? std::ldexp(code & 7, -9)
                                       : std::ldexp(8 + (code & 7), (code >> 3 & 15) - 10);
  return code & 0x80 ? -magnitude : magnitude;
}

/// Codes times their scale have the spread that the statistics ask for.
static void testScaledWeights() {
  BufferInfo codes = weight("layers.3.attn.wq_a.weight", "F8_E4M3", {64, 4096}, 1);
  BufferInfo scales = weight("layers.3.attn.wq_a.scale", "F8_E8M0", {2, 128}, 1);
  uint8_t scale = valuesOf<uint8_t>(makePattern(scales, 5))[17];
  double squares = 0, sum = 0;
  for (uint8_t code : valuesOf<uint8_t>(makePattern(codes, 5))) {
    EXPECT((code & 0x7F) != 0x7F);
    double value = std::ldexp(e4m3(code), scale - 127);
    sum += value, squares += value * value;
  }
  double wanted = 1.6 / std::sqrt(4096.0), count = 64 * 4096;
  EXPECT(std::fabs(std::sqrt(squares / count) / wanted - 1) < 0.1);
  EXPECT(std::fabs(sum / count) < 0.02 * wanted);

  BufferInfo fp4 = weight("layers.3.ffn.experts.0.w1.weight", "I8", {64, 2048}, 1);
  BufferInfo fp4Scales = weight("layers.3.ffn.experts.0.w1.scale", "F8_E8M0", {64, 128}, 1);
  scale = valuesOf<uint8_t>(makePattern(fp4Scales, 5))[0];
  static constexpr double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  squares = 0;
  for (uint8_t pair : valuesOf<uint8_t>(makePattern(fp4, 5)))
    for (int code : {pair & 7, pair >> 4 & 7})
      squares += std::pow(std::ldexp(magnitudes[code], scale - 127), 2);
  wanted = 1.5 / std::sqrt(4096.0);
  EXPECT(std::fabs(std::sqrt(squares / (64 * 4096)) / wanted - 1) < 0.35); // few codes: coarse
}

static void testPlainWeights() {
  for (float value : valuesOf<float>(makePattern(weight("norm.weight", "F32", {512}, 4), 1)))
    EXPECT(value > 0.4f && value < 1.6f);
  for (uint16_t bits : valuesOf<uint16_t>(makePattern(weight("x.unknown", "BF16", {64, 256}, 2), 1))) {
    uint32_t wide = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    EXPECT(std::fabs(value) < 5 / 16.0f);
  }
  const char *map = "engram_token_map.safetensors:token_map";
  for (int64_t id : valuesOf<int64_t>(makePattern(weight(map, "I64", {1000}, 8), 1)))
    EXPECT(id >= 0 && id < 1000);
  expectFails("no synthetic values of dtype F64",
              [] { makePattern(weight("x", "F64", {8}, 8), 1); });
}

static void testSizes() {
  EXPECT(makePattern(weight("a", "BF16", {1 << 14, 1 << 12}, 2), 1).size() == patternBytes);
  EXPECT(patternBytes % 64 == 0);
  BufferInfo small = weight("a", "BF16", {3, 5}, 2);
  EXPECT(makePattern(small, 1).size() == 30);
  EXPECT(makePattern(small, 1) == makePattern(small, 1));
  EXPECT(makePattern(small, 1) != makePattern(small, 2));
  BufferInfo other = small;
  other.tensors = {"b"};
  EXPECT(makePattern(small, 1) != makePattern(other, 1));
}

void testSynthetic() {
  testScaledWeights();
  testPlainWeights();
  testSizes();
}

} // namespace cedilla::test
