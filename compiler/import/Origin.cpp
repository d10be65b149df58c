//===- Origin.cpp - digests of the graph and of its files --------------------------------------------===//

#include "compiler/import/Origin.h"

#include "compiler/import/BuildGraph.h"
#include "compiler/import/TensorNames.h"
#include "runtime/base/Error.h"
#include "runtime/package/Sources.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace cedilla {

static std::string graphDigest(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream); // without locations: the path of a file is no part of a model
  return digestOf(text);
}

void recordOrigin(ModuleOp module, const ModelConfig &config, const Checkpoint *checkpoint) {
  Builder b(module.getContext());
  SmallVector<NamedAttribute> sources;
  auto add = [&](StringRef name, const std::string &digest) {
    sources.push_back(b.getNamedAttr(name, b.getStringAttr(digest)));
  };
  add(kConfigSource, configDigest(config.file));
  if (checkpoint)
    for (const Weight &weight : expectedWeights(config))
      if (weight.format == WeightFormat::TokenMap) {
        const TensorView &map = checkpoint->get(weight.name);
        add(weight.name, digestOf({map.data, map.bytes}));
      }
  module->setAttr(kGraphDigestAttr, b.getStringAttr(graphDigest(module)));
  module->setAttr(kSourcesAttr, b.getDictionaryAttr(sources));
}

std::vector<SourceInfo> sourcesOf(ModuleOp module) {
  std::vector<SourceInfo> sources;
  if (auto recorded = module->getAttrOfType<DictionaryAttr>(kSourcesAttr))
    for (NamedAttribute source : recorded)
      if (auto digest = dyn_cast<StringAttr>(source.getValue()))
        sources.push_back({source.getName().str(), digest.str()});
  return sources;
}

/// The first fact that differs, in words; empty when none does.
static std::string differenceOf(const ModelFacts &expected, const ModelFacts &found) {
  nlohmann::json right = expected, other = found;
  nlohmann::json changes = nlohmann::json::diff(right, other);
  if (changes.empty())
    return "";
  nlohmann::json::json_pointer at(changes[0]["path"].get<std::string>());
  auto valueIn = [&](const nlohmann::json &facts) {
    return facts.contains(at) ? facts.at(at).dump() : std::string("nothing");
  };
  return "'" + at.to_string() + "' of its facts: expected " + valueIn(right) + ", got " + valueIn(other);
}

void adoptOrigin(ModuleOp module, const std::string &file, ModuleOp model) {
  std::string difference = differenceOf(factsOf(model), factsOf(module));
  if (!difference.empty())
    fail(Err::OtherSchedule, file, ": the schedule is of another model or has other limits: ", difference);
  auto expected = model->getAttrOfType<StringAttr>(kGraphDigestAttr);
  auto found = module->getAttrOfType<StringAttr>(kGraphDigestAttr);
  if (!found)
    fail(Err::OtherSchedule, file, ": expected the attribute '", kGraphDigestAttr, "', which import writes, got none");
  if (found != expected)
    fail(Err::OtherSchedule, file, ": the schedule is of another model: same sizes and limits, but the graph has other constants or "
               "weights (digest: expected ", expected.str(), ", got ", found.str(), ")");
  // What a runtime is told beside the program: hashes of Engram, and how the numbers depart from the published ones.
  for (const char *name : {kEngramAttr, kDepartsAttr})
    if (module->getAttr(name) != model->getAttr(name))
      fail(Err::OtherSchedule, file, ": the schedule is of another model: expected the attribute '", name, "' as import writes it, got ",
           module->hasAttr(name) ? "another one" : "none");
  module->setAttr(kSourcesAttr, model->getAttr(kSourcesAttr));
}

} // namespace cedilla
