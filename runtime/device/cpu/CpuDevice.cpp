//===- CpuDevice.cpp - the cpu device: native code on threads -------------------------------------===//
//
// Addresses are host pointers. Launches run at once and are finished when they return.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/device/Device.h"
#include "runtime/device/HostBytes.h"
#include "runtime/device/cpu/CpuFeatures.h"
#include "runtime/device/cpu/Image.h"
#include "runtime/device/cpu/ThreadPool.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <sys/mman.h>

namespace cedilla {

namespace {
struct CpuKernel {
  cpu::KernelFunction function;
  size_t arenaBytes;
};

struct CpuModule {
  CpuModule(std::span<const std::byte> bytes, const std::string &where) : image(bytes, where) {}
  cpu::Image image;
  std::vector<std::unique_ptr<CpuKernel>> kernels;
};

struct CpuDevice {
  explicit CpuDevice(const DeviceOptions &options)
      : pool(options.threads), poison(options.poison), chip(options.chip),
        features(options.features.empty() ? cpu::foundFeatures() : options.features) {}
  cpu::ThreadPool pool;
  bool poison;
  std::string chip; ///< the only one to run; empty: any
  std::vector<std::string_view> features;
  std::map<DeviceAddress, uint64_t> sizes; ///< of allocations
  std::vector<void *> arguments;           ///< of the launch in progress
  std::chrono::steady_clock::time_point started;
};
} // namespace

static CpuDevice &cpuOf(void *self) { return *static_cast<CpuDevice *>(self); }
static void *pointer(DeviceAddress address) { return reinterpret_cast<void *>(address); }

static void *open(const DeviceOptions &options) {
  auto device = std::make_unique<CpuDevice>(options);
  if (!options.chip.empty()) // said at once, before a package is looked into
    cpu::checkFeatures(options.chip, device->features);
  return device.release();
}
static void close(void *self) { delete &cpuOf(self); }

static std::string describe(void *self) {
  return "cpu, " + std::to_string(cpuOf(self).pool.size()) + " threads";
}

static void checkChip(void *self, const std::string &chip) {
  const CpuDevice &device = cpuOf(self);
  if (!device.chip.empty() && chip != device.chip)
    fail(Err::NoCode, "device 'cpu:", device.chip, "' runs chip '", device.chip, "' alone, the package holds '", chip, "'");
  cpu::checkFeatures(chip, device.features);
}

static uint64_t freeBytes(void *) { return availableHostBytes(); }

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

// Mapped, not allocated: zero without touching it. A cache for 1M tokens costs what is used of it.
static DeviceAddress allocate(void *self, uint64_t bytes, std::string_view what) {
  uint64_t size = std::max<uint64_t>(bytes, 1);
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fail(Err::DeviceMemory, "cpu: cannot allocate ", bytes, " bytes for ", what, ": ", std::strerror(errno));
  auto address = reinterpret_cast<DeviceAddress>(memory);
  cpuOf(self).sizes[address] = size;
  return address;
}

static void release(void *self, DeviceAddress address) {
  auto it = cpuOf(self).sizes.find(address);
  munmap(pointer(address), it->second);
  cpuOf(self).sizes.erase(it);
}

static void fill(void *, DeviceAddress to, uint8_t byte, uint64_t bytes) {
  std::memset(pointer(to), byte, bytes);
}

static void upload(void *, DeviceAddress to, const void *from, uint64_t bytes) {
  std::memcpy(pointer(to), from, bytes);
}

static void download(void *, void *to, DeviceAddress from, uint64_t bytes) {
  std::memcpy(to, pointer(from), bytes);
}

static void copy(void *, DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  std::memcpy(pointer(to), pointer(from), bytes);
}

//===------------------------------------------------------------------------------------------===//
// Code
//===------------------------------------------------------------------------------------------===//

static void *loadModule(void *, std::span<const std::byte> image, const ObjectInfo &,
                        const std::string &where) {
  return new CpuModule(image, where);
}

static void unloadModule(void *, void *module) { delete static_cast<CpuModule *>(module); }

static void *getKernel(void *self, void *module, const KernelInfo &info, const std::string &where) {
  auto &owner = *static_cast<CpuModule *>(module);
  void *symbol = owner.image.find(info.symbol);
  if (!symbol)
    fail(Err::Code, where, ": kernel '", info.name, "': the object has no symbol '", info.symbol, "'");
  auto function = reinterpret_cast<cpu::KernelFunction>(symbol);
  owner.kernels.push_back(std::make_unique<CpuKernel>(CpuKernel{function, info.arenaBytes}));
  cpuOf(self).pool.reserveArenas(info.arenaBytes);
  return owner.kernels.back().get();
}

static void launch(void *self, const Launch &launch) {
  CpuDevice &device = cpuOf(self);
  auto &kernel = *static_cast<CpuKernel *>(launch.kernel);
  device.arguments.clear();
  for (DeviceAddress address : launch.buffers)
    device.arguments.push_back(pointer(address));
  cpu::Job job{kernel.function, device.arguments.data(), launch.rows, launch.grid, launch.descending, launch.phase};
  for (size_t i = 0;; ++i) {
    if (device.poison)
      device.pool.fillArenas(0xFF, kernel.arenaBytes);
    device.pool.run(job);
    if (i == launch.laterGrids.size())
      return;
    job.grid = launch.laterGrids[i];
    ++job.phase;
  }
}

static void synchronize(void *) {}

static void startTimer(void *self) { cpuOf(self).started = std::chrono::steady_clock::now(); }

static double stopTimer(void *self) {
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - cpuOf(self).started;
  return seconds.count();
}

const DeviceTable cpuDevice = {
    .name = "cpu",
    .target = "x86",
    .hostMemory = true,
    .open = open,
    .close = close,
    .describe = describe,
    .checkChip = checkChip,
    .freeBytes = freeBytes,
    .allocate = allocate,
    .release = release,
    .fill = fill,
    .upload = upload,
    .download = download,
    .copy = copy,
    .loadModule = loadModule,
    .unloadModule = unloadModule,
    .getKernel = getKernel,
    .launch = launch,
    .synchronize = synchronize,
    .startTimer = startTimer,
    .stopTimer = stopTimer,
    .rankChip = cpu::rankOf,
};

} // namespace cedilla
