//===- config.cpp - config.json, as far as it is read without MLIR --------------------------------===//

#include "compiler/import/ModelConfig.h"
#include "runtime/package/Sources.h"
#include "test/fuzz/Fuzz.h"

#include <algorithm>
#include <cstring>

using namespace cedilla;
using namespace cedilla::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Scratch scratch;
  scratch.write("config.json", textOf(data, size));
  std::string file = scratch.path("config.json");
  isAccepted([&] { configDigest(file); });
  isAccepted([&] {
    ModelConfig config = readModelConfig(file);
    makeFacts(config, GraphOptions{.maxContext = std::min<int64_t>(4096, config.maxPositions)});
  });
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (seed % 4 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text = mutateJson(textOf(data, size), seed);
  if (text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
