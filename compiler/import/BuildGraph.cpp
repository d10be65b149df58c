//===- BuildGraph.cpp - module, functions, the loop over the layers
//--------------------------------------------===//

#include "compiler/import/BuildGraph.h"

#include "compiler/import/GraphBuilder.h"
#include "runtime/base/Error.h"
#include "runtime/io/Json.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla {

//===------------------------------------------------------------------------------------------===//
// The layers
//===------------------------------------------------------------------------------------------===//

namespace {
/// The residual streams and the weights with which the next sublayer reads them.
struct Stream {
  Value x, pre;
};
} // namespace

/// One sublayer in its hyper-connection: mix, collapse with the *previous* sublayer's pre, norm,
/// body, post. Returns the new stream and this sublayer's own pre.
static Stream buildSublayer(GraphBuilder &graph, Stream stream, int64_t layer, const char *site,
                            const char *markName,
                            Value (*body)(GraphBuilder &, int64_t layer, Value)) {
  const ModelConfig &config = graph.config;
  ImplicitLocOpBuilder &b = graph.b;
  int64_t n = config.streams;
  std::string layerName = "layers." + std::to_string(layer) + ".", part = layerName + site;
  b.setLoc(NameLoc::get(b.getStringAttr(part)));

  std::string hc = layerName + "hc_" + site;
  auto mix = HcMixOp::create(b, graph.rows(n, b.getF32Type()), graph.rows(n, b.getF32Type()),
                             graph.rows({n, n}, b.getF32Type()), stream.x, graph.weight(hc + "_fn"),
                             graph.weight(hc + "_scale"), graph.weight(hc + "_base"),
                             b.getI64IntegerAttr(config.sinkhornIters), graph.f32(config.hcEps),
                             graph.f32(config.normEps));
  Value collapsed = HcCollapseOp::create(b, graph.rows(config.hidden), stream.x, stream.pre);
  Value y = body(graph, layer, graph.norm(collapsed, part + "_norm.weight"));
  y = graph.mark(markName, layer, y);
  Value next = HcPostOp::create(b, stream.x.getType(), y, stream.x, mix.getPost(), mix.getComb());
  return {next, mix.getPre()};
}

static Stream buildLayers(GraphBuilder &graph, Stream stream) {
  Value engramRows;
  if (!graph.config.engram.layers.empty())
    engramRows = buildEngramRows(graph);
  for (int64_t layer = 0; layer < graph.config.layerCount(); ++layer) {
    ImplicitLocOpBuilder &b = graph.b;
    b.setLoc(NameLoc::get(b.getStringAttr("layers." + std::to_string(layer) + ".engram")));
    if (graph.config.layers[layer].engram)
      stream.x = buildEngram(graph, layer, engramRows, stream.x);
    stream = buildSublayer(graph, stream, layer, "attn", "attn", buildAttention);
    stream = buildSublayer(graph, stream, layer, "ffn", "ffn", buildExperts);
    // What goes on is what an observer leaves at the marks: a check may feed each layer a given
    // input.
    stream.x = graph.mark("stream", layer, stream.x);
    stream.pre = graph.mark("pre", layer, stream.pre);
  }
  return stream;
}

/// From token ids to logits.
static Value buildModel(GraphBuilder &graph) {
  const ModelConfig &config = graph.config;
  ImplicitLocOpBuilder &b = graph.b;
  Value embedded = EmbedOp::create(b, graph.rows(config.hidden), graph.step.tokens,
                                   graph.weight("embed.weight"));
  auto expand = HcExpandOp::create(b, graph.rows({config.streams, config.hidden}),
                                   graph.rows(config.streams, b.getF32Type()), embedded);
  Stream last = buildLayers(graph, {expand.getStream(), expand.getPre()});
  b.setLoc(NameLoc::get(b.getStringAttr("head")));
  Value collapsed = HcCollapseOp::create(b, graph.rows(config.hidden), last.x, last.pre);
  return graph.matmul(graph.norm(collapsed, "norm.weight"), "head.weight", b.getF32Type());
}

//===------------------------------------------------------------------------------------------===//
// Functions and module
//===------------------------------------------------------------------------------------------===//

