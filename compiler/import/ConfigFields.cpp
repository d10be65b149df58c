//===- ConfigFields.cpp - every field but the layer lists
//---------------------------------------------===//
//
// Group by group. Fields that the graph has only one way of computing are in a table with the one
// value they may have.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/ConfigFields.h"

#include "compiler/import/EngramHash.h"
#include "compiler/import/RopeForms.h"

#include <algorithm>

namespace cedilla {

/// Values quantised in groups of 32 fill their groups; the reference's quantiser asks for the same.
static constexpr const char *kWhole = " (32 values share a scale)";
/// Each has a prime of its own, which must be found.
static constexpr int64_t kMostColumns = 1 << 16;
static constexpr IntegerRule kGroups32{32, 1 << 24, 32, kWhole};

/// A field that may stand in the file's top object or in the text config (a re-saved config repeats
/// it).
static const nlohmann::json *eitherPlace(const ConfigReader &top, const ConfigReader &text,
                                         const char *key) {
  const nlohmann::json *outer = top.find(key), *inner = text.find(key);
  if (outer && inner && *outer != *inner)
    text.wrong(key, "expected ", shown(*outer), " as at the top of the file, got ", shown(*inner));
  return outer ? outer : inner;
}

/// Fields the graph can compute in one way only. Absent means this value.
static void checkFixedFields(const ConfigReader &text) {
  static const std::pair<const char *, nlohmann::json> fixed[] = {
      {"hidden_act", "silu"},
      {"attention_bias", false},
      {"mlp_bias", false},
      {"tie_word_embeddings", false},
      {"num_key_value_heads", 1},
      {"n_shared_experts", 1},
      {"scoring_func", "sqrtsoftplus"},
      {"topk_method", "noaux_tc"},
      {"norm_topk_prob", true},
      {"n_group", 1},
      {"topk_group", 1},
      {"num_hash_layers", 0},
      {"first_k_dense_replace", 0},
      {"moe_layer_freq", 1},
  };
  for (const auto &[key, value] : fixed)
    if (const nlohmann::json *given = text.find(key); given && *given != value)
      text.wrong(key, "expected ", value.dump(), ", got ", shown(*given));
}

/// `dtype` and `torch_dtype` are one field under two names; "torch." is decoration.
static void checkDtype(const ConfigReader &top, const ConfigReader &text) {
  std::string first;
  for (const char *key : {"dtype", "torch_dtype"}) {
    const nlohmann::json *value = eitherPlace(top, text, key);
    if (!value)
      continue;
    std::string name = value->is_string() ? value->get<std::string>() : shown(*value);
    if (name.starts_with("torch."))
      name.erase(0, 6);
    const ConfigReader &place = top.has(key) ? top : text;
    if (!first.empty() && name != first)
      place.wrong(key, "expected ", first, " as in dtype, got ", name);
    if (name != "bfloat16")
      place.wrong(key, "expected bfloat16, got ", name);
    first = name;
  }
}

static void readQuantization(const ConfigReader &top, const ConfigReader &text,
                             ModelConfig &config) {
  const ConfigReader &holder = text.has("quantization_config") ? text : top;
  ConfigReader quant = holder.object("quantization_config");
  static constexpr std::pair<const char *, const char *> fixed[] = {
      {"quant_method", "fp8"},
      {"activation_scheme", "dynamic"},
      {"fmt", "e4m3"},
      {"scale_fmt", "ue8m0"}};
  for (auto [key, expected] : fixed)
    if (std::optional<std::string> value = quant.optionalText(key); value && *value != expected)
      quant.wrong(key, "expected \"", expected, "\", got \"", *value, "\"");
  if (!quant.has("scale_fmt"))
    quant.wrong("scale_fmt", "expected \"ue8m0\", got nothing");
  std::vector<int64_t> block = quant.integers("weight_block_size");
  if (block.size() != 2)
    quant.wrong("weight_block_size", "expected 2 entries, got ", block.size());
  config.blockRows = block[0];
  config.blockCols = block[1];
  if (config.blockRows != 32 || config.blockCols != 32)
    quant.wrong("weight_block_size", "expected [32, 32], got [", config.blockRows, ", ", config.blockCols, "]");

  const ConfigReader *places[] = {&quant, &text, &top};
  std::string experts = "nothing";
  for (const ConfigReader *place : places)
    if (std::optional<std::string> value = place->optionalText("expert_dtype")) {
      experts = *value;
      break;
    }
  if (experts != "fp4")
    quant.wrong("expert_dtype", "expected \"fp4\", got ", experts);
}

static void readTokens(const ConfigReader &top, const ConfigReader &text, ModelConfig &config) {
  IntegerRule token{0, config.vocab - 1};
  eitherPlace(top, text, "image_token_id"); // both must agree
  const ConfigReader &imagePlace = top.has("image_token_id") ? top : text;
  config.imageToken = imagePlace.optionalInteger("image_token_id", token).value_or(-1);
  // Of no consequence, but a wrong one says that something is wrong with the file. -1: none.
  for (const char *key : {"bos_token_id", "pad_token_id"})
    for (const ConfigReader *place : {&top, &text})
      place->optionalInteger(key, {-1, config.vocab - 1});
  const nlohmann::json *value = eitherPlace(top, text, "eos_token_id");
  if (!value)
    return;
  const ConfigReader &place = top.has("eos_token_id") ? top : text;
  config.eos = value->is_array() ? place.integers("eos_token_id", token)
                                 : std::vector{place.integer("eos_token_id", token)};
}

static void readStream(const ConfigReader &text, ModelConfig &config) {
  config.vocab = text.integer("vocab_size", {1, int64_t(1) << 30});
  config.hidden = text.integer("hidden_size", kGroups32);
  config.maxPositions = text.integer("max_position_embeddings", {1, int64_t(1) << 30});
  config.normEps = text.number("rms_norm_eps", {0, 1});
  config.streams = text.integer("hc_mult", {1, 64});
  config.sinkhornIters = text.integer("hc_sinkhorn_iters", {1, 1000});
  config.hcEps = text.number("hc_eps", {0, 1});
}

static void readAttention(const ConfigReader &text, ModelConfig &config) {
  config.heads = text.integer("num_attention_heads", {1, 1 << 16});
  config.headDim = text.integer("head_dim", {32, 1 << 16, 32, kWhole});
  config.ropeDim = text.integer("qk_rope_head_dim", {2, config.headDim, 2, " (it turns pairs)"});
  config.qRank = text.integer("q_lora_rank", kGroups32);
  config.oGroups = text.integer("o_groups", {1, config.heads});
  if (config.heads % config.oGroups)
    text.wrong("o_groups", "expected a divisor of num_attention_heads = ", config.heads, ", got ",
               config.oGroups);
  config.oRank = text.integer("o_lora_rank");
  if (config.oGroups * config.oRank % 32)
    text.wrong("o_lora_rank", "expected o_groups * o_lora_rank to be a multiple of 32", kWhole,
               ", got ", config.oGroups, " * ", config.oRank);
  config.window = text.integer("sliding_window", {1, 1 << 20});
  RopePair rope = readRope(text, config.ropeDim);
  config.windowRope = rope.window;
  config.mainRope = rope.main;
}

static void readExperts(const ConfigReader &text, ModelConfig &config) {
  config.experts = text.integer("n_routed_experts", {1, 1 << 16});
  config.expertsPerToken = text.integer("num_experts_per_tok", {1, config.experts});
  config.expertDim = text.integer("moe_intermediate_size", kGroups32);
  config.routeScale = text.number("routed_scaling_factor", {0, 1e6, true});
  config.swigluLimit = text.number("swiglu_limit", {0, 1e6});
}

static void readEngram(const ConfigReader &text, ModelConfig &config, int64_t layers) {
  std::vector<int64_t> ids = text.ascending("engram_layer_ids", {0, layers - 1});
  std::vector<int64_t> rows = text.has("engram_num_embeddings")
                                  ? text.integers("engram_num_embeddings", {1, int64_t(1) << 40})
                                  : std::vector<int64_t>();
  // They follow from the rest; the reference script's file leaves them out at times.
  if (text.has("engram_num_embeddings") && rows.size() != ids.size())
    text.wrong("engram_num_embeddings", "expected ", ids.size(),
               " entries, one per layer of engram_layer_ids, got ", rows.size());
  if (ids.empty())
    return;
  EngramConfig &engram = config.engram;
  engram.orders = text.integer("engram_max_ngram_size", {2, 16}) - 1;
  engram.heads = text.integer("engram_n_heads", {1, 256});
  if (int64_t all = engram.columns() * int64_t(ids.size()); all > kMostColumns)
    text.wrong("engram_n_heads", "expected at most ", kMostColumns, " hash columns in all Engram layers, got ", all);
  engram.headDim = text.integer("engram_head_dim", {32, 1 << 16, 32, kWhole});
  engram.padToken = text.integer("engram_pad_token_id", {0, config.vocab - 1});
  // Below 2^28, so that a multiplier's range exceeds 2^32 (NumPy draws smaller ones another way).
  engram.compressedVocab =
      text.integer("engram_compressed_vocab_size", {1, std::min(config.vocab, int64_t(1) << 28)});
  for (int64_t id : ids)
    engram.layers.push_back({id, 0, {}, {}, {}});
  deriveEngram(engram, text.integer("engram_vocab_size", {2, int64_t(1) << 32}));
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i] != engram.layers[i].rows)
      text.wrong("engram_num_embeddings/" + std::to_string(i), "expected ", engram.layers[i].rows,
                 ", the sum of the layer's ", engram.columns(), " primes, got ", rows[i]);
}

