//===- Safetensors.h - reading and writing tensors as checkpoints store them
//----------------------===//
//
// One file (SafetensorsFile), a model directory of one or many files (Checkpoint), and a writer.
// Files are mapped, never copied; everything a header says is checked before the first tensor is
// handed out, so whoever gets a TensorView may read all of its bytes. Knows no model and no MLIR.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/io/MappedFile.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cedilla {

/// A tensor in a mapped file; lives as long as the file's object. `data` may be unaligned for its
/// type.
struct TensorView {
  std::string name;
  std::string dtype; ///< safetensors spelling: "BF16", "F32", "F8_E4M3", "F8_E8M0", "I8", …
  std::vector<int64_t> shape;
  const std::byte *data = nullptr;
  uint64_t bytes = 0;
};

/// Bits of one element of a safetensors dtype; 0 for an unknown one.
int64_t dtypeBits(std::string_view dtype);

/// Do the bytes of dtype `found` mean what `expected` asks for? Equal ones do; scale bytes may be
/// stored as U8 or I8 (never multiplied as numbers: they are exponents), and packed FP4 codes as U8
/// for I8.
bool readsAs(std::string_view expected, std::string_view found);

/// "[2, 3]".
std::string shapeText(std::span<const int64_t> shape);

/// Shared by readers and checks: names sort and look up without building strings.
using TensorMap = std::map<std::string, TensorView, std::less<>>;

/// One safetensors file, opened and completely checked.
class SafetensorsFile {
public:
  /// Fails with one line that starts with the path when the file is not what it should be.
  explicit SafetensorsFile(const std::string &path);

  const std::string &path() const { return filePath; }
  const TensorMap &tensors() const { return byName; }
  /// The header's `__metadata__` strings.
  const std::map<std::string, std::string> &metadata() const { return meta; }
  /// Null when the file has no such tensor.
  const TensorView *find(std::string_view name) const;

private:
  std::string filePath;
  MappedFile file;
  TensorMap byName;
  std::map<std::string, std::string> meta;
};

/// A model directory: `model.safetensors`, or `model.safetensors.index.json` and the shards it
/// names.
///
/// A name of the form `file.safetensors:tensor` reaches a tensor of another file of the directory
/// (the Engram token map is `engram_token_map.safetensors:token_map`). Looking up is thread-safe.
class Checkpoint {
public:
  /// Missing shards are all listed before any shard is opened; then every shard is checked, no
  /// tensor may be in two, and the index may name nothing that its shard lacks.
  explicit Checkpoint(const std::string &directory);

  const std::string &directory() const { return dir; }
  /// Paths of the index and of the model files, then of the side files that were looked into so far.
  std::vector<std::string> files() const;
  /// Tensors of the model files, side files not included.
  const TensorMap &tensors() const { return byName; }
  /// Null when there is no such tensor, or no such side file.
  const TensorView *find(std::string_view name) const;
  /// Fails, naming the tensor, when there is none; says how to make a side file that is not there.
  const TensorView &get(std::string_view name) const;

private:
  void openSingle(const std::string &path);
  void openSharded(const std::string &indexPath);
  void add(const SafetensorsFile &shard);
  const SafetensorsFile *sideFile(std::string_view fileName) const;

  std::string dir, index; ///< index: its path, empty with a single file
  std::vector<std::unique_ptr<SafetensorsFile>> shards;
  TensorMap byName;
  mutable std::mutex sideMutex;
  mutable std::map<std::string, std::unique_ptr<SafetensorsFile>, std::less<>> sides;
};

/// Collects tensors and writes them as one file, under a temporary name that is renamed when
/// complete: a failed or killed write leaves no file of the final name.
class SafetensorsWriter {
public:
  using Fill = std::function<void(std::span<std::byte>)>;

  explicit SafetensorsWriter(std::string path) : path(std::move(path)) {}
  /// `fill` is called once, by write(), with a buffer of the tensor's size: a big file is never in
  /// memory as a whole. An empty function: zeros that are not written.
  void add(std::string name, std::string dtype, std::vector<int64_t> shape, Fill fill);
  /// Copies `data`, whose size must be that of the shape.
  void add(std::string name, std::string dtype, std::vector<int64_t> shape,
           std::span<const std::byte> data);
  /// Bytes that lie elsewhere, one piece behind the other, and stay there until write(): nothing is copied before.
  void addPieces(std::string name, std::string dtype, std::vector<int64_t> shape,
                 std::vector<std::span<const std::byte>> pieces);
  void setMetadata(std::string key, std::string value) { meta[std::move(key)] = std::move(value); }
  void write();

private:
  struct Entry {
    std::string name, dtype;
    std::vector<int64_t> shape;
    uint64_t bytes;
    Fill fill;
    std::vector<std::span<const std::byte>> pieces = {};
  };
  std::string header() const;

  std::string path;
  std::vector<Entry> entries;
  std::map<std::string, std::string> meta;
};

} // namespace cedilla
