//===- LayerTable.h - who owns what, derived from the configuration's lists
//-----------------------------===//

#pragma once

#include "compiler/import/ConfigReader.h"
#include "compiler/import/ModelConfig.h"

namespace cedilla {

/// Reads ratios, sources and the indexer's sizes, and fills `config.layers`. A layer with main KV
/// reads that of the last KV source at or before it, and the list of the last index source at or
/// before it. The candidate source builds a pool, and every index source behind it is limited by
/// that pool.
///
/// `config.window`, `config.engram` and `config.draft` are read before.
void readLayerTable(const ConfigReader &text, ModelConfig &config, int64_t layers);

} // namespace cedilla