static void readDraft(const ConfigReader &text, ModelConfig &config, int64_t layers) {
  DraftConfig &draft = config.draft;
  draft.blocks = text.optionalInteger("num_nextn_predict_layers", {0, 64}).value_or(0);
  draft.targetLayers = text.ascending("dspark_target_layer_ids", {0, layers - 1});
  draft.blockSize = text.optionalInteger("dspark_block_size", {1, 64}).value_or(0);
  text.optionalInteger("dspark_noise_token_id", {0, config.vocab - 1});
  text.optionalInteger("dspark_markov_rank");
  std::optional<int64_t> experts = text.optionalInteger("dspark_n_routed_experts", {1, 1 << 16});
  text.optionalInteger("dspark_num_experts_per_tok", {1, experts.value_or(1 << 16)});
}

/// Other models of the family say in these what this one says in compress_ratios and the source lists.
static void checkSpelling(const ConfigReader &text) {
  for (const char *key : {"layer_types", "compress_rates"})
    if (text.has(key))
      text.wrong(key, "unknown spelling of the layer table: expected compress_ratios and the source lists alone");
}

int64_t readFields(const ConfigReader &top, const ConfigReader &text, ModelConfig &config) {
  checkFixedFields(top);
  checkFixedFields(text);
  checkSpelling(text);
  checkDtype(top, text);
  readQuantization(top, text, config);
  readStream(text, config);
  readTokens(top, text, config);
  readAttention(text, config);
  readExperts(text, config);
  int64_t layers = text.integer("num_hidden_layers", {1, 4096});
  readDraft(text, config, layers);
  readEngram(text, config, layers);
  return layers;
}

} // namespace cedilla
