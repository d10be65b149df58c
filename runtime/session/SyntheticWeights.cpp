//===- SyntheticWeights.cpp - weights made up from a seed ------------------------------------------===//
//
// A few MiB per buffer are made on the host; the rest of a large buffer is copies of them, made where the
// buffer lies: 150 GB take seconds.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/session/WeightSource.h"
#include "runtime/synthetic/Pattern.h"

#include <algorithm>
#include <cstring>

namespace cedilla {

namespace {
class SyntheticWeights final : public WeightSource {
public:
  explicit SyntheticWeights(uint64_t seed) : seed(seed) {}

  const std::byte *mapped(const BufferInfo &) const override { return nullptr; }
  bool madeUp() const override { return true; }

  void upload(const BufferInfo &buffer, Device &device, DeviceAddress to,
              LoadProgress &progress) override {
    std::vector<std::byte> pattern = synthetic::makePattern(buffer, seed);
    device.upload(to, pattern.data(), pattern.size());
    repeat(buffer, pattern.size(), progress, [&](uint64_t at, uint64_t bytes) {
      device.copy(to + at, to, bytes);
    });
  }
  void copy(const BufferInfo &buffer, std::span<std::byte> to, LoadProgress &progress) override {
    std::vector<std::byte> pattern = synthetic::makePattern(buffer, seed);
    std::memcpy(to.data(), pattern.data(), pattern.size());
    repeat(buffer, pattern.size(), progress, [&](uint64_t at, uint64_t bytes) {
      std::memcpy(to.data() + at, to.data(), bytes);
    });
  }

private:
  /// Each copy doubles what is there.
  template <typename Copy>
  static void repeat(const BufferInfo &buffer, uint64_t done, LoadProgress &progress, Copy copy) {
    progress.add(done);
    while (done < buffer.bytes) {
      uint64_t bytes = std::min(done, buffer.bytes - done);
      copy(done, bytes);
      done += bytes;
      progress.add(bytes);
    }
  }

  uint64_t seed;
};
} // namespace

std::unique_ptr<WeightSource> makeSyntheticWeights(uint64_t seed) {
  return std::make_unique<SyntheticWeights>(seed);
}

} // namespace cedilla
