//===- RandomConfig.cpp - configurations by chance, from a seed ---------------------------------------===//
//
// First one whose fields fit each other, then, with some chance, one to three fields that do not: numbers at and beyond
// limits, of another kind, absent, lists that are longer, shorter or turned round.
//
//===------------------------------------------------------------------------------------------===//

#include "test/compiler/support/RandomConfig.h"

#include "compiler/import/EngramHash.h"
#include "compiler/import/ModelConfig.h"

#include <algorithm>

namespace cedilla::property {

using nlohmann::json;

//===------------------------------------------------------------------------------------------===//
// Fields that fit
//===------------------------------------------------------------------------------------------===//

/// A multiple of 32, mostly small.
static int64_t width(Chance &chance, const Shape &shape, int64_t most) {
  if (!shape.small && chance.oneIn(8))
    return 32 * chance.from(1, most * 64 / 32);
  return 32 * chance.from(1, most / 32);
}

static void drawAttention(json &text, Chance &chance, const Shape &shape) {
  int64_t heads = chance.of<int64_t>({1, 2, 3, 4, 6, 8});
  if (!shape.small && chance.oneIn(8))
    heads = chance.of<int64_t>({5, 16, 64, 80, 128, 1000});
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d <= heads; ++d)
    if (heads % d == 0)
      divisors.push_back(d);
  int64_t groups = divisors[chance.below(int64_t(divisors.size()))];
  text["num_attention_heads"] = heads;
  text["o_groups"] = groups;
  // Any rank with which all groups together fill their scales.
  int64_t rank = chance.oneIn(4) ? chance.from(1, 128) : 32 * chance.from(1, 4);
  while (groups * rank % 32)
    ++rank;
  text["o_lora_rank"] = rank;
  text["q_lora_rank"] = width(chance, shape, 128);
  int64_t dim = width(chance, shape, 128);
  text["head_dim"] = dim;
  text["qk_rope_head_dim"] = 2 * chance.from(1, std::min<int64_t>(dim, 64) / 2);
  text["sliding_window"] = chance.oneIn(3) ? chance.of<int64_t>({1, 2, 3, 128, 129}) : chance.from(1, 64);
}

/// Runs of layers with one ratio; sources where a run begins and now and then inside.
static void drawLayers(json &text, Chance &chance, const Shape &shape) {
  int64_t layers = chance.oneIn(3) ? chance.from(1, 8) : chance.from(1, 3), drafts = chance.below(3);
  std::vector<int64_t> ratios, kv, index;
  for (int64_t layer = 0, ratio = 0; layer < layers; ++layer) {
    bool fresh = layer == 0 || chance.oneIn(3);
    int64_t before = ratio;
    if (fresh)
      ratio = chance.below(3);
    ratios.push_back(ratio);
    // A layer reads the last source, which must have its ratio.
    bool reads = ratio > 0;
    bool fits = !kv.empty() && ratios[kv.back()] == ratio;
    bool owner = reads && (!fits || (fresh && ratio != before) || chance.oneIn(4));
    if (owner)
      kv.push_back(layer);
    if (reads && (owner || chance.oneIn(3)))
      index.push_back(layer);
  }
  int64_t pool = -1;
  if (!kv.empty() && chance.oneIn(2)) {
    pool = kv[chance.below(int64_t(kv.size()))];
    bool allowed = std::all_of(index.begin(), index.end(), [&](int64_t layer) { return layer <= pool || ratios[layer] == ratios[pool]; });
    if (!allowed)
      pool = -1;
    if (pool == -1 && ratios[kv.back()])
      pool = kv.back();
  }
  for (int64_t i = 0; i < drafts && drafts > 1; ++i)
    ratios.push_back(0);
  text["num_hidden_layers"] = layers;
  text["compress_ratios"] = ratios;
  text["kv_source_layer_ids"] = kv;
  text["index_source_layer_ids"] = index;
  text["candidate_source_layer_id"] = pool;
  text["num_nextn_predict_layers"] = drafts > 1 ? drafts : 0;
  text["dspark_target_layer_ids"] = std::vector<int64_t>{layers - 1};
  text["dspark_block_size"] = chance.from(1, shape.small ? 4 : 16);
}

static void drawIndexer(json &text, Chance &chance, const Shape &shape) {
  text["index_n_heads"] = chance.oneIn(4) && !shape.small ? chance.from(1, 100) : chance.of<int64_t>({1, 2, 3, 4, 8});
  int64_t rope = text["qk_rope_head_dim"];
  text["index_head_dim"] = (rope + 31) / 32 * 32 + 32 * chance.below(3);
  int64_t k = chance.oneIn(4) && !shape.small ? chance.of<int64_t>({512, 1000, 1024, 2048, 4096, 8192}) : chance.from(1, 40);
  text["index_topk"] = k;
  int64_t block = chance.oneIn(3) ? chance.from(1, 64) : chance.of<int64_t>({1, 2, 4, 8, 16, 64});
  text["candidate_block_size"] = block;
  text["candidate_topk_blocks"] = (k - 1 + block - 1) / block + 1 + chance.below(4);
}

