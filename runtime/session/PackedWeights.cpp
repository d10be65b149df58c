//===- PackedWeights.cpp - all weight buffers of a model as one file ----------------------------------===//
//
// A safetensors file: a tensor per weight buffer, by the buffer's name. Its metadata says what it holds ("layout", "tensors":
// digest of the checkpoint names behind each buffer), of which model ("sources": as in the manifest), and what it was made from
// ("files": path, bytes, time of the last change in ns
// since 1970).
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"
#include "runtime/package/Package.h"
#include "runtime/package/Sources.h"
#include "runtime/session/FileWeights.h"

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace fs = std::filesystem;

namespace cedilla {

namespace {
/// A file of the checkpoint, as far as it can be told from the outside.
struct FileState {
  std::string path;
  uint64_t bytes = 0;
  int64_t modified = 0; ///< ns since 1970
  bool operator==(const FileState &) const = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileState, path, bytes, modified)
} // namespace

/// Nothing when there is no such file (any more).
static std::optional<FileState> stateOf(const std::string &path) {
  std::error_code error;
  FileState state{path, fs::file_size(path, error), 0};
  if (error)
    return std::nullopt;
  fs::file_time_type time = fs::last_write_time(path, error);
  state.modified = std::chrono::file_clock::to_sys(time).time_since_epoch() / std::chrono::nanoseconds(1);
  return error ? std::nullopt : std::optional(state);
}

/// A file that is open, by a path that means the same from any folder. The file itself may be a link, which is followed anew each time.
static FileState rememberedFile(const fs::path &file) {
  std::error_code error;
  fs::path folder = fs::canonical(fs::absolute(file).parent_path(), error);
  std::optional<FileState> state = error ? std::nullopt : stateOf((folder / file.filename()).string());
  if (!state)
    fail(Err::ReadFile, file.string(), ": expected a file whose size and time can be read");
  try {
    (void)nlohmann::json(state->path).dump();
  } catch (const nlohmann::json::exception &) {
    fail(Err::ReadFile, "a file of the checkpoint: expected a path of UTF-8, which packed weights can remember, got another one");
  }
  return *state;
}

/// Which tensors are behind a buffer, in which order.
static std::string tensorsDigest(const BufferInfo &buffer) {
  std::string text;
  for (const std::string &name : buffer.tensors)
    text += name + "\n";
  return digestOf(text);
}

static std::vector<int64_t> packedShape(const BufferInfo &buffer) {
  std::vector<int64_t> shape = buffer.tensorShape;
  if (buffer.tensors.size() > 1)
    shape.insert(shape.begin(), int64_t(buffer.tensors.size()));
  return shape;
}

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

uint64_t writePacked(const Manifest &manifest, const FileWeights &weights, const Checkpoint &from, const std::string &path) {
  std::error_code ignored;
  SafetensorsWriter writer(path);
  uint64_t bytes = 0;
  nlohmann::json tensors = nlohmann::json::object(), sources = nlohmann::json::object();
  for (const BufferInfo &buffer : manifest.buffers) {
    if (buffer.kind != "weight")
      continue;
    std::vector<std::span<const std::byte>> pieces;
    for (const TensorView *tensor : weights.tensorsOf(buffer))
      pieces.emplace_back(tensor->data, tensor->bytes);
    writer.addPieces(buffer.name, buffer.dtype, packedShape(buffer), std::move(pieces));
    tensors[buffer.name] = tensorsDigest(buffer);
    bytes += buffer.bytes;
  }
  std::vector<FileState> files;
  for (const std::string &file : from.files()) {
    // It would be its own source.
    if (fs::equivalent(file, path, ignored))
      fail(Err::WriteFile, path, ": cannot be written: the weights are read from it");
    files.push_back(rememberedFile(file));
  }
  for (const SourceInfo &source : manifest.sources)
    sources[source.name] = source.digest;
  writer.setMetadata("layout", manifest.weightLayout);
  writer.setMetadata("tensors", tensors.dump());
  writer.setMetadata("sources", sources.dump());
  writer.setMetadata("files", nlohmann::json(files).dump());
  writer.write();
  return bytes;
}

//===------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------===//

namespace {
class PackedWeights final : public FileWeights {
public:
  explicit PackedWeights(const std::string &path) : file(path) {}
  void check(const Manifest &manifest) const;

