//===- LayerCaches.cpp - caches of a model that is a layer table only ---------------------------------===//

#include "tools/ced-inspect/LayerCaches.h"

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"

#include <map>

namespace cedilla::inspect {

double LayerCaches::bytesPerToken() const {
  double sum = 0;
  for (const CacheUse &cache : caches)
    sum += cache.bytesPerToken();
  return sum;
}

int64_t LayerCaches::bytesPerSequence() const {
  int64_t sum = 0;
  for (const CacheUse &cache : caches)
    sum += cache.bytesPerSequence();
  return sum;
}

bool isLayerTable(const std::string &path) { return path.ends_with(".layers.json"); }

namespace {
struct Reader {
  const std::string &path;

  int64_t count(const nlohmann::json &value, const std::string &field) const {
    if (!value.is_number_integer() || value.get<int64_t>() < 1 || value.get<int64_t>() > (int64_t(1) << 32))
      fail(Err::LayerTable, path, ": ", field, ": expected a positive number, got ", value.dump());
    return value.get<int64_t>();
  }
  const nlohmann::json &member(const nlohmann::json &object, const char *name, const std::string &field) const {
    if (!object.is_object() || !object.contains(name))
      fail(Err::LayerTable, path, ": ", field, ": expected a member '", name, "'");
    return object.at(name);
  }
  int64_t recordBytes(const nlohmann::json &record, const std::string &field) const;
  CacheUse cache(const std::string &name, const nlohmann::json &json, bool window) const;
};
} // namespace

/// [["f8E4M3FN", 448], ["bf16", 64], ..]: bytes of all, each part whole bytes.
int64_t Reader::recordBytes(const nlohmann::json &record, const std::string &field) const {
  static const std::map<std::string, int64_t> bits = {{"f4E2M1FN", 4}, {"f8E4M3FN", 8}, {"f8E8M0FNU", 8},
                                                      {"bf16", 16},    {"f32", 32},     {"pad", 8}};
  if (!record.is_array() || record.empty())
    fail(Err::LayerTable, path, ": ", field, ": expected pairs of element format and count, got ", record.dump());
  int64_t bytes = 0;
  for (const nlohmann::json &part : record) {
    if (!part.is_array() || part.size() != 2 || !part[0].is_string() || !bits.contains(part[0].get<std::string>()))
      fail(Err::LayerTable, path, ": ", field, ": expected a pair of element format and count, got ", part.dump());
    bytes += (count(part[1], field) * bits.at(part[0].get<std::string>()) + 7) / 8;
  }
  return bytes;
}

CacheUse Reader::cache(const std::string &name, const nlohmann::json &json, bool window) const {
  std::string field = (window ? "/windows/" : "/caches/") + name;
  CacheUse use;
  use.name = name;
  use.entryBytes = recordBytes(member(json, "record", field), field + "/record");
  if (window)
    use.windowTokens = count(member(json, "tokens", field), field + "/tokens");
  else
    use.tokensPerEntry = count(member(json, "tokens_per_entry", field), field + "/tokens_per_entry");
  if (json.contains("holds") && json.at("holds").is_string())
    use.holds = json.at("holds").get<std::string>();
  return use;
}

LayerCaches readLayerTable(const std::string &path) {
  nlohmann::json json = parseJsonFile(path);
  Reader reader{path};
  LayerCaches table;
  const nlohmann::json &model = reader.member(json, "model", "/");
  table.model = model.is_string() ? model.get<std::string>() : model.dump();
  std::map<std::string, size_t> index;
  for (bool window : {false, true}) {
    const char *group = window ? "windows" : "caches";
    if (window && !json.contains(group))
      continue;
    const nlohmann::json &members = reader.member(json, group, "/");
    if (!members.is_object())
      fail(Err::LayerTable, path, ": /", group, ": expected an object, got ", members.dump());
    for (const auto &[name, value] : members.items()) {
      if (!index.try_emplace(name, table.caches.size()).second)
        fail(Err::LayerTable, path, ": /", group, "/", name, ": the name appears twice");
      table.caches.push_back(reader.cache(name, value, window));
    }
  }
  const nlohmann::json &modes = reader.member(json, "modes", "/"), &layers = reader.member(json, "layers", "/");
  if (!layers.is_array())
    fail(Err::LayerTable, path, ": /layers: expected a list of modes, got ", layers.dump());
  for (const nlohmann::json &layer : layers) {
    if (!layer.is_string() || !modes.is_object() || !modes.contains(layer.get<std::string>()))
      fail(Err::LayerTable, path, ": /layers: expected modes of /modes, got ", layer.dump());
    for (const nlohmann::json &cache : modes.at(layer.get<std::string>())) {
      auto found = cache.is_string() ? index.find(cache.get<std::string>()) : index.end();
      if (found == index.end())
        fail(Err::LayerTable, path, ": /modes/", layer.get<std::string>(), ": expected caches or windows, got ", cache.dump());
      ++table.caches[found->second].layers;
    }
  }
  return table;
}

} // namespace cedilla::inspect
