//===- Checkpoint.cpp - a directory of safetensors files
//--------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"
#include "runtime/io/Safetensors.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace cedilla {

namespace {
/// Shard file name → the tensors the index says it holds.
using ShardNames = std::map<std::string, std::vector<std::string>>;

/// Files of a model directory that no download contains, and how they come to be.
struct SideFile {
  std::string_view name, howTo;
};
constexpr SideFile knownSideFiles[] = {
    {"engram_token_map.safetensors",
     "the checkpoint lacks the map from token ids to compressed ids; make it from the model's "
     "tokenizer.json with models/deepseek_v41/make_token_map.py and put it beside config.json"},
};
} // namespace

/// Fails, in the file system's words, where a path is none: too long, a loop of links.
static bool isThere(const fs::path &path) {
  std::error_code error;
  bool there = fs::exists(path, error);
  if (error)
    fail(Err::ModelFiles, path.string(), ": ", error.message());
  return there;
}

static ShardNames readIndex(const std::string &path) {
  nlohmann::json index = parseJsonFile(path);
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object())
    fail(Err::CheckpointIndex, path, ": expected an object 'weight_map'");
  ShardNames shards;
  for (const auto &[tensor, shard] : index["weight_map"].items()) {
    if (!shard.is_string())
      fail(Err::CheckpointIndex, path, ": /weight_map/", tensor, ": expected a file name, got ", shard.dump());
    std::string name = shard.get<std::string>();
    // The file system would take a NUL for the end of the name.
    if (name.empty() || name == "." || name == ".." || fs::path(name).filename() != name || name.find('\0') != name.npos)
      fail(Err::CheckpointIndex, path, ": /weight_map/", tensor, ": expected a file name without folders, got '", name,
           "'");
    shards[name].push_back(tensor);
  }
  if (shards.empty())
    fail(Err::CheckpointIndex, path, ": /weight_map: expected at least one tensor, got none");
  return shards;
}

/// A shard that is not there at all, or holds nothing, is found before anything is opened.
static void checkAllPresent(const std::string &indexPath, const fs::path &dir,
                            const ShardNames &shards) {
  std::string files;
  size_t missing = 0, tensors = 0;
  for (const auto &[name, names] : shards) {
    if (isThere(dir / name))
      continue;
    ++missing;
    tensors += names.size();
    files += (files.empty() ? "" : ", ") + name;
  }
  if (missing)
    fail(Err::Shards, indexPath, ": missing ", missing, " of ", shards.size(), " shards with ", tensors,
         " tensors: ", files, " (download incomplete?)");
}

/// The index names tensors its shard lacks: says whether the shard is another model's, another
/// revision's, or the tensor lies elsewhere.
static void checkDeclared(const std::string &indexPath, const SafetensorsFile &shard,
                          const std::vector<std::string> &names, const TensorMap &all) {
  size_t absent = 0;
  const std::string *first = nullptr;
  for (const std::string &name : names) {
    if (shard.find(name))
      continue;
    ++absent;
    if (!first)
      first = &name;
  }
  if (!absent)
    return;
  std::string file = fs::path(shard.path()).filename().string();
  if (all.contains(*first))
    fail(Err::Shards, indexPath, ": tensor '", *first, "': expected in '", file,
         "', found in another shard: ", "the index and the shards are of different revisions");
  if (absent == names.size())
    fail(Err::Shards, indexPath, ": tensor '", *first, "': '", file, "' has none of the ", names.size(),
         " tensors the index expects in it: the shard belongs to another model");
  fail(Err::Shards, indexPath, ": tensor '", *first, "': '", file, "' lacks ", absent, " of the ", names.size(),
       " tensors the index expects in it: the shard is of another revision than the index");
}

//===------------------------------------------------------------------------------------------===//
// Checkpoint
//===------------------------------------------------------------------------------------------===//

Checkpoint::Checkpoint(const std::string &directory) : dir(directory) {
  fs::path folder(directory);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    fail(Err::ModelFiles, directory, ": expected a model directory");
  fs::path single = folder / "model.safetensors", sharded = folder / "model.safetensors.index.json";
  if (isThere(sharded))
    openSharded(sharded.string());
  else if (isThere(single))
    openSingle(single.string());
  else
    fail(Err::ModelFiles, directory, ": expected model.safetensors or model.safetensors.index.json");
}

void Checkpoint::openSingle(const std::string &path) {
  shards.push_back(std::make_unique<SafetensorsFile>(path));
  add(*shards.back());
}

void Checkpoint::openSharded(const std::string &indexPath) {
  index = indexPath;
  ShardNames names = readIndex(indexPath);
  checkAllPresent(indexPath, dir, names);
  for (const auto &entry : names) {
    shards.push_back(std::make_unique<SafetensorsFile>((fs::path(dir) / entry.first).string()));
    add(*shards.back());
  }
  size_t i = 0;
  for (const auto &entry : names)
    checkDeclared(indexPath, *shards[i++], entry.second, byName);
  // Two sets of weights in one folder: there is no telling which one is meant.
  if (isThere(fs::path(dir) / "model.safetensors") && !names.contains("model.safetensors"))
    fail(Err::ModelFiles, dir, ": has both model.safetensors and an index that does not name it; remove one");
}

void Checkpoint::add(const SafetensorsFile &shard) {
  for (const auto &[name, view] : shard.tensors())
    if (!byName.emplace(name, view).second)
      fail(Err::Shards, shard.path(), ": tensor '", name, "': already in another shard");
}

std::vector<std::string> Checkpoint::files() const {
  std::vector<std::string> paths;
  if (!index.empty())
    paths.push_back(index);
  for (const auto &shard : shards)
    paths.push_back(shard->path());
  std::lock_guard lock(sideMutex);
  for (const auto &entry : sides)
    paths.push_back(entry.second->path());
  return paths;
}

const SafetensorsFile *Checkpoint::sideFile(std::string_view fileName) const {
  std::lock_guard lock(sideMutex);
  auto it = sides.find(fileName);
  if (it != sides.end())
    return it->second.get();
  fs::path path = fs::path(dir) / fileName;
  if (fileName.find('/') != std::string_view::npos || !isThere(path)) // a name out of a package leads nowhere else
    return nullptr;
  auto file = std::make_unique<SafetensorsFile>(path.string());
  return sides.emplace(fileName, std::move(file)).first->second.get();
}

const TensorView *Checkpoint::find(std::string_view name) const {
  auto it = byName.find(name);
  if (it != byName.end())
    return &it->second;
  size_t colon = name.find(':');
  if (colon == std::string_view::npos)
    return nullptr;
  const SafetensorsFile *file = sideFile(name.substr(0, colon));
  return file ? file->find(name.substr(colon + 1)) : nullptr;
}

const TensorView &Checkpoint::get(std::string_view name) const {
  if (const TensorView *view = find(name))
    return *view;
  std::string_view fileName = name.substr(0, name.find(':'));
  if (fileName == name)
    fail(Err::TensorMissing, dir, ": tensor '", name, "' is not in the checkpoint");
  if (sideFile(fileName))
    fail(Err::SideFile, dir, "/", fileName, ": tensor '", name.substr(fileName.size() + 1),
         "' is not in the file");
  for (const SideFile &known : knownSideFiles)
    if (known.name == fileName)
      fail(Err::SideFile, dir, "/", fileName, ": no such file: ", known.howTo);
  fail(Err::SideFile, dir, "/", fileName, ": no such file");
}

} // namespace cedilla
