//===- ModelConfig.h - config.json, parsed and checked once
//-------------------------------------------===//
//
// Everything the compiler needs of a model's configuration, in the specification's words, with
// every field checked against every other and the layer table and Engram's constants derived. What
// comes in is a Hugging Face config.json (nested text_config, or the text config alone) or the reference
// script's own; anything else is refused with a line that names the file and the field. Knows no MLIR.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Facts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cedilla {

/// Rotary embedding of the last `dim` columns; `original` 0 means no YaRN (as #ced.rope).
struct RopeConfig {
  int64_t dim = 0;
  double theta = 0;
  int64_t original = 0;
  double factor = 1, betaFast = 32, betaSlow = 1;
};

/// Constants of one Engram layer, all derived: the checkpoint holds the table only.
struct EngramLayer {
  int64_t layer = 0;
  int64_t rows = 0;                     ///< of its table: the sum of its primes
  std::vector<int64_t> multipliers;     ///< one per token of the longest n-gram
  std::vector<int64_t> primes, offsets; ///< one per column, order-major
};

struct EngramConfig {
  std::vector<EngramLayer> layers; ///< empty: the model has no Engram
  int64_t orders = 0;              ///< n-grams of 2 .. orders + 1 tokens
  int64_t heads = 0, headDim = 0;
  int64_t padToken = 0; ///< a token id; its compressed id stands beyond a barrier
  int64_t compressedVocab = 0;

  int64_t columns() const { return orders * heads; }
  int64_t width() const { return columns() * headDim; }
};

/// The draft blocks (`mtp.*`): known, not compiled yet.
struct DraftConfig {
  int64_t blocks = 0, blockSize = 0;
  std::vector<int64_t> targetLayers;
};

struct ModelConfig {
  std::string file; ///< where it was read, for messages
  std::string arch;

  int64_t vocab = 0, hidden = 0, maxPositions = 0;
  double normEps = 0;
  std::vector<int64_t> eos;
  int64_t imageToken = -1;

  // Hyper-connections.
  int64_t streams = 0, sinkhornIters = 0;
  double hcEps = 0;

  // Attention.
  int64_t heads = 0, headDim = 0, ropeDim = 0, qRank = 0, oGroups = 0, oRank = 0, window = 0;
  RopeConfig windowRope; ///< layers without main KV
  RopeConfig mainRope;   ///< layers with main KV: their query, window KV, main KV and indexer

  // Indexer; zero in a model without main KV.
  int64_t indexHeads = 0, indexHeadDim = 0, indexTopk = 0;
  int64_t candidateBlocks = 0, candidateBlockSize = 0;

  // Experts.
  int64_t experts = 0, expertsPerToken = 0, expertDim = 0;
  double routeScale = 0, swigluLimit = 0;

  // Tile of the dense FP8 weights that shares a scale.
  int64_t blockRows = 0, blockCols = 0;

  std::vector<LayerFacts> layers;
  EngramConfig engram;
  DraftConfig draft;
  /// Fields of the file that nothing here reads, for reports.
  std::vector<std::string> unusedFields;

  int64_t layerCount() const { return static_cast<int64_t>(layers.size()); }
  bool ownsKv(int64_t layer) const { return layers[layer].kv == layer; }
  bool selects(int64_t layer) const { return layers[layer].select == layer; }
};

/// What a compile fixes beside the model. A page holds `page` tokens of a sequence, whatever the
/// ratio.
struct GraphOptions {
  int64_t page = 64;
  int64_t maxRows = 256;
  int64_t maxContext = 4096;
  int64_t maxBatch = 1;
  bool woAFP8 = false; ///< o is cast to FP8 ahead of wo_a, which the reference does not do
  int64_t engramRows = 0; ///< about that many rows in each Engram table, for made-up weights; 0: what the model has
};

/// Reads `path`, a config.json or a model directory that holds one. Throws cedilla::Error.
ModelConfig readModelConfig(const std::string &path);

/// Rows a window ring holds beyond the window: a verification step of the draft's tokens and its
/// anchor must not overwrite what its first row still sees, and a rejected draft nothing that is
/// still visible. At least 8, so that a model without draft blocks can take short chunks through
/// the decode program, too.
int64_t ringSlack(const ModelConfig &config);

/// Fails when the options do not fit each other or the model.
void checkOptions(const ModelConfig &config, const GraphOptions &options);

/// The facts a runtime needs; checks the options.
ModelFacts makeFacts(const ModelConfig &config, const GraphOptions &options);

} // namespace cedilla
