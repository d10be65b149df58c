//===- Table.cpp - the layer table in words ---------------------------------------------------------------===//

#include "compiler/import/ModelConfig.h"
#include "runtime/package/Package.h"
#include "tools/ced-inspect/Commands.h"

#include <cstdio>
#include <iostream>

namespace cedilla::inspect {

static std::string numbered(const char *buffer, int64_t layer) {
  return std::string(buffer) + "." + std::to_string(layer);
}

static void add(std::string &list, const std::string &item) {
  list += (list.empty() ? "" : ", ") + item;
}

/// Buffers that belong to the layer.
static std::string owned(const LayerFacts &layer, int64_t self) {
  std::string list = numbered("window", self);
  if (layer.kv == self) {
    add(list, numbered("main_kv", self));
    add(list, numbered("index_k", self));
    if (layer.ratio > 1)
      add(list, numbered("open", self));
  }
  if (layer.select == self)
    add(list, numbered("index", self));
  if (layer.pool == self)
    add(list, numbered("candidates", self));
  return list;
}

/// What it reads of other layers, and from whom.
static std::string borrowed(const LayerFacts &layer, int64_t self) {
  std::string list;
  auto from = [&](int64_t owner, const char *what, const char *buffer) {
    if (owner != -1 && owner != self)
      add(list, std::string(what) + " of layer " + std::to_string(owner) + " (" +
                    numbered(buffer, owner) + ")");
  };
  from(layer.kv, "main KV", "main_kv");
  if (layer.select == self)
    from(layer.kv, "index keys", "index_k");
  from(layer.select, "index list", "index");
  from(layer.pool, "candidates", "candidates");
  return list.empty() ? "nothing" : list;
}

LayerWords wordsOf(const LayerFacts &layer, int64_t number) { return {owned(layer, number), borrowed(layer, number)}; }

static void showEngram(const ModelConfig &config) {
  const EngramConfig &engram = config.engram;
  for (const EngramLayer &layer : engram.layers)
    std::cout << "engram of layer " << layer.layer << ": " << layer.rows << " rows of "
              << engram.headDim << ", n-grams of 2 to " << engram.orders + 1 << " tokens, "
              << engram.heads << " heads, primes " << layer.primes.front() << " to "
              << layer.primes.back() << "\n";
}

static void showLayers(const std::vector<LayerFacts> &layers) {
  std::cout << "layer  mode     window  ratio  engram\n";
  for (int64_t self = 0; self < static_cast<int64_t>(layers.size()); ++self) {
    const LayerFacts &layer = layers[self];
    char columns[64];
    std::snprintf(columns, sizeof columns, "%5lld  %-7s  %6lld  %5lld  %-6s",
                  static_cast<long long>(self), layer.mode.c_str(),
                  static_cast<long long>(layer.window), static_cast<long long>(layer.ratio),
                  layer.engram ? "yes" : "no");
    std::cout << columns << "  owns " << owned(layer, self) << "; reads " << borrowed(layer, self)
              << "\n";
  }
}

static void showPackageTable(const std::string &path) {
  Package package(path);
  const ModelFacts &facts = package.manifest().facts;
  std::cout << facts.arch << ": " << facts.layers.size() << " layers, hidden " << facts.hidden << ", "
            << facts.expertsPerToken << " experts per token\n";
  showLayers(facts.layers);
}

void showTable(const std::string &path) {
  if (isPackage(path))
    return showPackageTable(path);
  ModelConfig config = readModelConfig(path);
  std::cout << config.arch << ": " << config.layerCount() << " layers, hidden " << config.hidden
            << ", " << config.experts << " experts, " << config.expertsPerToken << " per token\n";
  showLayers(config.layers);
  showEngram(config);
  for (const std::string &field : config.unusedFields)
    std::cout << "not used: " << field << "\n";
}

} // namespace cedilla::inspect