static std::vector<StateValue> stepArguments(Builder &b) {
  Type rows = RankedTensorType::get({ShapedType::kDynamic}, b.getI32Type());
  Type pages = RankedTensorType::get({ShapedType::kDynamic, ShapedType::kDynamic}, b.getI32Type());
  return {{"tokens", rows}, {"kinds", rows},  {"positions", rows},
          {"slots", rows},  {"starts", rows}, {"pages", pages}};
}

static SmallVector<Type> typesOf(const std::vector<StateValue> &values) {
  return llvm::map_to_vector(values, [](const StateValue &value) { return value.type; });
}

/// A function of the given name with an empty body whose arguments and results are named.
static func::FuncOp createFunction(ImplicitLocOpBuilder &b, StringRef name,
                                   const std::vector<StateValue> &arguments,
                                   const std::vector<StateValue> &results) {
  auto function =
      func::FuncOp::create(b, name, b.getFunctionType(typesOf(arguments), typesOf(results)));
  for (auto [number, argument] : llvm::enumerate(arguments))
    function.setArgAttr(number, kNameAttr, b.getStringAttr(argument.name));
  for (auto [number, result] : llvm::enumerate(results))
    function.setResultAttr(number, kNameAttr, b.getStringAttr(result.name));
  function.addEntryBlock();
  return function;
}

static void buildFunction(ImplicitLocOpBuilder &b, const ModelConfig &config, const GraphOptions &options,
                          const WeightMap &weights, const std::vector<StateValue> &state,
                          StringRef name, bool decode) {
  std::vector<StateValue> arguments = stepArguments(b), results;
  size_t stepCount = arguments.size();
  Type logits = RankedTensorType::get({ShapedType::kDynamic, config.vocab}, b.getF32Type());
  results.push_back({"logits", logits});
  arguments.insert(arguments.end(), state.begin(), state.end());
  results.insert(results.end(), state.begin(), state.end());
  if (!config.engram.layers.empty())
    arguments.push_back({kGatheredName, RankedTensorType::get({1}, b.getI32Type())});

  b.setLoc(NameLoc::get(b.getStringAttr(name)));
  func::FuncOp function = createFunction(b, name, arguments, results);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  GraphBuilder graph(b, config, options, weights, decode);
  auto given = function.getArguments();
  graph.step = {given[0], given[1], given[2], given[3], given[4], given[5]};
  for (auto [number, value] : llvm::enumerate(state))
    graph.state[value.name] = given[stepCount + number];
  if (!config.engram.layers.empty())
    graph.gathered = given.back();

  SmallVector<Value> returned = {buildModel(graph)};
  for (const StateValue &value : state)
    returned.push_back(graph.state.at(value.name));
  func::ReturnOp::create(b, returned);
  // A weight that nothing reads would be a silent difference between the checkpoint and the graph.
  if (std::vector<std::string> unused = graph.unusedWeights(); !unused.empty())
    failInternal("the graph reads no weight '", unused.front(), "'");
}

/// What runs between two decode steps of one row each: from logits to the rows of the next step. Results that
/// are named like arguments of a step take their places.
static void buildAdvance(ImplicitLocOpBuilder &b, const ModelConfig &config) {
  auto list = [&](int64_t size) { return StateType::get(b.getContext(), {size}, b.getI32Type()); };
  Type logits = RankedTensorType::get({ShapedType::kDynamic, config.vocab}, b.getF32Type());
  std::vector<StateValue> arguments = stepArguments(b);
  size_t stepCount = arguments.size();
  Type rows = arguments[0].type;
  arguments.push_back({"logits", logits});
  arguments.push_back({"sampling", list(2)});
  arguments.push_back({"chosen", list(kStepsAhead)});
  std::vector<StateValue> results = {{"tokens", rows}, {"positions", rows}, {"starts", rows}, arguments.back()};

  b.setLoc(NameLoc::get(b.getStringAttr("advance")));
  func::FuncOp function = createFunction(b, "advance", arguments, results);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  auto given = function.getArguments();
  auto sample = SampleOp::create(b, rows, rows, list(kStepsAhead), given[stepCount], given[stepCount + 1],
                                 given[stepCount + 2], given[2], given[3]);
  auto next = SingleRowsOp::create(b, rows, rows, sample.getNext());
  func::ReturnOp::create(b, {sample.getTokens(), next.getPositions(), next.getStarts(), sample.getNewChosen()});
}

