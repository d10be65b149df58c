//===- WriteModel.cpp - tensors, shards, index, token map
//---------------------------------------------------------===//

#include "tools/ced-make-checkpoint/WriteModel.h"

#include "compiler/import/TensorNames.h"
#include "dialects/ced/reference/Numbers.h"
#include "runtime/base/Error.h"
#include "runtime/synthetic/Random.h"
#include "runtime/synthetic/Statistics.h"
#include "tools/ced-make-checkpoint/Encode.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace fs = std::filesystem;

namespace cedilla::synthetic {

//===------------------------------------------------------------------------------------------===//
// One weight
//===------------------------------------------------------------------------------------------===//

static Spread spreadOf(const Weight &weight) {
  Spread spread;
  if (!findSpread(weight.name, weight.shape.back(), spread))
    failInternal("no statistics for weight '", weight.name, "'");
  return spread;
}

/// Values of a weight seen as a matrix with the last dim as columns.
static Value valuesOf(const Weight &weight, uint64_t seed) {
  Spread spread = spreadOf(weight);
  Stream own(seed, weight.name), shared(seed, weight.name + "#common");
  int64_t cols = weight.shape.back();
  return [=](int64_t row, int64_t col) {
    float value = spread.mean + spread.deviation * own.normal(row * cols + col);
    return spread.common == 0 ? value : value + spread.common * shared.normal(col);
  };
}

static int64_t rowsOf(const Weight &weight) {
  return std::accumulate(weight.shape.begin(), weight.shape.end() - 1, int64_t(1),
                         std::multiplies<>());
}

/// Puts plain values, each as `Stored`, one behind the other.
template <typename Stored, typename Convert>
static SafetensorsWriter::Fill plainFill(const Weight &weight, uint64_t seed, Convert convert) {
  return [=, value = valuesOf(weight, seed)](std::span<std::byte> out) {
    int64_t cols = weight.shape.back();
    for (int64_t row = 0; row < rowsOf(weight); ++row)
      for (int64_t col = 0; col < cols; ++col) {
        Stored stored = convert(value(row, col));
        std::memcpy(&out[(row * cols + col) * sizeof(Stored)], &stored, sizeof(Stored));
      }
  };
}

static Blocks blocksOf(const Weight &weight, const ModelConfig &config) {
  bool tiles = weight.format == WeightFormat::FP8;
  return {rowsOf(weight), weight.shape.back(), tiles ? config.blockRows : 1,
          tiles ? config.blockCols : 32, weight.format == WeightFormat::FP4};
}

/// The writers of a weight's stored tensors, in the order of storedTensors.
static std::vector<SafetensorsWriter::Fill> fillsOf(const Weight &weight, const ModelConfig &config,
                                                    uint64_t seed) {
  if (weight.format == WeightFormat::BF16)
    return {plainFill<uint16_t>(weight, seed,
                                [](float value) { return reference::toBF16(value).bits; })};
  if (weight.format == WeightFormat::F32)
    return {plainFill<float>(weight, seed, [](float value) { return value; })};
  Blocks blocks = blocksOf(weight, config);
  Value value = valuesOf(weight, seed);
  return {[=](std::span<std::byte> out) { encodeCodes(blocks, value, out); },
          [=](std::span<std::byte> out) { encodeScales(blocks, value, out); }};
}

//===------------------------------------------------------------------------------------------===//
// Files
//===------------------------------------------------------------------------------------------===//

namespace {
/// A tensor to be written, with its size.
struct Planned {
  StoredTensor tensor;
  uint64_t bytes;
  SafetensorsWriter::Fill fill;
};
using Shard = std::vector<Planned>;
} // namespace

static std::vector<Shard> planShards(const ModelConfig &config, const Options &options) {
  std::vector<Shard> shards(1);
  uint64_t held = 0;
  for (const Weight &weight : expectedWeights(config)) {
    if (weight.format == WeightFormat::TokenMap)
      continue;
    std::vector<SafetensorsWriter::Fill> fills = fillsOf(weight, config, options.seed);
    size_t part = 0;
    for (StoredTensor &tensor : storedTensors(weight, config)) {
      uint64_t bytes = dtypeBits(tensor.dtype) / 8;
      for (int64_t dim : tensor.shape)
        bytes *= dim;
      if (held && held + bytes > options.shardBytes) {
        shards.emplace_back();
        held = 0;
      }
      held += bytes;
      shards.back().push_back({std::move(tensor), bytes, options.headersOnly ? nullptr : fills[part]});
      ++part;
    }
  }
  return shards;
}

static void writeText(const fs::path &path, const std::string &text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush())
    fail(Err::WriteFile, path.string(), ": cannot be written");
}

