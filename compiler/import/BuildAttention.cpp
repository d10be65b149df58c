//===- BuildAttention.cpp - attention of one layer, compressor, indexer
//-------------------------------------===//
//
// Sections 5 to 7 of the specification. Main KV and index keys are appended before scores and
// attention read them: a row that closes a group sees the entry it closes.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/GraphBuilder.h"

#include <cmath>

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla {

static std::string attnPrefix(int64_t layer) {
  return "layers." + std::to_string(layer) + ".attn.";
}

//===------------------------------------------------------------------------------------------===//
// Compressor: main KV and index keys
//===------------------------------------------------------------------------------------------===//

/// One vector per group of tokens, normed, not yet rotated; rows that close no group hold nothing
/// of use.
static Value buildLatent(GraphBuilder &graph, int64_t layer, Value a) {
  std::string prefix = attnPrefix(layer) + "compressor.";
  int64_t ratio = graph.config.layers[layer].ratio;
  if (ratio == 1)
    return graph.norm(graph.matmul(a, prefix + "wkv.weight", graph.b.getBF16Type()),
                      prefix + "norm.weight");
  Value latent = graph.matmul(a, prefix + "wkv.weight", graph.b.getF32Type());
  Value gate = graph.matmul(a, prefix + "wgate.weight", graph.b.getF32Type());
  Value &open = graph.stateOf("open", layer);
  auto compress = CompressOp::create(graph.b, graph.rows(graph.config.headDim), open.getType(),
                                     latent, gate, open, graph.step.positions, graph.step.slots,
                                     graph.step.starts, graph.b.getI64IntegerAttr(ratio));
  open = compress.getNewOpen();
  return graph.norm(compress.getResult(), prefix + "norm.weight");
}

static void append(GraphBuilder &graph, Value &cache, Value rows) {
  cache = AppendPagedOp::create(graph.b, cache, rows, graph.step.positions, graph.step.slots,
                                graph.step.pages);
}

void buildCompressor(GraphBuilder &graph, int64_t layer, Value a) {
  std::string indexer = attnPrefix(layer) + "indexer.";
  int64_t ratio = graph.config.layers[layer].ratio;
  Value latent = buildLatent(graph, layer, a);
  Value entry = graph.quantizeTo(graph.rope(latent, layer, ratio), ScaledType::getQ4Main);
  append(graph, graph.stateOf("main_kv", layer), entry);

  // The key is made from the latent before rotation and rounding.
  Value key = graph.norm(graph.matmul(latent, indexer + "wk.weight", graph.b.getBF16Type()),
                         indexer + "k_norm.weight");
  Value stored = graph.quantizeTo(graph.rope(key, layer, ratio), ScaledType::getQ4Index);
  append(graph, graph.stateOf("index_k", layer), stored);
}

//===------------------------------------------------------------------------------------------===//
// Indexer
//===------------------------------------------------------------------------------------------===//

static Value buildScores(GraphBuilder &graph, int64_t layer, Value latent, Value a) {
  const ModelConfig &config = graph.config;
  ImplicitLocOpBuilder &b = graph.b;
  std::string prefix = attnPrefix(layer) + "indexer.";
  Value query = graph.reshape(graph.linear(latent, prefix + "wq_b"),
                              {config.indexHeads, config.indexHeadDim});
  Value coded = graph.quantizeTo(graph.rope(query, layer), ScaledType::getQ4Index);

  Value projected = graph.matmul(a, prefix + "weights_proj.weight", b.getBF16Type());
  double factor = 1 / std::sqrt(double(config.indexHeadDim)) / std::sqrt(double(config.indexHeads));
  Value weights = ScaleOp::create(b, projected, graph.f32(factor));

  // The keys are those of the layer's own KV owner, on every step. (The published reference reads
  // whatever keys were published last while a group is open: a known defect that is not part of the
  // model.)
  const LayerFacts &facts = config.layers[layer];
  Value keys = graph.stateOf("index_k", facts.kv);
  bool limited = facts.pool != -1 && facts.pool != layer;
  Value pool = limited ? graph.pools.at(facts.pool) : Value();
  IntegerAttr block = limited ? b.getI64IntegerAttr(config.candidateBlockSize) : IntegerAttr();
  Value scores =
      IndexScoresOp::create(b, graph.rows(ShapedType::kDynamic), coded, weights, keys,
                            graph.step.positions, graph.step.slots, graph.step.pages, pool, block);
  return graph.mark("index_score", layer, scores);
}

Value buildIndexer(GraphBuilder &graph, int64_t layer, Value latent, Value a) {
  ImplicitLocOpBuilder &b = graph.b;
  const LayerFacts &facts = graph.config.layers[layer];
  Value scores = buildScores(graph, layer, latent, a);
  IntegerAttr ratio = b.getI64IntegerAttr(facts.ratio);
  if (facts.pool == layer) {
    IntegerAttr size = b.getI64IntegerAttr(graph.config.candidateBlockSize);
    Value maxima = BlockMaxOp::create(b, graph.rows(ShapedType::kDynamic), scores, graph.step.positions, size, ratio);
    Value blocks = CandidateBlocksOp::create(b, IndexSetType::get(b.getContext(), graph.config.candidateBlocks), maxima,
                                             graph.step.positions, size, ratio);
    graph.pools[layer] = graph.mark("candidates", layer, blocks);
  }
  Value chosen = TopkOp::create(b, IndexSetType::get(b.getContext(), graph.config.indexTopk),
                                scores, graph.step.positions, ratio);
  return graph.mark("index", layer, chosen);
}

//===------------------------------------------------------------------------------------------===//
// Attention
//===------------------------------------------------------------------------------------------===//

/// Attends to the window and, in layers with main KV, to the selected entries; updates the ring.
static Value attend(GraphBuilder &graph, int64_t layer, Value query, Value kv) {
  const LayerFacts &facts = graph.config.layers[layer];
  const StepValues &step = graph.step;
  Value sink = graph.weight(attnPrefix(layer) + "attn_sink");
  Value main = facts.kv == -1 ? Value() : graph.stateOf("main_kv", facts.kv);
  Value index = facts.select == -1 ? Value() : graph.indexSets.at(facts.select);
  Value &window = graph.stateOf("window", layer);
  auto appendRows = [&] {
    window = AppendWindowOp::create(graph.b, window, kv, step.positions, step.slots);
  };
  if (graph.decode)
    appendRows();
  Value fresh = graph.decode ? Value() : kv;
  Value out = AttentionOp::create(graph.b, query.getType(), query, sink, window, fresh, main, index,
                                  step.positions, step.slots, step.starts, step.pages);
  if (!graph.decode)
    appendRows();
  return out;
}

/// Rotates back, then the low-rank output projection in groups of heads.
static Value buildOutput(GraphBuilder &graph, int64_t layer, Value out) {
  const ModelConfig &config = graph.config;
  std::string prefix = attnPrefix(layer);
  Value flat =
      graph.reshape(graph.rope(out, layer, 1, /*inverse=*/true), {config.heads * config.headDim});
  if (graph.options.woAFP8) // bf16 holds codes times scales exactly: the product is that of the FP8 rows
    flat = DequantizeOp::create(graph.b, flat.getType(), graph.quantize(flat));
  Value low = GroupedLinearOp::create(graph.b, graph.rows(config.oGroups * config.oRank), flat,
                                      graph.weight(prefix + "wo_a"),
                                      graph.b.getI64IntegerAttr(config.oGroups));
  return graph.linear(graph.quantize(low), prefix + "wo_b");
}

Value buildAttention(GraphBuilder &graph, int64_t layer, Value a) {
  const ModelConfig &config = graph.config;
  std::string prefix = attnPrefix(layer);
  Value a8 = graph.quantize(a);
  // One quantised latent feeds the query and the index query.
  Value latent =
      graph.quantize(graph.norm(graph.linear(a8, prefix + "wq_a"), prefix + "q_norm.weight"));
  Value query =
      graph.reshape(graph.linear(latent, prefix + "wq_b"), {config.heads, config.headDim});
  query = graph.rope(query, layer);
  Value kv = graph.norm(graph.linear(a8, prefix + "wkv"), prefix + "kv_norm.weight");
  kv = graph.quantize(graph.rope(kv, layer));

  if (config.ownsKv(layer))
    buildCompressor(graph, layer, a);
  if (config.selects(layer))
    graph.indexSets[layer] = buildIndexer(graph, layer, latent, a);
  return buildOutput(graph, layer, attend(graph, layer, query, kv));
}

} // namespace cedilla