static void buildLayerTable(ImplicitLocOpBuilder &b, const ModelConfig &config) {
  SmallVector<Attribute> layers;
  for (const LayerFacts &layer : config.layers)
    layers.push_back(LayerAttr::get(b.getContext(), layer.window, layer.ratio, layer.kv,
                                    layer.select, layer.pool, layer.engram));
  LayerTableOp::create(b, "layers", "deepseek_v41", b.getArrayAttr(layers));
}

/// What a host needs to find the rows that ced.engram_rows names.
static EngramFacts engramFacts(const ModelConfig &config) {
  const EngramConfig &engram = config.engram;
  EngramFacts facts{engram.orders, engram.heads, engram.padToken, kTokenMapName, {}};
  for (const EngramLayer &layer : engram.layers) {
    std::string table = "layers." + std::to_string(layer.layer) + ".engram.embed";
    facts.tables.push_back({table + ".weight", table + ".scale", layer.multipliers, layer.primes, layer.offsets});
  }
  return facts;
}

OwningOpRef<ModuleOp> buildGraph(MLIRContext &context, const ModelConfig &config,
                                 const GraphOptions &options) {
  ModelFacts facts = makeFacts(config, options);
  context.loadDialect<CedDialect, func::FuncDialect>();
  WeightMap weights;
  for (Weight &weight : expectedWeights(config)) {
    std::string name = weight.name;
    weights.emplace(std::move(name), std::move(weight));
  }
  Location location = NameLoc::get(StringAttr::get(&context, config.file));
  OwningOpRef<ModuleOp> module(ModuleOp::create(location));
  (*module)->setAttr(kFactsAttr, StringAttr::get(&context, nlohmann::json(facts).dump()));
  auto b = ImplicitLocOpBuilder::atBlockEnd(location, module->getBody());
  buildLayerTable(b, config);
  std::vector<StateValue> state = stateValues(context, config, options);
  buildFunction(b, config, options, weights, state, "prefill", /*decode=*/false);
  buildFunction(b, config, options, weights, state, "decode", /*decode=*/true);
  buildAdvance(b, config);
  // One token of each sequence.
  for (const char *name : {"decode", "advance"})
    module->lookupSymbol(name)->setAttr(kRowsAttr, b.getI64IntegerAttr(facts.maxBatch));
  if (options.woAFP8)
    (*module)->setAttr(kDepartsAttr, b.getStringAttr("--wo-a-activations=fp8 casts o ahead of wo_a"));
  if (!config.engram.layers.empty())
    (*module)->setAttr(kEngramAttr, StringAttr::get(&context, nlohmann::json(engramFacts(config)).dump()));
  if (failed(verify(*module)))
    failInternal("the graph of ", config.file, " does not verify");
  return module;
}

/// What import wrote as JSON; text may have been edited since.
template <typename T>
static T readAttribute(StringRef name, StringAttr text) {
  std::string where = "module attribute '" + name.str() + "'";
  nlohmann::json json = parseJson(where, text.getValue());
  checkWholeNumbers(where, json);
  try {
    return json.get<T>();
  } catch (const nlohmann::json::exception &error) {
    fail(Err::IrFile, where, ": ", error.what());
  }
}

ModelFacts factsOf(ModuleOp module) {
  auto text = module->getAttrOfType<StringAttr>(kFactsAttr);
  if (!text)
    fail(Err::IrFile, "expected a module with the attribute '", kFactsAttr, "', which import writes, got none");
  return readAttribute<ModelFacts>(kFactsAttr, text);
}

EngramFacts engramOf(ModuleOp module) {
  auto text = module->getAttrOfType<StringAttr>(kEngramAttr);
  return text ? readAttribute<EngramFacts>(kEngramAttr, text) : EngramFacts();
}

} // namespace cedilla
