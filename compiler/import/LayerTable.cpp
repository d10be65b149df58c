//===- LayerTable.cpp - ratios, owners, pool
//----------------------------------------------------------------===//

#include "compiler/import/LayerTable.h"

#include <algorithm>

namespace cedilla {

namespace {
/// The four lists of the configuration.
struct Sources {
  std::vector<int64_t> ratios; ///< of the trunk
  std::vector<int64_t> kv, index;
  int64_t pool = -1;
};
} // namespace

/// The first `layers` entries are the trunk. What follows belongs to the draft blocks, which have
/// no main KV; files that leave those entries out exist.
static std::vector<int64_t> readRatios(const ConfigReader &text, const ModelConfig &config,
                                       int64_t layers) {
  std::vector<int64_t> ratios = text.integers("compress_ratios", {0, 2});
  int64_t count = static_cast<int64_t>(ratios.size()), drafts = config.draft.blocks;
  // Without a stated number of draft blocks the tail says it.
  bool drafted = text.has("num_nextn_predict_layers");
  bool fits = count == layers || (drafted ? count == layers + drafts : count > layers);
  if (!fits)
    text.wrong("compress_ratios", "expected ", layers + drafts, " entries, got ", count);
  for (int64_t i = layers; i < count; ++i)
    if (ratios[i] != 0)
      text.wrong("compress_ratios/" + std::to_string(i), "expected 0 for a draft block, got ",
                 ratios[i]);
  ratios.resize(layers);
  return ratios;
}

static bool contains(const std::vector<int64_t> &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The last source at or before the layer; -1 when there is none.
static int64_t lastSource(const std::vector<int64_t> &sources, int64_t layer) {
  int64_t last = -1;
  for (int64_t source : sources)
    if (source <= layer)
      last = source;
  return last;
}

static Sources readSources(const ConfigReader &text, const ModelConfig &config, int64_t layers) {
  Sources sources;
  sources.ratios = readRatios(text, config, layers);
  sources.kv = text.ascending("kv_source_layer_ids", {0, layers - 1});
  sources.index = text.ascending("index_source_layer_ids", {0, layers - 1});
  sources.pool = text.optionalInteger("candidate_source_layer_id", {-1, layers - 1}).value_or(-1);
  return sources;
}

/// A source is a layer with main KV; a KV source also runs an indexer; the pool is built by a KV
/// source.
static void checkSources(const ConfigReader &text, const Sources &sources) {
  std::pair<const char *, const std::vector<int64_t> *> lists[] = {
      {"kv_source_layer_ids", &sources.kv}, {"index_source_layer_ids", &sources.index}};
  for (auto [key, list] : lists)
    for (int64_t layer : *list)
      if (sources.ratios[layer] == 0)
        text.wrong(key, "expected layers with a compress ratio above 0, got layer ", layer);
  for (int64_t layer : sources.kv)
    if (!contains(sources.index, layer))
      text.wrong("index_source_layer_ids", "expected every KV source, layer ", layer,
                 " is missing");
  if (sources.pool == -1)
    return;
  if (!contains(sources.kv, sources.pool))
    text.wrong("candidate_source_layer_id", "expected -1 or one of kv_source_layer_ids, got ",
               sources.pool);
  for (int64_t layer : sources.index)
    if (layer > sources.pool && sources.ratios[layer] != sources.ratios[sources.pool])
      text.wrong("candidate_source_layer_id", "expected every later index source to have ratio ",
                 sources.ratios[sources.pool], " as layer ", sources.pool, ", layer ", layer,
                 " has ", sources.ratios[layer]);
}

static void readIndexer(const ConfigReader &text, ModelConfig &config, bool pool) {
  config.indexHeads = text.integer("index_n_heads", {1, 1 << 16});
  config.indexHeadDim =
      text.integer("index_head_dim", {32, 1 << 16, 32, " (32 values share a scale)"});
  if (config.indexHeadDim < config.ropeDim)
    text.wrong("index_head_dim", "expected at least qk_rope_head_dim = ", config.ropeDim, ", got ",
               config.indexHeadDim);
  config.indexTopk = text.integer("index_topk", {1, 1 << 20});
  if (!pool)
    return;
  config.candidateBlocks = text.integer("candidate_topk_blocks", {1, 1 << 20});
  config.candidateBlockSize = text.integer("candidate_block_size", {1, 1 << 20});
  // One of the blocks may hold a single visible entry: the newest. A smaller pool could not fill a
  // list.
  int64_t reachable = (config.candidateBlocks - 1) * config.candidateBlockSize + 1;
  if (reachable < config.indexTopk)
    text.wrong("candidate_topk_blocks",
               "expected (candidate_topk_blocks - 1) * candidate_block_size + 1 >= index_topk = ",
               config.indexTopk, ", got ", reachable);
}

static const char *modeOf(const LayerFacts &layer, int64_t self) {
  if (layer.ratio == 0)
    return "swa";
  if (layer.kv == self)
    return "full";
  return layer.select == self ? "reindex" : "reuse";
}

static LayerFacts makeLayer(const ConfigReader &text, const ModelConfig &config,
                            const Sources &sources, int64_t self) {
  LayerFacts layer;
  layer.window = config.window;
  layer.ratio = sources.ratios[self];
  if (layer.ratio) {
    layer.kv = lastSource(sources.kv, self);
    if (layer.kv == -1)
      text.wrong("kv_source_layer_ids", "expected a source at or before layer ", self,
                 ", whose compress ratio is ", layer.ratio);
    if (sources.ratios[layer.kv] != layer.ratio)
      text.wrong("compress_ratios/" + std::to_string(self), "expected ", sources.ratios[layer.kv],
                 " as at layer ", layer.kv, ", whose main KV it reads, got ", layer.ratio);
    layer.select = lastSource(sources.index, self);
    if (layer.select == self && sources.pool != -1 && self >= sources.pool)
      layer.pool = sources.pool;
  }
  for (const EngramLayer &engram : config.engram.layers)
    layer.engram |= engram.layer == self;
  layer.mode = modeOf(layer, self);
  return layer;
}

void readLayerTable(const ConfigReader &text, ModelConfig &config, int64_t layers) {
  Sources sources = readSources(text, config, layers);
  checkSources(text, sources);
  if (!sources.index.empty())
    readIndexer(text, config, sources.pool != -1);
  for (int64_t self = 0; self < layers; ++self)
    config.layers.push_back(makeLayer(text, config, sources, self));
}

} // namespace cedilla
