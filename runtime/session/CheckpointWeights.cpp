//===- CheckpointWeights.cpp - checkpoint tensors become a package's weight buffers ---------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Safetensors.h"
#include "runtime/package/Package.h"
#include "runtime/package/Sources.h"
#include "runtime/session/WeightSource.h"

#include <algorithm>
#include <cstring>

namespace cedilla {

//===------------------------------------------------------------------------------------------===//
// Comparing
//===------------------------------------------------------------------------------------------===//

/// Scales are bytes whatever the exporter called them; they are always decoded as what the package says.
static bool sameDtype(std::string_view wanted, std::string_view found) {
  return wanted == found || (wanted == "F8_E8M0" && (found == "U8" || found == "I8"));
}

static void checkTensor(const BufferInfo &buffer, const TensorView &tensor,
                        const std::string &directory) {
  if (!sameDtype(buffer.dtype, tensor.dtype))
    fail(Err::TensorType, directory, ": tensor '", tensor.name, "': expected dtype ", buffer.dtype, ", got ",
         tensor.dtype);
  if (tensor.shape != buffer.tensorShape)
    fail(Err::TensorShape, directory, ": tensor '", tensor.name, "': expected shape ",
         shapeText(buffer.tensorShape), ", got ", shapeText(tensor.shape));
}

static void checkWeights(const Manifest &manifest, const Checkpoint &checkpoint) {
  size_t missing = 0, wanted = 0;
  std::string first;
  for (const BufferInfo &buffer : manifest.buffers) {
    if (buffer.kind != "weight")
      continue;
    for (const std::string &name : buffer.tensors) {
      ++wanted;
      // A side file that is absent has its own message, with the way to make it.
      const TensorView *tensor = name.find(':') == std::string::npos ? checkpoint.find(name)
                                                                      : &checkpoint.get(name);
      if (tensor)
        checkTensor(buffer, *tensor, checkpoint.directory());
      else if (missing++ == 0)
        first = name;
    }
  }
  if (missing)
    fail(Err::TensorMissing, checkpoint.directory(), ": tensor '", first, "' is not in the checkpoint (", missing,
         " of the ", wanted, " tensors this package needs are missing)");
}

//===------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------===//

namespace {
class CheckpointWeights final : public WeightSource {
public:
  explicit CheckpointWeights(const std::string &directory) : checkpoint(directory) {}
  const Checkpoint &files() const { return checkpoint; }

  const std::byte *mapped(const BufferInfo &buffer) const override {
    return buffer.tensors.size() == 1 ? checkpoint.get(buffer.tensors[0]).data : nullptr;
  }
  void upload(const BufferInfo &buffer, Device &device, DeviceAddress to,
              LoadProgress &progress) override {
    inPieces(buffer, progress, [&](uint64_t at, const std::byte *from, uint64_t bytes) {
      device.upload(to + at, from, bytes);
    });
  }
  void copy(const BufferInfo &buffer, std::span<std::byte> to, LoadProgress &progress) override {
    inPieces(buffer, progress, [&](uint64_t at, const std::byte *from, uint64_t bytes) {
      std::memcpy(to.data() + at, from, bytes);
    });
  }

private:
  template <typename Take>
  void inPieces(const BufferInfo &buffer, LoadProgress &progress, Take take) const;

  Checkpoint checkpoint;
};
} // namespace

/// Pieces are long enough for every way of copying and short enough for progress.
template <typename Take>
void CheckpointWeights::inPieces(const BufferInfo &buffer, LoadProgress &progress,
                                 Take take) const {
  constexpr uint64_t piece = uint64_t(256) << 20;
  uint64_t at = 0;
  for (const std::string &name : buffer.tensors) {
    const TensorView &tensor = checkpoint.get(name);
    for (uint64_t begin = 0; begin < tensor.bytes; begin += piece) {
      uint64_t bytes = std::min(piece, tensor.bytes - begin);
      take(at + begin, tensor.data + begin, bytes);
      progress.add(bytes);
    }
    at += tensor.bytes;
  }
}

std::unique_ptr<WeightSource> openCheckpointWeights(const Manifest &manifest,
                                                    const std::string &directory) {
  auto weights = std::make_unique<CheckpointWeights>(directory);
  checkWeights(manifest, weights->files());
  checkSources(manifest, weights->files());
  return weights;
}

void LoadProgress::add(uint64_t bytes) {
  done += bytes;
  progress.show([&] {
    return "weights: " + std::to_string(done / 1000000) + " of " + std::to_string(total / 1000000) +
           " MB loaded";
  });
}

} // namespace cedilla
