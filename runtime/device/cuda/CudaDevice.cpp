//===- CudaDevice.cpp - the cuda device: cubins through the driver ----------------------------------===//
//
// Everything goes to the default stream, so it happens in order; copies wait for what is before them.
// The primary context is shared with whatever else the process does on the GPU, and made current in
// every call, since calls may come from different threads.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/device/Device.h"
#include "runtime/device/cuda/Driver.h"

#include <charconv>
#include <cstring>
#include <vector>

namespace cedilla {
using namespace cuda;

namespace {
struct CudaKernel {
  Function function;
  unsigned threads, sharedBytes;
};

struct CudaModule {
  Module module;
  std::vector<std::unique_ptr<CudaKernel>> kernels;
};

struct CudaDevice {
  explicit CudaDevice(const Driver &api) : api(api) {}
  const Driver &api;
  DeviceId id = 0;
  Context context = nullptr;
  std::string name;
  int capability = 0; ///< 90 for 9.0
  int maxShared = 0;
  Event started = nullptr, stopped = nullptr;
  std::vector<void *> parameters; ///< of the launch in progress
};
} // namespace

/// The device with its context current.
static CudaDevice &cudaOf(void *self) {
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.check(device.api.contextSetCurrent(device.context), "cuCtxSetCurrent");
  return device;
}

//===------------------------------------------------------------------------------------------===//
// Opening
//===------------------------------------------------------------------------------------------===//

static void close(void *self) {
  std::unique_ptr<CudaDevice> device(static_cast<CudaDevice *>(self));
  if (!device->context)
    return;
  for (Event event : {device->started, device->stopped})
    if (event)
      device->api.eventDestroy(event);
  device->api.primaryContextRelease(device->id);
}

static int attribute(const CudaDevice &device, DeviceAttribute which) {
  int value = 0;
  device.api.check(device.api.deviceGetAttribute(&value, which, device.id), "cuDeviceGetAttribute");
  return value;
}

static void *open(const DeviceOptions &options) {
  const Driver &api = driver();
  int count = 0;
  api.require(api.deviceGetCount(&count), "cuDeviceGetCount");
  if (options.ordinal >= count)
    fail("cuda:", options.ordinal, ": expected a device below ", count);
  std::unique_ptr<CudaDevice, void (*)(void *)> device(new CudaDevice(api), close);
  api.check(api.deviceGet(&device->id, options.ordinal), "cuDeviceGet");
  char name[256] = {};
  api.check(api.deviceGetName(name, sizeof(name), device->id), "cuDeviceGetName");
  device->name = name;
  device->capability =
      attribute(*device, CapabilityMajor) * 10 + attribute(*device, CapabilityMinor);
  device->maxShared = attribute(*device, MaxSharedPerBlockOptIn);
  api.require(api.primaryContextRetain(&device->context, device->id), "cuDevicePrimaryCtxRetain");
  cudaOf(device.get());
  api.check(api.eventCreate(&device->started, 0), "cuEventCreate");
  api.check(api.eventCreate(&device->stopped, 0), "cuEventCreate");
  return device.release();
}

static std::string describe(void *self) {
  const CudaDevice &device = cudaOf(self);
  return device.name + ", sm_" + std::to_string(device.capability);
}

/// Code for sm_90a runs on 9.0 alone, sm_100f on 10.x from 10.0 on, sm_80 likewise on 8.x.
static void checkChip(void *self, const std::string &chip) {
  const CudaDevice &device = cudaOf(self);
  int wanted = 0;
  if (!chip.starts_with("sm_"))
    fail("chip '", chip, "' is unknown, expected sm_<number>");
  const char *last = chip.data() + chip.size();
  auto [end, error] = std::from_chars(chip.data() + 3, last, wanted);
  std::string_view suffix(end, last);
  if (error != std::errc() || (suffix != "" && suffix != "a" && suffix != "f"))
    fail("chip '", chip, "' is unknown, expected sm_<number>");
  bool runs = suffix == "a" ? device.capability == wanted
                            : device.capability / 10 == wanted / 10 && device.capability >= wanted;
  if (!runs)
    fail("chip '", chip, "' needs compute capability ", wanted / 10, ".", wanted % 10, ", '",
         device.name, "' has ", device.capability / 10, ".", device.capability % 10);
}

static uint64_t freeBytes(void *self) {
  const CudaDevice &device = cudaOf(self);
  size_t free = 0, total = 0;
  device.api.check(device.api.memoryGetInfo(&free, &total), "cuMemGetInfo");
  return free;
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

static DeviceAddress allocate(void *self, uint64_t bytes, std::string_view what) {
  const CudaDevice &device = cudaOf(self);
  Address address = 0;
  uint64_t size = bytes ? bytes : 1;
  device.api.require(device.api.memoryAllocate(&address, size),
                     "cannot allocate " + std::to_string(bytes) + " bytes for " + std::string(what));
  device.api.check(device.api.memorySet(address, 0, size), "cuMemsetD8");
  return address;
}

static void release(void *self, DeviceAddress address) {
  static_cast<CudaDevice *>(self)->api.memoryFree(address);
}

static void fill(void *self, DeviceAddress to, uint8_t byte, uint64_t bytes) {
  const CudaDevice &device = cudaOf(self);
  if (bytes)
    device.api.check(device.api.memorySet(to, byte, bytes), "cuMemsetD8");
}

/// Kernels report their faults at the next call that waits; the message must not blame that call.
static constexpr const char *laterFault =
    " (an earlier kernel may be the cause: CEDILLA_CHECK_EACH_KERNEL=1 names it)";

static void upload(void *self, DeviceAddress to, const void *from, uint64_t bytes) {
  const CudaDevice &device = cudaOf(self);
  if (bytes)
    device.api.check(device.api.copyToDevice(to, from, bytes),
                     std::string("copy to the device") + laterFault);
}

static void download(void *self, void *to, DeviceAddress from, uint64_t bytes) {
  const CudaDevice &device = cudaOf(self);
  if (bytes)
    device.api.check(device.api.copyToHost(to, from, bytes),
                     std::string("copy from the device") + laterFault);
}

//===------------------------------------------------------------------------------------------===//
// Code
//===------------------------------------------------------------------------------------------===//

static void *loadModule(void *self, std::span<const std::byte> image, const std::string &where) {
  const CudaDevice &device = cudaOf(self);
  // Anything else, PTX above all, the driver would compile here, silently and each time.
  if (image.size() < 4 || std::memcmp(image.data(), "\x7f" "ELF", 4) != 0)
    fail(where, ": expected a cubin");
  auto loaded = std::make_unique<CudaModule>();
  device.api.require(device.api.moduleLoadData(&loaded->module, image.data()),
                     where + ": cannot load");
  return loaded.release();
}

static void unloadModule(void *self, void *module) {
  std::unique_ptr<CudaModule> loaded(static_cast<CudaModule *>(module));
  static_cast<CudaDevice *>(self)->api.moduleUnload(loaded->module);
}

static int attribute(const CudaDevice &device, const CudaKernel &kernel, FunctionAttribute which) {
  int value = 0;
  device.api.check(device.api.functionGetAttribute(&value, which, kernel.function),
                   "cuFuncGetAttribute");
  return value;
}

static void *getKernel(void *self, void *module, const KernelInfo &info, const std::string &where) {
  const CudaDevice &device = cudaOf(self);
  auto &owner = *static_cast<CudaModule *>(module);
  std::string at = where + ": kernel '" + info.name + "'";
  auto kernel = std::make_unique<CudaKernel>(
      CudaKernel{nullptr, unsigned(info.threads), unsigned(info.sharedBytes)});
  device.api.require(
      device.api.moduleGetFunction(&kernel->function, owner.module, info.symbol.c_str()),
      at + ": symbol '" + info.symbol + "'");
  int maxThreads = attribute(device, *kernel, MaxThreadsPerBlock);
  if (info.threads < 1 || info.threads > maxThreads)
    fail(at, ": expected 1 to ", maxThreads, " threads, got ", info.threads);
  uint64_t fixed = attribute(device, *kernel, StaticSharedBytes);
  if (fixed + info.sharedBytes > uint64_t(device.maxShared))
    fail(at, ": needs ", fixed + info.sharedBytes, " bytes of shared memory, '", device.name,
         "' has ", device.maxShared, " per block");
  if (info.sharedBytes)
    device.api.check(device.api.functionSetAttribute(kernel->function, MaxDynamicSharedBytes,
                                                     int(info.sharedBytes)),
                     at + ": shared memory");
  owner.kernels.push_back(std::move(kernel));
  return owner.kernels.back().get();
}

/// The kernel's parameters are the buffers' addresses, then the rows.
static void launch(void *self, const Launch &launch) {
  CudaDevice &device = cudaOf(self);
  auto &kernel = *static_cast<CudaKernel *>(launch.kernel);
  device.parameters.clear();
  for (const DeviceAddress &address : launch.buffers)
    device.parameters.push_back(const_cast<DeviceAddress *>(&address));
  int64_t rows = launch.rows;
  device.parameters.push_back(&rows);
  device.api.check(device.api.launchKernel(kernel.function, unsigned(launch.grid[0]),
                                           unsigned(launch.grid[1]), unsigned(launch.grid[2]),
                                           kernel.threads, 1, 1, kernel.sharedBytes, nullptr,
                                           device.parameters.data(), nullptr),
                   "launch of '" + std::string(launch.name) + "'" + laterFault);
}

static void synchronize(void *self) {
  const CudaDevice &device = cudaOf(self);
  device.api.check(device.api.contextSynchronize(), "synchronize");
}

//===------------------------------------------------------------------------------------------===//
// Time
//===------------------------------------------------------------------------------------------===//

static void startTimer(void *self) {
  const CudaDevice &device = cudaOf(self);
  device.api.check(device.api.eventRecord(device.started, nullptr), "cuEventRecord");
}

static double stopTimer(void *self) {
  const CudaDevice &device = cudaOf(self);
  float milliseconds = 0;
  device.api.check(device.api.eventRecord(device.stopped, nullptr), "cuEventRecord");
  device.api.check(device.api.eventSynchronize(device.stopped),
                   std::string("cuEventSynchronize") + laterFault);
  device.api.check(device.api.eventElapsedTime(&milliseconds, device.started, device.stopped),
                   "cuEventElapsedTime");
  return milliseconds / 1e3;
}

const DeviceTable cudaDevice = {
    .name = "cuda",
    .target = "nvptx",
    .hostMemory = false,
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
    .loadModule = loadModule,
    .unloadModule = unloadModule,
    .getKernel = getKernel,
    .launch = launch,
    .synchronize = synchronize,
    .startTimer = startTimer,
    .stopTimer = stopTimer,
};

} // namespace cedilla