static void drawExperts(json &text, Chance &chance, const Shape &shape) {
  int64_t experts = chance.oneIn(8) && !shape.small ? chance.of<int64_t>({128, 384, 1000}) : chance.from(1, 8);
  text["n_routed_experts"] = experts;
  text["num_experts_per_tok"] = chance.from(1, std::min<int64_t>(experts, 8));
  text["moe_intermediate_size"] = width(chance, shape, 128);
  text["dspark_n_routed_experts"] = experts;
  text["dspark_num_experts_per_tok"] = 1;
}

static void drawEngram(json &text, Chance &chance) {
  int64_t layers = text["num_hidden_layers"];
  EngramConfig engram;
  std::vector<int64_t> ids, rows;
  for (int64_t layer = 0; layer < layers; ++layer)
    if (chance.oneIn(layers + 1))
      ids.push_back(layer), engram.layers.push_back({layer, 0, {}, {}, {}});
  engram.orders = chance.from(1, 3), engram.heads = chance.from(1, 4);
  int64_t vocab = chance.from(2, 200);
  engram.compressedVocab = std::min<int64_t>(text["vocab_size"].get<int64_t>(), chance.from(1, 300));
  deriveEngram(engram, vocab);
  for (const EngramLayer &layer : engram.layers)
    rows.push_back(layer.rows);
  text["engram_layer_ids"] = ids, text["engram_num_embeddings"] = rows;
  text["engram_max_ngram_size"] = engram.orders + 1, text["engram_n_heads"] = engram.heads;
  text["engram_head_dim"] = 32 * chance.from(1, 3);
  text["engram_vocab_size"] = vocab, text["engram_compressed_vocab_size"] = engram.compressedVocab;
  text["engram_pad_token_id"] = chance.below(text["vocab_size"].get<int64_t>());
}

static void drawRest(json &text, Chance &chance, const Shape &shape) {
  text["vocab_size"] = shape.small ? 512 : chance.oneIn(8) ? chance.of<int64_t>({129280, 3, 7}) : chance.from(600, 1000);
  text["hidden_size"] = width(chance, shape, 256);
  text["max_position_embeddings"] = chance.of<int64_t>({64, 100, 512, 4096});
  text["hc_mult"] = chance.oneIn(6) && !shape.small ? chance.from(1, 64) : chance.from(1, 5);
  text["hc_sinkhorn_iters"] = chance.from(1, 20);
  text["rope_theta"] = chance.of<double>({10000, 500000});
  text["swiglu_limit"] = chance.of<double>({0.5, 7, 10});
  text["routed_scaling_factor"] = chance.of<double>({1, 1.5, 2.5});
  for (const char *id : {"dspark_noise_token_id"})
    text[id] = 0;
}

//===------------------------------------------------------------------------------------------===//
// Fields that do not
//===------------------------------------------------------------------------------------------===//

static json strangeValue(Chance &chance) {
  if (chance.oneIn(3))
    return chance.of<int64_t>({-1, 0, 1, 2, 3, 31, 33, 100, 513});
  if (chance.oneIn(2))
    return chance.of<int64_t>({1 << 12, 1 << 16, 65504, 1 << 20, 1 << 24, (1 << 24) + 32, int64_t(1) << 31, int64_t(1) << 40, INT64_MAX});
  switch (chance.below(8)) {
  case 0: return nullptr;
  case 1: return "many";
  case 2: return 1.5;
  case 3: return json::array();
  case 4: return json::array({3, 1, 2});
  case 5: return json::object();
  case 6: return -0.5;
  default: return 1e300;
  }
}

static void breakList(json &list, Chance &chance) {
  if (list.empty() || chance.oneIn(3))
    list.push_back(chance.of<int64_t>({-1, 0, 1, 2, 7, 100}));
  else if (chance.oneIn(3))
    list.erase(list.begin() + chance.below(int64_t(list.size())));
  else if (chance.oneIn(2))
    list[chance.below(int64_t(list.size()))] = strangeValue(chance);
  else
    std::reverse(list.begin(), list.end());
}

static void breakOne(json &object, Chance &chance) {
  if (!object.is_object() || object.empty()) // broken before
    return;
  auto field = object.begin();
  std::advance(field, chance.below(int64_t(object.size())));
  if (field->is_object() && !field->empty() && !chance.oneIn(4))
    return breakOne(*field, chance);
  if (field->is_array() && !chance.oneIn(3))
    return breakList(*field, chance);
  if (chance.oneIn(8))
    object.erase(field);
  else
    *field = strangeValue(chance);
}

json randomConfig(const json &base, Chance &chance, const Shape &shape) {
  json config = base;
  json &text = config["text_config"];
  drawRest(text, chance, shape);
  drawAttention(text, chance, shape);
  drawLayers(text, chance, shape);
  drawIndexer(text, chance, shape);
  drawExperts(text, chance, shape);
  drawEngram(text, chance);
  if (!shape.legal && chance.oneIn(2))
    for (int64_t count = chance.from(1, 3); count > 0; --count)
      breakOne(chance.oneIn(8) ? config : config["text_config"], chance);
  return config;
}

} // namespace cedilla::property
