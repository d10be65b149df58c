//===- TensorNames.h - which tensors a checkpoint must hold
//---------------------------------------------===//
//
// The one list of the text model's weights: name, format and shape for a given configuration. The
// graph takes its types from it, the check compares a checkpoint with it, so the two cannot
// disagree. Knows no MLIR.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"
#include "runtime/io/Safetensors.h"

#include <map>
#include <string>
#include <vector>

namespace cedilla {

/// How a weight is stored.
enum class WeightFormat {
  BF16,    ///< one tensor of the name itself
  F32,     ///< the same
  FP8,     ///< name.weight F8_E4M3, name.scale UE8M0 per tile of the configured size
  FP8Rows, ///< name.weight F8_E4M3, name.scale UE8M0 per row and 32 columns
  FP4,     ///< name.weight two E2M1 codes per byte, name.scale UE8M0 per row and 32 columns
  TokenMap ///< I32 of a side file
};

/// A weight as the model means it: `shape` counts values, whatever they are stored in.
struct Weight {
  std::string name; ///< without .weight / .scale where there are both
  WeightFormat format;
  std::vector<int64_t> shape;

  bool isScaled() const {
    return format == WeightFormat::FP8 || format == WeightFormat::FP8Rows ||
           format == WeightFormat::FP4;
  }
};

/// One stored tensor.
struct StoredTensor {
  std::string name;
  std::string dtype; ///< as released; readsAs (Safetensors.h) says what else will do
  std::vector<int64_t> shape;
};

/// The map from token ids to compressed ids, which the checkpoint itself lacks.
inline constexpr const char *kTokenMapName = "engram_token_map.safetensors:token_map";

/// Every weight of the text model, in the order of the graph.
std::vector<Weight> expectedWeights(const ModelConfig &config);

/// The tensors a weight is stored in: one, or codes and scales.
std::vector<StoredTensor> storedTensors(const Weight &weight, const ModelConfig &config);

/// What a check found: everything of the text model bound, and what else the checkpoint holds.
struct CheckpointReport {
  int64_t boundTensors = 0;
  uint64_t boundBytes = 0;
  struct Unused {
    int64_t tensors = 0;
    uint64_t bytes = 0;
    std::map<std::string, int64_t> dtypes;
  };
  /// By part of the model ("mtp", "vision", …): known, and not used by the text model.
  std::map<std::string, Unused> unused;
  /// What fits and still looks wrong, for people; one line each.
  std::vector<std::string> warnings;
};

/// Compares a checkpoint with the configuration. Throws one error that names every tensor (up to a
/// limit) that is missing, unknown, or of another shape or dtype, with what was expected and what
/// was found.
CheckpointReport checkCheckpoint(const ModelConfig &config, const Checkpoint &checkpoint);

/// Adds a warning for each layer whose experts have weights of an unlikely size. checkCheckpoint
/// calls it.
void warnIfImplausible(const ModelConfig &config, const Checkpoint &checkpoint,
                       CheckpointReport &report);

} // namespace cedilla
