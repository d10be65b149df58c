//===- Weights.cpp - the tensors a model needs, and whether a checkpoint has them
//----------------------------===//

#include "compiler/import/TensorNames.h"
#include "tools/ced-inspect/Commands.h"

#include <filesystem>
#include <iostream>

namespace cedilla::inspect {

static uint64_t bytesOf(const StoredTensor &tensor) {
  uint64_t bytes = dtypeBits(tensor.dtype) / 8;
  for (int64_t dim : tensor.shape)
    bytes *= dim;
  return bytes;
}

static void showExpected(const ModelConfig &config) {
  int64_t tensors = 0;
  uint64_t bytes = 0;
  for (const Weight &weight : expectedWeights(config)) {
    if (weight.format == WeightFormat::TokenMap) {
      std::cout << "side file: " << weight.name << ", I32 " << shapeText(weight.shape) << "\n";
      continue;
    }
    for (const StoredTensor &tensor : storedTensors(weight, config)) {
      ++tensors;
      bytes += bytesOf(tensor);
    }
  }
  std::cout << "text model: " << tensors << " tensors, " << bytes << " bytes\n";
}

static void showFound(const CheckpointReport &report) {
  std::cout << "checkpoint: " << report.boundTensors << " tensors bound, " << report.boundBytes
            << " bytes; none missing, none unknown\n";
  for (const auto &[part, unused] : report.unused) {
    std::cout << "not used: " << part << ", " << unused.tensors << " tensors, " << unused.bytes
              << " bytes (";
    const char *comma = "";
    for (const auto &[dtype, count] : unused.dtypes) {
      std::cout << comma << count << " " << dtype;
      comma = ", ";
    }
    std::cout << ")\n";
  }
  for (const std::string &warning : report.warnings)
    std::cout << "warning: " << warning << "\n";
}

void showWeights(const std::string &path) {
  ModelConfig config = readModelConfig(path);
  showExpected(config);
  if (std::filesystem::is_directory(path))
    showFound(checkCheckpoint(config, Checkpoint(path)));
}

} // namespace cedilla::inspect
