//===- TensorNames.cpp - the weight list of DeepSeek-V4.1
//-------------------------------------------------===//
//
// One row per weight: name (`{L}` layer, `{E}` expert), format, which layers have it, and its shape
// from the configuration. A new weight is a new row.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/TensorNames.h"

namespace cedilla {

namespace {
using Dims = std::vector<int64_t>;
using Config = const ModelConfig &;

enum class Where { Model, EveryLayer, KvOwner, GatedKvOwner, IndexOwner, Engram };

struct Row {
  const char *name;
  WeightFormat format;
  Where where;
  Dims (*shape)(Config, int64_t layer);
};
} // namespace

static int64_t mixOutputs(Config c) { return c.streams * (2 + c.streams); }

static int64_t tableRows(Config c, int64_t layer) {
  for (const EngramLayer &engram : c.engram.layers)
    if (engram.layer == layer)
      return engram.rows;
  return 0;
}

using F = WeightFormat;
using W = Where;

#define SHAPE(...) [](Config c, [[maybe_unused]] int64_t layer) { return Dims{__VA_ARGS__}; }

static const Row rowsBefore[] = {
    {"embed.weight", F::BF16, W::Model, SHAPE(c.vocab, c.hidden)},
};

static const Row layerRows[] = {
    {"layers.{L}.engram.embed", F::FP8Rows, W::Engram,
     SHAPE(tableRows(c, layer), c.engram.headDim)},
    {"layers.{L}.engram.wkv", F::FP8, W::Engram,
     SHAPE((c.streams + 1) * c.hidden, c.engram.width())},
    {"layers.{L}.engram.q_weight", F::BF16, W::Engram, SHAPE(c.streams, c.hidden)},
    {"layers.{L}.engram.k_weight", F::BF16, W::Engram, SHAPE(c.streams, c.hidden)},

    {"layers.{L}.hc_attn_fn", F::F32, W::EveryLayer, SHAPE(mixOutputs(c), c.streams *c.hidden)},
    {"layers.{L}.hc_attn_scale", F::F32, W::EveryLayer, SHAPE(3)},
    {"layers.{L}.hc_attn_base", F::F32, W::EveryLayer, SHAPE(mixOutputs(c))},
    {"layers.{L}.attn_norm.weight", F::BF16, W::EveryLayer, SHAPE(c.hidden)},

    {"layers.{L}.attn.wq_a", F::FP8, W::EveryLayer, SHAPE(c.qRank, c.hidden)},
    {"layers.{L}.attn.q_norm.weight", F::BF16, W::EveryLayer, SHAPE(c.qRank)},
    {"layers.{L}.attn.wq_b", F::FP8, W::EveryLayer, SHAPE(c.heads *c.headDim, c.qRank)},
    {"layers.{L}.attn.wkv", F::FP8, W::EveryLayer, SHAPE(c.headDim, c.hidden)},
    {"layers.{L}.attn.kv_norm.weight", F::BF16, W::EveryLayer, SHAPE(c.headDim)},
    {"layers.{L}.attn.attn_sink", F::F32, W::EveryLayer, SHAPE(c.heads)},
    {"layers.{L}.attn.wo_a", F::FP8, W::EveryLayer,
     SHAPE(c.oGroups *c.oRank, c.heads / c.oGroups * c.headDim)},
    {"layers.{L}.attn.wo_b", F::FP8, W::EveryLayer, SHAPE(c.hidden, c.oGroups *c.oRank)},

    {"layers.{L}.attn.compressor.wkv.weight", F::BF16, W::KvOwner, SHAPE(c.headDim, c.hidden)},
    {"layers.{L}.attn.compressor.wgate.weight", F::BF16, W::GatedKvOwner,
     SHAPE(c.headDim, c.hidden)},
    {"layers.{L}.attn.compressor.norm.weight", F::BF16, W::KvOwner, SHAPE(c.headDim)},
    {"layers.{L}.attn.indexer.wk.weight", F::BF16, W::KvOwner, SHAPE(c.indexHeadDim, c.headDim)},
    {"layers.{L}.attn.indexer.k_norm.weight", F::BF16, W::KvOwner, SHAPE(c.indexHeadDim)},
    {"layers.{L}.attn.indexer.wq_b", F::FP8, W::IndexOwner,
     SHAPE(c.indexHeads *c.indexHeadDim, c.qRank)},
    {"layers.{L}.attn.indexer.weights_proj.weight", F::BF16, W::IndexOwner,
     SHAPE(c.indexHeads, c.hidden)},

    {"layers.{L}.hc_ffn_fn", F::F32, W::EveryLayer, SHAPE(mixOutputs(c), c.streams *c.hidden)},
    {"layers.{L}.hc_ffn_scale", F::F32, W::EveryLayer, SHAPE(3)},
    {"layers.{L}.hc_ffn_base", F::F32, W::EveryLayer, SHAPE(mixOutputs(c))},
    {"layers.{L}.ffn_norm.weight", F::BF16, W::EveryLayer, SHAPE(c.hidden)},
    {"layers.{L}.ffn.gate.weight", F::BF16, W::EveryLayer, SHAPE(c.experts, c.hidden)},
    {"layers.{L}.ffn.gate.bias", F::F32, W::EveryLayer, SHAPE(c.experts)},
    {"layers.{L}.ffn.gate.bias_vl", F::F32, W::EveryLayer, SHAPE(c.experts)},
    {"layers.{L}.ffn.experts.{E}.w1", F::FP4, W::EveryLayer, SHAPE(c.expertDim, c.hidden)},
    {"layers.{L}.ffn.experts.{E}.w3", F::FP4, W::EveryLayer, SHAPE(c.expertDim, c.hidden)},
    {"layers.{L}.ffn.experts.{E}.w2", F::FP4, W::EveryLayer, SHAPE(c.hidden, c.expertDim)},
    {"layers.{L}.ffn.shared_experts.w1", F::FP8, W::EveryLayer, SHAPE(c.expertDim, c.hidden)},
    {"layers.{L}.ffn.shared_experts.w3", F::FP8, W::EveryLayer, SHAPE(c.expertDim, c.hidden)},
    {"layers.{L}.ffn.shared_experts.w2", F::FP8, W::EveryLayer, SHAPE(c.hidden, c.expertDim)},
};

static const Row rowsBehind[] = {
    {"norm.weight", F::BF16, W::Model, SHAPE(c.hidden)},
    {"head.weight", F::BF16, W::Model, SHAPE(c.vocab, c.hidden)},
};

#undef SHAPE

static bool hasRow(Config config, Where where, int64_t layer) {
  switch (where) {
  case Where::Model:
  case Where::EveryLayer:
    return true;
  case Where::KvOwner:
    return config.ownsKv(layer);
  case Where::GatedKvOwner: // a group of one token needs no gate
    return config.ownsKv(layer) && config.layers[layer].ratio > 1;
  case Where::IndexOwner:
    return config.selects(layer);
  case Where::Engram:
    return config.layers[layer].engram;
  }
  return false;
}

static std::string filledIn(std::string name, const char *placeholder, int64_t number) {
  if (size_t at = name.find(placeholder); at != std::string::npos)
    name.replace(at, 3, std::to_string(number));
  return name;
}

std::vector<Weight> expectedWeights(const ModelConfig &config) {
  std::vector<Weight> weights;
  auto add = [&](const Row &row, int64_t layer) {
    std::string name = filledIn(row.name, "{L}", layer);
    int64_t copies = name.find("{E}") == std::string::npos ? 1 : config.experts;
    for (int64_t expert = 0; expert < copies; ++expert)
      weights.push_back({filledIn(name, "{E}", expert), row.format, row.shape(config, layer)});
  };
  if (!config.engram.layers.empty())
    weights.push_back({kTokenMapName, WeightFormat::TokenMap, {config.vocab}});
  for (const Row &row : rowsBefore)
    add(row, -1);
  for (int64_t layer = 0; layer < config.layerCount(); ++layer)
    for (const Row &row : layerRows)
      if (hasRow(config, row.where, layer))
        add(row, layer);
  for (const Row &row : rowsBehind)
    add(row, -1);
  return weights;
}

static int64_t ceilDiv(int64_t value, int64_t by) { return (value + by - 1) / by; }

std::vector<StoredTensor> storedTensors(const Weight &weight, const ModelConfig &config) {
  const Dims &shape = weight.shape;
  std::string codes = weight.name + ".weight", scales = weight.name + ".scale";
  switch (weight.format) {
  case WeightFormat::BF16:
    return {{weight.name, "BF16", shape}};
  case WeightFormat::F32:
    return {{weight.name, "F32", shape}};
  case WeightFormat::TokenMap:
    return {{weight.name, "I32", shape}};
  case WeightFormat::FP8:
    return {{codes, "F8_E4M3", shape},
            {scales,
             "F8_E8M0",
             {ceilDiv(shape[0], config.blockRows), ceilDiv(shape[1], config.blockCols)}}};
  case WeightFormat::FP8Rows:
    return {{codes, "F8_E4M3", shape}, {scales, "F8_E8M0", {shape[0], ceilDiv(shape[1], 32)}}};
  case WeightFormat::FP4:
    return {{codes, "I8", {shape[0], shape[1] / 2}},
            {scales, "F8_E8M0", {shape[0], ceilDiv(shape[1], 32)}}};
  }
  return {};
}

} // namespace cedilla