static std::string shardName(size_t number, size_t count) {
  if (count == 1)
    return "model.safetensors";
  char name[64];
  std::snprintf(name, sizeof name, "model-%05zu-of-%05zu.safetensors", number + 1, count);
  return name;
}

static uint64_t writeShards(const std::vector<Shard> &shards, const fs::path &folder) {
  nlohmann::json map = nlohmann::json::object();
  uint64_t total = 0;
  for (size_t i = 0; i < shards.size(); ++i) {
    std::string name = shardName(i, shards.size());
    SafetensorsWriter writer((folder / name).string());
    for (const Planned &planned : shards[i]) {
      writer.add(planned.tensor.name, planned.tensor.dtype, planned.tensor.shape, planned.fill);
      map[planned.tensor.name] = name;
      total += planned.bytes;
    }
    writer.write();
  }
  if (shards.size() > 1) {
    nlohmann::json index = {{"metadata", {{"total_size", total}}}, {"weight_map", map}};
    writeText(folder / "model.safetensors.index.json", index.dump(2) + "\n");
  }
  return total;
}

/// A stand-in for the tokenizer's map: ids in first-seen order, as a real one numbers them.
static void writeTokenMap(const ModelConfig &config, const fs::path &folder) {
  const EngramConfig &engram = config.engram;
  std::vector<int32_t> map(config.vocab);
  for (int64_t token = 0; token < config.vocab; ++token)
    map[token] = static_cast<int32_t>(token % engram.compressedVocab);
  SafetensorsWriter writer((folder / "engram_token_map.safetensors").string());
  writer.add("token_map", "I32", {config.vocab}, std::as_bytes(std::span(map)));
  auto addConstants = [&](const char *name, std::vector<int64_t> EngramLayer::*member) {
    std::vector<int64_t> all;
    for (const EngramLayer &layer : engram.layers)
      all.insert(all.end(), (layer.*member).begin(), (layer.*member).end());
    int64_t layers = engram.layers.size(), columns = all.size() / engram.layers.size();
    writer.add(name, "I64", {layers, columns}, std::as_bytes(std::span(all)));
  };
  addConstants("multipliers", &EngramLayer::multipliers);
  addConstants("primes", &EngramLayer::primes);
  addConstants("offsets", &EngramLayer::offsets);
  writer.write();
}

namespace {
/// What a run added to the file system; gone again unless the run reached its end.
struct Added {
  std::vector<fs::path> paths;
  void watch(const fs::path &path) {
    if (!fs::exists(path))
      paths.push_back(path);
  }
  ~Added() {
    std::error_code ignored;
    for (auto path = paths.rbegin(); path != paths.rend(); ++path)
      fs::remove(*path, ignored);
  }
};
} // namespace

uint64_t writeModel(const ModelConfig &config, const Options &options) {
  fs::path folder(options.directory);
  Added added;
  added.watch(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    fail(Err::WriteFile, options.directory, ": cannot be created: ", error.message());
  // Weights of an earlier run would be read beside these.
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("model"))
      fail(Err::WriteFile, options.directory, ": expected a folder without a model, found ",
           entry.path().filename().string());
  std::vector<Shard> shards = planShards(config, options);
  for (const char *name : {"config.json", "engram_token_map.safetensors", "model.safetensors.index.json"})
    added.watch(folder / name);
  for (size_t i = 0; i < shards.size(); ++i)
    added.watch(folder / shardName(i, shards.size()));
  fs::path target = folder / "config.json";
  if (!fs::exists(target) || !fs::equivalent(config.file, target))
    fs::copy_file(config.file, target, fs::copy_options::overwrite_existing);
  if (!config.engram.layers.empty())
    writeTokenMap(config, folder);
  uint64_t bytes = writeShards(shards, folder);
  added.paths.clear();
  return bytes;
}

} // namespace cedilla::synthetic
