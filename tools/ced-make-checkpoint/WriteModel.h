//===- WriteModel.h - a whole model directory of synthetic weights
//-----------------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"

#include <cstdint>
#include <string>

namespace cedilla::synthetic {

struct Options {
  std::string directory;
  uint64_t seed = 1;
  uint64_t shardBytes = uint64_t(4) << 30; ///< a file holds no more, unless one tensor does
  bool headersOnly = false; ///< no weights: files of the right size with nothing behind their headers
};

/// Writes config.json (a copy of `config.file`), the weights as one file or as shards with an
/// index, and the Engram token map. Returns the bytes of weights written.
uint64_t writeModel(const ModelConfig &config, const Options &options);

} // namespace cedilla::synthetic
