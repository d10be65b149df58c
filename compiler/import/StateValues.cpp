//===- StateValues.cpp - types of caches and state
//----------------------------------------------------------===//

#include "compiler/import/BuildGraph.h"

#include "dialects/ced/Ced.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla {

std::vector<StateValue> stateValues(MLIRContext &context, const ModelConfig &config,
                                    const GraphOptions &options) {
  ScaledType windowRow = ScaledType::getQ8(&context, {config.headDim}, Placement::Row);
  ScaledType mainRow = ScaledType::getQ4Main(&context, {config.headDim}, Placement::Row);
  std::vector<StateValue> windows, main, keys, open;
  for (int64_t layer = 0; layer < config.layerCount(); ++layer) {
    const LayerFacts &facts = config.layers[layer];
    std::string number = std::to_string(layer);
    windows.push_back({"window." + number,
                       WindowType::get(&context, facts.window, ringSlack(config), windowRow)});
    if (!config.ownsKv(layer))
      continue;
    ScaledType keyRow = ScaledType::getQ4Index(&context, {config.indexHeadDim}, Placement::Row);
    main.push_back(
        {"main_kv." + number, PagedType::get(&context, facts.ratio, options.page, mainRow)});
    keys.push_back(
        {"index_k." + number, PagedType::get(&context, facts.ratio, options.page, keyRow)});
    if (facts.ratio > 1)
      open.push_back(
          {"open." + number, StateType::get(&context, {facts.ratio - 1, 2, config.headDim},
                                            Float32Type::get(&context))});
  }
  std::vector<StateValue> all;
  for (const std::vector<StateValue> *group : {&windows, &main, &keys, &open})
    all.insert(all.end(), group->begin(), group->end());
  if (!config.engram.layers.empty())
    all.push_back({"engram_history", StateType::get(&context, {config.engram.orders},
                                                    IntegerType::get(&context, 32))});
  return all;
}

} // namespace cedilla
