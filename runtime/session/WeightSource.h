//===- WeightSource.h - where the bytes of weight buffers come from --------------------------------===//
//
// A checkpoint, a packed file, or numbers made up. Whoever places buffers asks here and does not know which it is.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/base/Progress.h"
#include "runtime/device/Device.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace cedilla {

/// Copied so far, of how much: a line every few seconds while a large model loads.
class LoadProgress {
public:
  explicit LoadProgress(uint64_t total) : total(total) {}
  void add(uint64_t bytes);

private:
  uint64_t total, done = 0;
  Progress progress;
};

class WeightSource {
public:
  virtual ~WeightSource() = default;
  /// The buffer's bytes where they are mapped, if they lie in one piece; null otherwise. They may be
  /// unaligned.
  virtual const std::byte *mapped(const BufferInfo &buffer) const = 0;
  /// Whether the bytes mean nothing, so that parts may stand for the whole.
  virtual bool madeUp() const { return false; }
  /// Fills device memory.
  virtual void upload(const BufferInfo &buffer, Device &device, DeviceAddress to,
                      LoadProgress &progress) = 0;
  /// Fills host memory.
  virtual void copy(const BufferInfo &buffer, std::span<std::byte> to, LoadProgress &progress) = 0;
};

/// Opens a model directory, or a file that packWeights wrote, and compares dtype and shape of each tensor; no weight is
/// read. Fails with all that is wrong summed up: the first mismatch, or the missing tensors and their number.
std::unique_ptr<WeightSource> openWeights(const Manifest &manifest, const std::string &path);

/// Writes the weight buffers of the package in the form in which every program reads them (kWeightLayout), each in one piece,
/// as one safetensors file that packages of this model bind in place of the directory: on the CPU nothing of it is copied.
/// Streams: no tensor is in memory as a whole. The file remembers the files it was made from; while they are where they
/// were, it is refused when one of them has changed. Returns the bytes of the weights.
uint64_t packWeights(const Manifest &manifest, const std::string &directory, const std::string &path);

/// Made up from a seed (runtime/synthetic); needs no file.
std::unique_ptr<WeightSource> makeSyntheticWeights(uint64_t seed);

} // namespace cedilla
