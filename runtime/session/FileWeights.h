//===- FileWeights.h - weight buffers out of mapped tensors ------------------------------------------===//

#pragma once

#include "runtime/io/Safetensors.h"
#include "runtime/session/WeightSource.h"

#include <vector>

namespace cedilla {

/// What checkpoints and packed files share: a buffer is tensors one behind the other.
class FileWeights : public WeightSource {
public:
  const std::byte *mapped(const BufferInfo &buffer) const final;
  void upload(const BufferInfo &buffer, Device &device, DeviceAddress to, LoadProgress &progress) final;
  void copy(const BufferInfo &buffer, std::span<std::byte> to, LoadProgress &progress) final;

  /// The tensors that make up the buffer, checked when the files were opened.
  virtual std::vector<const TensorView *> tensorsOf(const BufferInfo &buffer) const = 0;
};

/// As openWeights, of a model directory and of a packed file (PackedWeights.cpp).
std::unique_ptr<WeightSource> openCheckpointWeights(const Manifest &manifest, const std::string &directory);
std::unique_ptr<WeightSource> openPackedWeights(const Manifest &manifest, const std::string &path);

/// Writes the buffers of weights that were taken from a checkpoint, and how its files were then.
uint64_t writePacked(const Manifest &manifest, const FileWeights &weights, const Checkpoint &from, const std::string &path);

/// Do bytes of dtype `found` mean what the package wants? Scales are bytes whatever the exporter called them; they are
/// always decoded as what the package says.
bool sameDtype(std::string_view wanted, std::string_view found);

} // namespace cedilla