  std::vector<const TensorView *> tensorsOf(const BufferInfo &buffer) const override { return {file.find(buffer.name)}; }

private:
  const std::string &text(const std::string &key) const;
  nlohmann::json object(const std::string &key) const;
  void checkSources(const Manifest &manifest) const;
  void checkBuffer(const BufferInfo &buffer, const nlohmann::json &tensors) const;
  void checkFiles() const;

  SafetensorsFile file;
};
} // namespace

const std::string &PackedWeights::text(const std::string &key) const {
  auto it = file.metadata().find(key);
  if (it == file.metadata().end())
    fail(Err::Packed, file.path(), ": expected a model directory or weights that ced-run --pack wrote, got a file without '", key,
         "' in its metadata");
  return it->second;
}

nlohmann::json PackedWeights::object(const std::string &key) const {
  nlohmann::json value = parseJson(file.path() + ": metadata '" + key + "'", text(key));
  if (!value.is_object())
    fail(Err::Packed, file.path(), ": metadata '", key, "': expected an object");
  return value;
}

void PackedWeights::checkSources(const Manifest &manifest) const {
  nlohmann::json sources = object("sources");
  for (const SourceInfo &source : manifest.sources)
    if (auto it = sources.find(source.name); it == sources.end() || *it != source.digest)
      fail(Err::OtherModel, file.path(), ": expected weights packed from a model whose ", source.name, " has the digest ", source.digest,
           ", got ", it == sources.end() ? "none" : it->dump(), ": compile the model again, or pack with this package");
}

void PackedWeights::checkBuffer(const BufferInfo &buffer, const nlohmann::json &tensors) const {
  const TensorView *tensor = file.find(buffer.name);
  if (!tensor)
    fail(Err::Packed, file.path(), ": expected the weight '", buffer.name, "' of this package, got a file without it");
  if (auto it = tensors.find(buffer.name); it == tensors.end() || *it != tensorsDigest(buffer))
    fail(Err::Packed, file.path(), ": weight '", buffer.name, "': expected the ", buffer.tensors.size(), " tensors from '",
         buffer.tensors.front(), "' on, in the package's order, got other ones");
  if (!sameDtype(buffer.dtype, tensor->dtype))
    fail(Err::TensorType, file.path(), ": weight '", buffer.name, "': expected dtype ", buffer.dtype, ", got ", tensor->dtype);
  if (tensor->shape != packedShape(buffer))
    fail(Err::TensorShape, file.path(), ": weight '", buffer.name, "': expected shape ", shapeText(packedShape(buffer)), ", got ",
         shapeText(tensor->shape));
}

/// A checkpoint that was moved or deleted is not missed.
void PackedWeights::checkFiles() const {
  nlohmann::json list = parseJson(file.path() + ": metadata 'files'", text("files"));
  checkWholeNumbers(file.path() + ": metadata 'files'", list);
  std::vector<FileState> files;
  try {
    files = list.get<std::vector<FileState>>();
  } catch (const nlohmann::json::exception &) {
    fail(Err::Packed, file.path(), ": metadata 'files': expected a list of path, bytes and modified");
  }
  for (const FileState &then : files) {
    std::optional<FileState> now = stateOf(then.path);
    if (now && *now != then)
      fail(Err::StalePack, file.path(), ": weights changed since they were packed: ", then.path, ": expected ", then.bytes,
           " bytes, last changed at ", then.modified, " ns since 1970, got ", now->bytes, " bytes, last changed at ", now->modified,
           " ns: pack again, or give the model directory to --weights");
  }
}

void PackedWeights::check(const Manifest &manifest) const {
  if (text("layout") != manifest.weightLayout)
    fail(Err::Packed, file.path(), ": expected weights in the layout '", manifest.weightLayout, "', got '", text("layout"), "'");
  checkSources(manifest);
  nlohmann::json tensors = object("tensors");
  for (const BufferInfo &buffer : manifest.buffers)
    if (buffer.kind == "weight")
      checkBuffer(buffer, tensors);
  checkFiles();
}

std::unique_ptr<WeightSource> openPackedWeights(const Manifest &manifest, const std::string &path) {
  auto weights = std::make_unique<PackedWeights>(path);
  weights->check(manifest);
  return weights;
}

} // namespace cedilla
