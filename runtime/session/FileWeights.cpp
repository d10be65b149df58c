//===- FileWeights.cpp - copying mapped tensors to where buffers are ---------------------------------===//

#include "runtime/session/FileWeights.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace cedilla {

/// Pieces are long enough for every way of copying and short enough for progress.
template <typename Take>
static void inPieces(const std::vector<const TensorView *> &tensors, LoadProgress &progress, Take take) {
  constexpr uint64_t piece = uint64_t(256) << 20;
  uint64_t at = 0;
  for (const TensorView *tensor : tensors) {
    for (uint64_t begin = 0; begin < tensor->bytes; begin += piece) {
      uint64_t bytes = std::min(piece, tensor->bytes - begin);
      take(at + begin, tensor->data + begin, bytes);
      progress.add(bytes);
    }
    at += tensor->bytes;
  }
}

const std::byte *FileWeights::mapped(const BufferInfo &buffer) const {
  std::vector<const TensorView *> tensors = tensorsOf(buffer);
  return tensors.size() == 1 ? tensors[0]->data : nullptr;
}

void FileWeights::upload(const BufferInfo &buffer, Device &device, DeviceAddress to, LoadProgress &progress) {
  inPieces(tensorsOf(buffer), progress, [&](uint64_t at, const std::byte *from, uint64_t bytes) {
    device.upload(to + at, from, bytes);
  });
}

void FileWeights::copy(const BufferInfo &buffer, std::span<std::byte> to, LoadProgress &progress) {
  inPieces(tensorsOf(buffer), progress, [&](uint64_t at, const std::byte *from, uint64_t bytes) {
    std::memcpy(to.data() + at, from, bytes);
  });
}

bool sameDtype(std::string_view wanted, std::string_view found) {
  return wanted == found || (wanted == "F8_E8M0" && (found == "U8" || found == "I8"));
}

std::unique_ptr<WeightSource> openWeights(const Manifest &manifest, const std::string &path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) ? openPackedWeights(manifest, path)
                                                         : openCheckpointWeights(manifest, path);
}

void LoadProgress::add(uint64_t bytes) {
  done += bytes;
  progress.show([&] {
    return "weights: " + std::to_string(done / 1000000) + " of " + std::to_string(total / 1000000) +
           " MB loaded";
  });
}

} // namespace cedilla
