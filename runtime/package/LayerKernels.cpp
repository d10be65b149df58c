//===- LayerKernels.cpp - which dispatches count as a layer's kernels ------------------------------===//

#include "runtime/package/LayerKernels.h"

#include <algorithm>

namespace cedilla {

bool isBeforeLayers(std::string_view name, bool engramNext) {
  if (engramNext && name == "hc_post")
    return true;
  constexpr std::string_view before[] = {"embed", "hc_expand", "engram_rows"};
  while (!name.empty()) {
    size_t end = std::min(name.find_first_of(",;"), name.size());
    if (std::find(std::begin(before), std::end(before), name.substr(0, end)) == std::end(before))
      return false;
    size_t next = name.find_first_not_of(",; ", end);
    name.remove_prefix(std::min(next, name.size()));
  }
  return true;
}

std::vector<size_t> kernelsOfLayer(const ProgramInfo &program, const std::vector<LayerFacts> &layers, int64_t layer) {
  std::vector<size_t> result;
  bool engramNext = size_t(layer + 1) < layers.size() && layers[layer + 1].engram;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const StepInfo &step = program.steps[i];
    if (step.op == "dispatch" && step.layer == layer && !isBeforeLayers(step.name, engramNext))
      result.push_back(i);
  }
  return result;
}

int64_t promisedKernels(const ProgramInfo &program, const std::vector<LayerFacts> &layers, int64_t layer) {
  const LayerFacts &facts = layers[layer];
  std::vector<std::string> keys = {facts.mode};
  if (facts.pool == layer)
    keys.push_back(contractPool);
  if (facts.engram)
    keys.push_back(contractEngram);
  int64_t sum = 0;
  for (const std::string &key : keys) {
    auto found = program.contract.find(key);
    if (found == program.contract.end())
      return 0;
    sum += found->second;
  }
  return sum;
}

} // namespace cedilla
