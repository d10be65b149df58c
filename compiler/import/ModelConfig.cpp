//===- ModelConfig.cpp - from a file to a checked configuration
//------------------------------------------===//
//
// First what kind of file it is (architecture, nesting), then the fields (ConfigFields.cpp) and the
// layer table that follows from them (LayerTable.cpp). The facts for runtimes are made here, too.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/ModelConfig.h"

#include "compiler/import/ConfigFields.h"
#include "compiler/import/ConfigReader.h"
#include "compiler/import/LayerTable.h"
#include "compiler/import/ReadConfig.h"
#include "compiler/import/ScriptConfig.h"
#include "runtime/io/Json.h"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace fs = std::filesystem;

namespace cedilla {

static constexpr const char *kArchitecture = "DeepseekV41ForCausalLM";
static constexpr const char *kModelTypes[] = {"deepseek_v41", "deepseek_v41_text"};

//===------------------------------------------------------------------------------------------===//
// What kind of file it is
//===------------------------------------------------------------------------------------------===//

std::string configPath(const std::string &path) {
  return fs::is_directory(path) ? (fs::path(path) / "config.json").string() : path;
}

static void checkModelType(const ConfigReader &place, const std::string &otherwise) {
  std::string type = place.optionalText("model_type").value_or(otherwise);
  if (std::find(std::begin(kModelTypes), std::end(kModelTypes), type) == std::end(kModelTypes))
    place.wrong("model_type", "unsupported model: expected ", kModelTypes[0], " or ", kModelTypes[1],
                ", got ", type);
}

static void checkArchitecture(const ConfigReader &top) {
  const nlohmann::json *names = top.find("architectures");
  bool named = names && names->is_array() && names->size() == 1 && (*names)[0] == kArchitecture;
  if (names && !named)
    top.wrong("architectures", "unsupported architecture: expected [\"", kArchitecture, "\"], got ",
              shown(*names));
  // A text config alone has no architectures; its model type says what it is.
  checkModelType(top, named ? kModelTypes[0] : "nothing");
}

/// What the top of the file says of the text model is what the nested config says.
static void checkRepeated(const ConfigReader &top, const ConfigReader &text) {
  for (const std::string &name : top.unread()) {
    if (!text.wasAsked(name))
      continue;
    const nlohmann::json *outer = top.find(name), *inner = text.find(name);
    if (!inner)
      top.wrong(name, "expected it in text_config, where there is none");
    if (*inner != *outer)
      text.wrong(name, "expected ", shown(*outer), " as at the top of the file, got ", shown(*inner));
  }
}

/// Far more than any model has; a fraction of it is refused for what it needs, not for a sum that wrapped around.
static void checkSize(const ModelConfig &c) {
  double layers = c.layers.size(), hidden = c.hidden;
  double perLayer = 3.0 * c.experts * c.expertDim * hidden + hidden * c.qRank +
                    double(c.heads) * c.headDim * (c.qRank + c.oRank) + hidden * c.oGroups * c.oRank +
                    double(c.indexHeads) * c.indexHeadDim * c.qRank + 1e3 * hidden * c.streams;
  double all = layers * perLayer + 2.0 * c.vocab * hidden;
  for (const EngramLayer &layer : c.engram.layers)
    all += double(layer.rows) * c.engram.headDim + 3.0 * hidden * c.engram.width();
  if (all * 4 > 0x1p62)
    fail(Err::ConfigField, c.file, ": expected a model of at most 2^60 weights, got about ", all);
  // Each has three matrices with names of their own, and the graph holds the names.
  if (layers * c.experts > 1 << 18)
    fail(Err::ConfigField, c.file, ": expected at most 262144 experts in all layers, got ", int64_t(layers * c.experts));
}

/// Said in the file, of no consequence for what is computed.
static std::vector<std::string> unusedFields(const ConfigReader &top, const ConfigReader &text,
                                             bool nested) {
  static const std::set<std::string> harmless = {
      "architectures",     "model_type",   "transformers_version",
      "text_config",       "bos_token_id", "pad_token_id",
      "initializer_range", "use_cache",    "attention_dropout"};
  std::vector<std::string> names = top.unread();
  if (nested)
    for (const std::string &name : text.unread())
      names.push_back("text_config/" + name);
  std::erase_if(names, [](const std::string &name) {
    return harmless.contains(name.substr(name.find('/') + 1));
  });
  return names;
}

//===------------------------------------------------------------------------------------------===//
// The whole
//===------------------------------------------------------------------------------------------===//

ModelConfig readModelConfig(const std::string &path) {
  std::string file = configPath(path);
  return readModelConfig(file, parseJsonFile(file));
}

static ModelConfig readHubConfig(const std::string &file, const nlohmann::json &document, const FieldNames *names) {
  ModelConfig config;
  config.file = file;
  config.arch = kArchitecture;
  ConfigReader top(config.file, "", document, names);
  checkArchitecture(top);
  bool nested = top.has("text_config");
  ConfigReader inner = nested ? top.object("text_config") : ConfigReader(top);
  const ConfigReader &text = nested ? inner : top;

  if (nested)
    checkModelType(text, kModelTypes[1]);
  int64_t layers = readFields(top, text, config);
  readLayerTable(text, config, layers);
  if (nested)
    checkRepeated(top, text);
  checkSize(config);
  config.unusedFields = unusedFields(top, text, nested);
  return config;
}

ModelConfig readModelConfig(const std::string &file, const nlohmann::json &document) {
  if (!isScriptConfig(document))
    return readHubConfig(file, document, nullptr);
  FieldNames names;
  nlohmann::json hub = fromScriptConfig(file, document, names);
  return readHubConfig(file, hub, &names);
}

int64_t ringSlack(const ModelConfig &config) {
  return std::max<int64_t>(config.draft.blockSize + 1, 8);
}

void checkOptions(const ModelConfig &config, const GraphOptions &options) {
  // Token ids, positions, slots and pages travel as i32, and so do numbers of chosen experts of all rows.
  static constexpr int64_t most = std::numeric_limits<int32_t>::max();
  auto check = [](const char *name, int64_t value, int64_t limit = most) {
    if (value < 1 || value > limit)
      fail(Err::Limits, name, ": expected 1 to ", limit, ", got ", value);
  };
  check("page", options.page);
  check("--max-rows", options.maxRows, int64_t(1) << 20);
  check("--max-context", options.maxContext);
  check("--max-batch", options.maxBatch);
  if (int64_t pages = (options.maxContext + options.page - 1) / options.page; pages > most / options.maxBatch)
    fail(Err::Limits, "--max-batch: expected at most ", most / pages, " sequences of ", pages, " cache pages each, got ",
         options.maxBatch);
  for (const LayerFacts &layer : config.layers)
    if (layer.ratio && options.page % layer.ratio)
      fail(Err::Limits, "page: expected a multiple of every compress ratio, got ", options.page,
           " with a ratio of ", layer.ratio);
  if (options.maxContext > config.maxPositions)
    fail(Err::Limits, "--max-context: expected at most ", config.maxPositions, " (max_position_embeddings of ",
         config.file, "), got ", options.maxContext);
}

ModelFacts makeFacts(const ModelConfig &config, const GraphOptions &options) {
  checkOptions(config, options);
  ModelFacts facts;
  facts.arch = config.arch;
  facts.vocab = config.vocab;
  facts.hidden = config.hidden;
  facts.streams = config.streams;
  facts.headDim = config.headDim;
  facts.indexHeadDim = config.indexHeadDim;
  facts.indexTopk = config.indexTopk;
  facts.candidateBlocks = config.candidateBlocks;
  facts.candidateBlockSize = config.candidateBlockSize;
  facts.expertsPerToken = config.expertsPerToken;
  facts.slack = ringSlack(config);
  facts.page = options.page;
  facts.eos = config.eos;
  facts.layers = config.layers;
  facts.maxRows = options.maxRows;
  facts.maxContext = options.maxContext;
  facts.maxBatch = options.maxBatch;
  return facts;
}

} // namespace cedilla
