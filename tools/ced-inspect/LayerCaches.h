//===- LayerCaches.h - caches of a model that is a layer table only -----------------------------------===//

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cedilla::inspect {

struct CacheUse {
  std::string name, holds;
  int64_t layers = 0;         ///< how many keep one
  int64_t entryBytes = 0;
  int64_t tokensPerEntry = 1; ///< of a cache that grows
  int64_t windowTokens = 0;   ///< of a window; 0: it grows
  double bytesPerToken() const { return windowTokens ? 0 : double(layers * entryBytes) / double(tokensPerEntry); }
  int64_t bytesPerSequence() const { return layers * entryBytes * windowTokens; }
};

struct LayerCaches {
  std::string model;
  std::vector<CacheUse> caches;
  double bytesPerToken() const;
  int64_t bytesPerSequence() const;
};

/// A file named *.layers.json.
bool isLayerTable(const std::string &path);
/// Throws cedilla::Error with file and field.
LayerCaches readLayerTable(const std::string &path);

} // namespace cedilla::inspect
