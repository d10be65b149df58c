//===- ScriptConfig.cpp - the reference script's spelling of a configuration -----------------------===//

#include "compiler/import/ScriptConfig.h"

#include <algorithm>

namespace cedilla {

/// The script's word, the hub's. Fields with one name in both are not listed.
static constexpr std::pair<const char *, const char *> renamed[] = {
    {"dim", "hidden_size"},
    {"moe_inter_dim", "moe_intermediate_size"},
    {"n_layers", "num_hidden_layers"},
    {"n_mtp_layers", "num_nextn_predict_layers"},
    {"n_heads", "num_attention_heads"},
    {"n_activated_experts", "num_experts_per_tok"},
    {"score_func", "scoring_func"},
    {"route_scale", "routed_scaling_factor"},
    {"rope_head_dim", "qk_rope_head_dim"},
    {"norm_eps", "rms_norm_eps"},
    {"window_size", "sliding_window"},
    {"kv_source_layers", "kv_source_layer_ids"},
    {"index_source_layers", "index_source_layer_ids"},
    {"candidate_source_layer", "candidate_source_layer_id"},
    {"engram_pad_id", "engram_pad_token_id"},
    {"dspark_n_activated_experts", "dspark_num_experts_per_tok"},
    {"max_seq_len", "max_position_embeddings"},
};

/// The script's word, and the hub's in rope_scaling.
static constexpr std::pair<const char *, const char *> scaling[] = {{"rope_factor", "factor"},
                                                                    {"beta_fast", "beta_fast"},
                                                                    {"beta_slow", "beta_slow"},
                                                                    {"original_seq_len", "original_max_position_embeddings"}};

/// Of how the script runs, not of the model.
static constexpr const char *running[] = {"max_batch_size", "temperature"};

bool isScriptConfig(const nlohmann::json &document) {
  return document.is_object() && document.contains("dim") && document.contains("n_layers") &&
         !document.contains("hidden_size") && !document.contains("text_config");
}

/// The script has no other blocks and scales than these; what it calls "fp8" is all of them.
static nlohmann::json quantization(const ConfigReader &script) {
  for (auto [key, expected] : {std::pair("dtype", "fp8"), {"scale_fmt", "ue8m0"}, {"expert_dtype", "fp4"}}) {
    std::optional<std::string> value = script.optionalText(key);
    bool mayLack = key == std::string_view("scale_fmt");
    if (value ? *value != expected : !mayLack)
      script.wrong(key, "expected \"", expected, "\", got ", value ? "\"" + *value + "\"" : "nothing");
  }
  return {{"quant_method", "fp8"}, {"scale_fmt", "ue8m0"}, {"expert_dtype", "fp4"}, {"weight_block_size", {32, 32}}};
}

/// Without a limit of its own the script takes what the rotation was stretched to.
static void addPositions(const ConfigReader &script, nlohmann::json &hub) {
  if (hub.contains("max_position_embeddings") || !script.has("original_seq_len") || !script.has("rope_factor"))
    return;
  double positions = double(script.integer("original_seq_len", {1, int64_t(1) << 31})) * script.number("rope_factor", {1, 1e6});
  hub["max_position_embeddings"] = int64_t(std::min(positions, double(int64_t(1) << 30)));
}

static void rename(nlohmann::json &from, const char *word, nlohmann::json &to, const char *name) {
  auto found = from.find(word);
  if (found == from.end())
    return;
  if (!found->is_null())
    to[name] = *found;
  from.erase(found);
}

nlohmann::json fromScriptConfig(const std::string &file, const nlohmann::json &document, FieldNames &names) {
  // Its relatives' scripts share most of these words; only this model has sources of main KV.
  if (!document.contains("kv_source_layers"))
    fail(Err::ConfigField, file, ": this is the reference-script config; need the hub config.json");
  ConfigReader script(file, "", document);
  for (auto [word, name] : renamed)
    if (script.has(word) && script.has(name))
      script.wrong(name, "expected one of two names of a field, got '", word, "', too");
  nlohmann::json hub = document, rope = {{"rope_type", "yarn"}};
  for (auto [word, name] : renamed) {
    names["/" + std::string(name)] = "/" + std::string(word);
    rename(hub, word, hub, name);
  }
  for (auto [word, name] : scaling) {
    names["/rope_scaling/" + std::string(name)] = "/" + std::string(word);
    rename(hub, word, rope, name);
  }
  names["/quantization_config"] = "";
  hub["rope_scaling"] = rope;
  hub["quantization_config"] = quantization(script);
  hub["dtype"] = "bfloat16"; // of what is not quantised
  hub["model_type"] = "deepseek_v41_text";
  addPositions(script, hub);
  for (const char *key : {"expert_dtype", "scale_fmt"})
    hub.erase(key);
  for (const char *key : running)
    hub.erase(key);
  return hub;
}

} // namespace cedilla
