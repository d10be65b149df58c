//===- Gpu.h - an NVIDIA GPU as a bench sees it -----------------------------------------------===//
//
// Beside what a device of the runtime does, a bench records launches into a graph and times
// replays.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/device/cuda/Driver.h"
#include "runtime/package/Manifest.h"

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace cedilla::bench {

class Gpu {
public:
  explicit Gpu(int ordinal);
  ~Gpu();
  Gpu(const Gpu &) = delete;

  std::string describe() const;
  int attribute(int which) const;
  int64_t l2Bytes() const;

  cuda::Address allocate(uint64_t bytes);
  void release(cuda::Address address);
  void fill(cuda::Address to, uint8_t byte, uint64_t bytes);
  void upload(cuda::Address to, const void *from, uint64_t bytes);
  void download(void *to, cuda::Address from, uint64_t bytes);
  void copy(cuda::Address to, cuda::Address from, uint64_t bytes);
  void synchronize();

  /// The kernel of an image, ready for its threads and shared memory. Images are loaded once.
  cuda::Function kernel(std::span<const std::byte> image, const KernelInfo &info);
  int registersOf(cuda::Function function) const;
  /// A kernel that waits for its predecessor itself is launched so that it may begin before that ends.
  void launch(cuda::Function function, const KernelInfo &info,
              std::span<const cuda::Address> buffers, int64_t rows, std::array<int64_t, 3> grid);

  /// Records what `record` does on this GPU and returns the seconds of each of `replays` replays,
  /// after three that are not counted.
  std::vector<double> timeGraph(const std::function<void()> &record, int replays);
  /// Bytes per second, read and written together, of a large copy on the device; warms it up.
  double measureCopyRate();

private:
  const cuda::Driver &api;
  cuda::DeviceId id = 0;
  cuda::Context context = nullptr;
  cuda::Stream stream = nullptr;
  cuda::Event from = nullptr, to = nullptr;
  std::map<const std::byte *, cuda::Module> modules;
};

} // namespace cedilla::bench
