//===- CheckpointWeights.cpp - checkpoint tensors become a package's weight buffers ---------------===//

#include "runtime/base/Error.h"
#include "runtime/package/Package.h"
#include "runtime/package/Sources.h"
#include "runtime/session/FileWeights.h"

namespace cedilla {

//===------------------------------------------------------------------------------------------===//
// Comparing
//===------------------------------------------------------------------------------------------===//

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
class CheckpointWeights final : public FileWeights {
public:
  explicit CheckpointWeights(const std::string &directory) : checkpoint(directory) {}
  const Checkpoint &files() const { return checkpoint; }

  std::vector<const TensorView *> tensorsOf(const BufferInfo &buffer) const override {
    std::vector<const TensorView *> tensors;
    for (const std::string &name : buffer.tensors)
      tensors.push_back(&checkpoint.get(name));
    return tensors;
  }

private:
  Checkpoint checkpoint;
};
} // namespace

static std::unique_ptr<CheckpointWeights> openChecked(const Manifest &manifest, const std::string &directory) {
  auto weights = std::make_unique<CheckpointWeights>(directory);
  checkWeights(manifest, weights->files());
  checkSources(manifest, weights->files());
  return weights;
}

std::unique_ptr<WeightSource> openCheckpointWeights(const Manifest &manifest, const std::string &directory) {
  return openChecked(manifest, directory);
}

uint64_t packWeights(const Manifest &manifest, const std::string &directory, const std::string &path) {
  std::unique_ptr<CheckpointWeights> weights = openChecked(manifest, directory);
  return writePacked(manifest, *weights, weights->files(), path);
}

} // namespace cedilla
