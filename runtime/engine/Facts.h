//===- Facts.h - what a runtime must know of a model -----------------------------------------===//
//
// The few numbers that whoever runs a model needs: shapes of inputs and outputs, the layer table, the
// sizes of caches. The compiler fills it from config.json and writes it into the package's manifest;
// the interpreter fills it the same way.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cedilla {

/// One row of the layer table (same columns as #ced.layer); -1 means none.
struct LayerFacts {
  std::string mode; ///< "swa", "full", "reindex", "reuse"
  int64_t window = 0;
  int64_t ratio = 0;
  int64_t kv = -1;
  int64_t select = -1;
  int64_t pool = -1;
  bool engram = false;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LayerFacts, mode, window, ratio, kv, select, pool, engram)

struct ModelFacts {
  std::string arch; ///< e.g. "DeepseekV41ForCausalLM"
  int64_t vocab = 0;
  int64_t hidden = 0;
  int64_t streams = 0; ///< residual streams (hc_mult)
  int64_t headDim = 0;
  int64_t indexHeadDim = 0;
  int64_t indexTopk = 0;
  int64_t candidateBlocks = 0;
  int64_t candidateBlockSize = 0;
  int64_t expertsPerToken = 0;
  int64_t slack = 0; ///< a ring has window + slack rows
  int64_t page = 0;  ///< tokens per cache page
  std::vector<int64_t> eos;
  std::vector<LayerFacts> layers;

  // Limits a compile fixes.
  int64_t maxRows = 0;    ///< rows of one step; longer prompts are run in chunks
  int64_t maxContext = 0; ///< tokens of one sequence
  int64_t maxBatch = 0;   ///< sequence slots

  int64_t pagesPerSlot() const { return (maxContext + page - 1) / page; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModelFacts, arch, vocab, hidden, streams, headDim, indexHeadDim,
                                   indexTopk, candidateBlocks, candidateBlockSize, expertsPerToken,
                                   slack, page, eos, layers, maxRows, maxContext, maxBatch)

/// The table of one Engram layer: weights by name, and the constants of the hash (EngramHash.h).
struct EngramTable {
  std::string codes, scales; ///< [rows, D], [rows, D / 32]
  std::vector<int64_t> multipliers, primes, offsets;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngramTable, codes, scales, multipliers, primes, offsets)

/// What it takes to look Engram rows up on the host.
struct EngramFacts {
  int64_t orders = 0, heads = 0;
  int64_t pad = 0;      ///< token id
  std::string tokenMap; ///< weight, i32 [vocab]: token id to compressed id
  std::vector<EngramTable> tables; ///< in layer order; empty: no Engram, or not known

  int64_t columns() const { return orders * heads; } ///< rows of each table that a token reads
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngramFacts, orders, heads, pad, tokenMap, tables)

} // namespace cedilla
