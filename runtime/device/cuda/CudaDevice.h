//===- CudaDevice.h - one NVIDIA GPU ---------------------------------------------------------------===//
//
// The state behind the cuda device table. Programs that measure kernels use it directly, for events and
// graphs; everybody else goes through device/Device.h.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/device/cuda/Driver.h"

#include <map>
#include <memory>
#include <vector>

namespace cedilla::cuda {

struct Kernel {
  Function function = nullptr;
  std::string name;
  unsigned threads = 0, sharedBytes = 0;
};

struct LoadedModule {
  Module module = nullptr;
  std::vector<std::unique_ptr<Kernel>> kernels;
};

class Stopwatch;

/// All work goes to one stream, so it is in order.
class CudaDevice {
public:
  explicit CudaDevice(const DeviceOptions &options);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;

  /// Makes this device the calling thread's; every function below does it itself.
  void use() const { check(driver().contextSet(context), "set context"); }
  int attribute(DeviceAttribute which) const;
  std::string describe() const;
  void checkChip(const std::string &chip) const;
  uint64_t freeBytes() const;

  Address allocate(uint64_t bytes, std::string_view what);
  LoadedModule *load(std::span<const std::byte> image, const std::string &where);
  Kernel *find(LoadedModule &module, const KernelInfo &info, const std::string &where);
  void launch(const Launch &launch);
  void synchronize();
  Stopwatch &timer();

  Stream stream = nullptr;

private:
  Ordinal device = 0;
  Context context = nullptr;
  std::unique_ptr<Stopwatch> stopwatch;
  bool checked; ///< wait after every launch, so that a fault names its kernel
};

/// A recorded sequence of launches. Needs the device to outlive it.
class LaunchGraph {
public:
  /// Records what `record` launches on the device's stream.
  template <typename Record>
  LaunchGraph(CudaDevice &device, Record record) : device(device) {
    begin();
    record();
    end();
  }
  ~LaunchGraph();
  LaunchGraph(const LaunchGraph &) = delete;

  void run() { check(driver().graphLaunch(executable, device.stream), "launch graph"); }
  /// Nodes of every kind.
  size_t nodes() const { return nodeCount; }

private:
  void begin();
  void end();
  CudaDevice &device;
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  size_t nodeCount = 0;
};

/// Milliseconds on the device between two points of its stream.
class Stopwatch {
public:
  explicit Stopwatch(CudaDevice &device);
  ~Stopwatch();
  Stopwatch(const Stopwatch &) = delete;
  void start() { record(from); }
  void stop() { record(to); }
  /// Waits for the work between.
  float milliseconds();

private:
  void record(Event event);
  CudaDevice &device;
  Event from = nullptr, to = nullptr;
};

} // namespace cedilla::cuda
