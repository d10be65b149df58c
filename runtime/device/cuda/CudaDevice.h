//===- CudaDevice.h - an opened GPU ------------------------------------------------------------------===//
//
// One device of the driver with its own stream: everything goes there, so it happens in order. The
// functions of the table are spread over files by subject: CudaDevice.cpp (opening, time), Memory.cpp,
// HostMemory.cpp, RepeatedMemory.cpp, Code.cpp,
// Recordings.cpp.
//
// The primary context is shared with whatever else the process does on the GPU, and made current in
// every call, since calls may come from different threads.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/device/cuda/Driver.h"

#include <vector>

namespace cedilla::cuda {

/// Page-locked memory through which long copies go: while one half travels, the other is filled or read.
struct Bounce {
  static constexpr uint64_t halfBytes = uint64_t(16) << 20;
  struct Half {
    std::byte *memory = nullptr;
    Event done = nullptr; ///< of the copy that used it last
    bool used = false;
  } halves[2];
};

struct CudaDevice {
  explicit CudaDevice(const Driver &api) : api(api) {}
  const Driver &api;
  DeviceId id = 0;
  int ordinal = 0;
  Context context = nullptr;
  Stream stream = nullptr;
  std::string name;
  int capability = 0; ///< 90 for 9.0
  int maxShared = 0, multiprocessors = 0;
  bool dependent = true; ///< whether kernels that could be launched early are
  Event started = nullptr, stopped = nullptr;
  Bounce bounce;                  ///< allocated when first needed
  std::byte *ring = nullptr;      ///< page-locked, for short uploads; allocated when first needed
  uint64_t ringUsed = 0;
  struct Repeated {
    Address address = 0;
    uint64_t bytes = 0, mapped = 0;
    MemoryHandle handle = 0;
  };
  std::vector<Repeated> repeated;
  std::vector<void *> parameters;    ///< of the launch in progress
  std::vector<int32_t> phaseNumbers; ///< likewise
};

/// The device with its context current.
CudaDevice &cudaOf(void *self);

/// Kernels report their faults at the next call that waits; the message must not blame that call.
inline constexpr const char *laterFault =
    " (an earlier kernel may be the cause: CEDILLA_CHECK_EACH_KERNEL=1 names it)";

// Memory.cpp
uint64_t freeBytes(void *self);
DeviceAddress allocate(void *self, uint64_t bytes, std::string_view what);
void release(void *self, DeviceAddress address);
void fill(void *self, DeviceAddress to, uint8_t byte, uint64_t bytes);
void upload(void *self, DeviceAddress to, const void *from, uint64_t bytes);
void download(void *self, void *to, DeviceAddress from, uint64_t bytes);
void copy(void *self, DeviceAddress to, DeviceAddress from, uint64_t bytes);
void releaseBounce(CudaDevice &device);

// RepeatedMemory.cpp
DeviceAddress allocateRepeated(void *self, uint64_t bytes, uint64_t *distinct,
                               std::string_view what);
void releaseRepeated(void *self, DeviceAddress address);

// HostMemory.cpp
bool mapHost(void *self, const void *memory, uint64_t bytes, DeviceAddress *address);
void unmapHost(void *self, const void *memory);
HostBlock allocateHost(void *self, uint64_t bytes, std::string_view what);
void releaseHost(void *self, const HostBlock &block);

// Code.cpp
void *loadModule(void *self, std::span<const std::byte> image, const ObjectInfo &info,
                 const std::string &where);
void unloadModule(void *self, void *module);
void *getKernel(void *self, void *module, const KernelInfo &info, const std::string &where);
void launch(void *self, const Launch &launch);

Module moduleOf(void *module); ///< the driver's, of one from loadModule

// Trace.cpp
std::vector<std::vector<TraceEvent>> takeTrace(void *self, void *module, const std::string &symbol);

// Recordings.cpp
void *record(void *self, const std::function<void()> &work);
void replay(void *self, void *recording);
void forget(void *self, void *recording);
RecordedWork countWork(void *self, void *recording);
std::vector<double> timeEach(void *self, std::span<const Launch> launches, int repeats);

} // namespace cedilla::cuda
