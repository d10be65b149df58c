//===- RopeForms.cpp - many spellings, one form
//----------------------------------------------------------===//

#include "compiler/import/RopeForms.h"

#include <optional>

namespace cedilla {

namespace {
/// What one spelling says; empty where it says nothing.
struct Said {
  std::optional<double> theta;
  std::optional<RopeConfig> scaling; ///< theta and dim unset; `original` 0 for type "default"
};
} // namespace

static constexpr NumberRule kTheta{1, 1e12, true};

/// The model has no amplitude factor: fields that would bring one may only say 1.
static void checkNoAmplitude(const ConfigReader &rope) {
  for (const char *key : {"mscale", "mscale_all_dim", "attention_factor"})
    if (std::optional<double> value = rope.optionalNumber(key, {-1e9, 1e9}); value && *value != 1)
      rope.wrong(key, "expected 1 (the model scales no amplitude), got ", *value);
}

/// {"rope_type": "yarn" | "default", …}, with `type` for `rope_type` in older files.
static Said readParameters(const ConfigReader &rope) {
  Said said;
  said.theta = rope.optionalNumber("rope_theta", kTheta);
  std::optional<std::string> name = rope.optionalText("rope_type"), old = rope.optionalText("type");
  if (name && old && *name != *old)
    rope.wrong("type", "expected \"", *name, "\" as in rope_type, got \"", *old, "\"");
  std::string type = name ? *name : old ? *old : "";
  if (type.empty() && rope.unread().empty())
    return said;
  RopeConfig scaling;
  if (type == "yarn") {
    scaling.factor = rope.number("factor", {1, 1e6});
    scaling.betaFast = rope.optionalNumber("beta_fast", {0, 1e6, true}).value_or(32);
    scaling.betaSlow = rope.optionalNumber("beta_slow", {0, 1e6, true}).value_or(1);
    if (scaling.betaFast < scaling.betaSlow)
      rope.wrong("beta_fast", "expected at least beta_slow = ", scaling.betaSlow, ", got ", scaling.betaFast);
    scaling.original = rope.integer("original_max_position_embeddings", {1, int64_t(1) << 31});
    checkNoAmplitude(rope);
    if (const nlohmann::json *truncate = rope.find("truncate"); truncate && *truncate != true)
      rope.wrong("truncate", "expected true, got ", shown(*truncate));
    for (const std::string &key : rope.unread())
      if (key != "partial_rotary_factor") // says again what qk_rope_head_dim / head_dim is
        rope.wrong(key, "unknown field of a yarn scaling");
  } else if (type != "default") {
    rope.wrong(name || !old ? "rope_type" : "type", "expected \"yarn\" or \"default\", got ",
               type.empty() ? "nothing" : "\"" + type + "\"");
  }
  said.scaling = scaling;
  return said;
}

static bool sameScaling(const RopeConfig &a, const RopeConfig &b) {
  return a.original == b.original && a.factor == b.factor && a.betaFast == b.betaFast &&
         a.betaSlow == b.betaSlow;
}

/// Takes over what `more` says; fails when it contradicts what was said before.
static void merge(const ConfigReader &text, const char *key, Said &all, const Said &more) {
  if (all.theta && more.theta && *all.theta != *more.theta)
    text.wrong(key, "expected a rope_theta of ", *all.theta, " as elsewhere in the file, got ",
               *more.theta);
  if (all.scaling && more.scaling && !sameScaling(*all.scaling, *more.scaling))
    text.wrong(key, "expected the scaling of rope_scaling, got another one");
  if (more.theta)
    all.theta = more.theta;
  if (more.scaling)
    all.scaling = more.scaling;
}

RopePair readRope(const ConfigReader &text, int64_t dim) {
  Said window, main;
  window.theta = text.optionalNumber("rope_theta", kTheta);
  main.theta = text.optionalNumber("compress_rope_theta", kTheta);
  if (text.has("rope_scaling")) {
    Said said = readParameters(text.object("rope_scaling"));
    main.scaling = said.scaling;
    said.scaling.reset();
    merge(text, "rope_scaling", window, said);
  }
  if (text.has("rope_parameters")) {
    ConfigReader parameters = text.object("rope_parameters");
    bool nested = parameters.has("main") || parameters.has("compress");
    Said first = readParameters(nested ? parameters.object("main") : parameters);
    Said second = nested ? readParameters(parameters.object("compress")) : first;
    if (nested && first.scaling && first.scaling->original)
      text.wrong("rope_parameters", "expected no scaling of layers without main KV");
    // The flat form has one base, that of layers without main KV, and the scaling of the others.
    if (!nested)
      second.theta.reset();
    first.scaling.reset();
    merge(text, "rope_parameters", window, first);
    merge(text, "rope_parameters", main, second);
  }
  if (!window.theta)
    text.wrong("rope_theta", "expected a number, got nothing");
  if (!main.theta)
    text.wrong("compress_rope_theta", "expected a number, got nothing");
  RopePair pair;
  pair.main = main.scaling.value_or(RopeConfig());
  pair.main.dim = pair.window.dim = dim;
  pair.window.theta = *window.theta;
  pair.main.theta = *main.theta;
  return pair;
}

} // namespace cedilla
