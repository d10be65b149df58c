//===- facts.cpp - ced-dialect-facts: what types and attributes compute --------------------------===//
//
// `ced-dialect-facts <ops folder>` prints, for facts.test to check: bytes of the released model's caches
// and weights, byte maps, layer modes, and how far rope frequencies lie from captured ones, in f32 ulp.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"

#include "runtime/base/Error.h"
#include "runtime/io/Safetensors.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::ced;

/// Three owners at ratio 2 and one at ratio 1 keep main KV and index keys: 890 bytes per token.
static void printBytesPerToken(MLIRContext *context) {
  ScaledType main = ScaledType::getQ4Main(context, {512}, Placement::Row);
  ScaledType key = ScaledType::getQ4Index(context, {128}, Placement::Row);
  double total = 0;
  for (int64_t ratio : {2, 2, 2, 1})
    for (ScaledType row : {main, key})
      total += PagedType::get(context, ratio, 64, row).getBytesPerToken();
  std::printf("main kv row %ld, index key row %ld, bytes per token %g\n", long(main.getBytesPerRow()),
              long(key.getBytesPerRow()), total);

  auto window = WindowType::get(context, 128, 6, ScaledType::getQ8(context, {512}, Placement::Row));
  std::printf("window bytes per slot %ld\n", long(window.getBytesPerSlot()));
}

static void printScaled(StringRef name, ScaledType type) {
  std::string codes, scales;
  llvm::raw_string_ostream codeStream(codes), scaleStream(scales);
  llvm::interleave(type.getCodeShape(), codeStream, "x");
  llvm::interleave(type.getScaleShape(), scaleStream, "x");
  std::printf("%s: codes %s, scales %s; %s\n", name.str().c_str(), codes.c_str(), scales.c_str(),
              type.getByteMap().c_str());
}

static void printModes(MLIRContext *context) {
  struct {
    int64_t self, ratio, kv, select;
  } layers[] = {{0, 0, -1, -1}, {2, 2, 2, 2}, {3, 2, 2, 2}, {24, 1, 20, 24}, {25, 1, 20, 24}, {5, 4, 5, -1}, {6, 4, 5, -1}};
  for (auto [self, ratio, kv, select] : layers)
    std::printf("layer %ld kv %ld select %ld: %s\n", long(self), long(kv), long(select),
                LayerAttr::get(context, 128, ratio, kv, select, -1, false).getMode(self).str().c_str());
}

/// Steps between two positive floats.
static int64_t ulps(float a, float b) {
  return std::abs(int64_t(std::bit_cast<uint32_t>(a)) - int64_t(std::bit_cast<uint32_t>(b)));
}

static void printRope(MLIRContext *context, const std::string &folder) {
  std::ifstream text(folder + "/cases.json");
  nlohmann::json cases = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!cases.is_object())
    fail(Err::Unnumbered, folder, "/cases.json: expected a JSON object");
  SafetensorsFile file(folder + "/ops.safetensors");
  for (auto &[name, value] : cases.items()) {
    if (!name.starts_with("rope."))
      continue;
    auto rope = RopeAttr::get(context, value["dim"].get<int64_t>(), value["theta"].get<double>(),
                              value["original"].get<int64_t>(), value["factor"].get<double>(),
                              value["beta_fast"].get<double>(), value["beta_slow"].get<double>());
    std::vector<float> got;
    ropeFrequencies(rope, got);
    const TensorView *want = file.find(name + ".freqs");
    if (!want || want->bytes != got.size() * sizeof(float))
      fail(Err::Unnumbered, name, ".freqs: expected ", got.size(), " values");
    int64_t worst = 0;
    for (size_t pair = 0; pair < got.size(); ++pair) {
      float captured;
      std::memcpy(&captured, want->data + pair * sizeof(float), sizeof(float));
      worst = std::max(worst, ulps(got[pair], captured));
    }
    std::printf("%s: %zu frequencies, at most 2 ulp off: %s (%ld)\n", name.c_str(), got.size(),
                worst <= 2 ? "yes" : "no", long(worst));
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "error: expected one argument, the folder of the captured operators\n");
    return 2;
  }
  MLIRContext context;
  context.loadDialect<CedDialect>();
  try {
    printBytesPerToken(&context);
    printScaled("main kv row", ScaledType::getQ4Main(&context, {512}, Placement::Row));
    printScaled("window row", ScaledType::getQ8(&context, {512}, Placement::Row));
    printScaled("dense weight", ScaledType::getWeightFP8(&context, {33, 80}));
    printScaled("expert weights", ScaledType::getWeightFP4(&context, {8, 33, 80}));
    printModes(&context);
    printRope(&context, argv[1]);
  } catch (const Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return error.status() == Status::InvalidInput ? 2 : 1;
  }
  return 0;
}
