//===- CudaDevice.cpp - the cuda device: opening it, its time, its table ----------------------------===//

#include "runtime/device/cuda/CudaDevice.h"

#include "runtime/base/Error.h"

#include <charconv>

namespace cedilla {
using namespace cuda;

CudaDevice &cuda::cudaOf(void *self) {
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.check(device.api.contextSetCurrent(device.context), "cuCtxSetCurrent");
  return device;
}

//===------------------------------------------------------------------------------------------===//
// Opening
//===------------------------------------------------------------------------------------------===//

/// Also of a device that was opened half-way.
static void close(void *self) {
  std::unique_ptr<CudaDevice> device(static_cast<CudaDevice *>(self));
  if (!device->context)
    return;
  device->api.contextSetCurrent(device->context);
  releaseBounce(*device);
  for (Event event : {device->started, device->stopped})
    if (event)
      device->api.eventDestroy(event);
  if (device->stream)
    device->api.streamDestroy(device->stream);
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
  api.require(api.deviceGetCount(&count), Err::Driver, "cuDeviceGetCount");
  if (options.ordinal >= count)
    fail(Err::DeviceOrdinal, "cuda:", options.ordinal, ": expected a device below ", count);
  std::unique_ptr<CudaDevice, void (*)(void *)> device(new CudaDevice(api), close);
  device->ordinal = options.ordinal;
  device->dependent = options.dependent;
  api.check(api.deviceGet(&device->id, options.ordinal), "cuDeviceGet");
  char name[256] = {};
  api.check(api.deviceGetName(name, sizeof(name), device->id), "cuDeviceGetName");
  device->name = name;
  device->capability =
      attribute(*device, CapabilityMajor) * 10 + attribute(*device, CapabilityMinor);
  device->maxShared = attribute(*device, MaxSharedPerBlockOptIn);
  device->multiprocessors = attribute(*device, MultiprocessorCount);
  api.require(api.primaryContextRetain(&device->context, device->id), Err::Driver, "cuDevicePrimaryCtxRetain");
  cudaOf(device.get());
  // Work of others on the default stream is none of ours, and that stream cannot be recorded.
  api.check(api.streamCreate(&device->stream, streamNonBlocking), "cuStreamCreate");
  api.check(api.eventCreate(&device->started, eventDefault), "cuEventCreate");
  api.check(api.eventCreate(&device->stopped, eventDefault), "cuEventCreate");
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
    fail(Err::Chip, "chip '", chip, "' is unknown, expected sm_<number>");
  const char *last = chip.data() + chip.size();
  auto [end, error] = std::from_chars(chip.data() + 3, last, wanted);
  std::string_view suffix(end, last);
  if (error != std::errc() || (suffix != "" && suffix != "a" && suffix != "f"))
    fail(Err::Chip, "chip '", chip, "' is unknown, expected sm_<number>");
  bool runs = suffix == "a" ? device.capability == wanted
                            : device.capability / 10 == wanted / 10 && device.capability >= wanted;
  if (!runs)
    fail(Err::ChipFeatures, "chip '", chip, "' needs compute capability ", wanted / 10, ".", wanted % 10, ", '",
         device.name, "' has ", device.capability / 10, ".", device.capability % 10);
}

//===------------------------------------------------------------------------------------------===//
// Time
//===------------------------------------------------------------------------------------------===//

static void synchronize(void *self) {
  const CudaDevice &device = cudaOf(self);
  device.api.check(device.api.streamSynchronize(device.stream), "synchronize");
}

static void startTimer(void *self) {
  const CudaDevice &device = cudaOf(self);
  device.api.check(device.api.eventRecord(device.started, device.stream), "cuEventRecord");
}

static double stopTimer(void *self) {
  const CudaDevice &device = cudaOf(self);
  float milliseconds = 0;
  device.api.check(device.api.eventRecord(device.stopped, device.stream), "cuEventRecord");
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
    .copy = copy,
    .loadModule = loadModule,
    .unloadModule = unloadModule,
    .getKernel = getKernel,
    .launch = launch,
    .synchronize = synchronize,
    .startTimer = startTimer,
    .stopTimer = stopTimer,
    .allocateRepeated = allocateRepeated,
    .releaseRepeated = releaseRepeated,
    .mapHost = mapHost,
    .unmapHost = unmapHost,
    .allocateHost = allocateHost,
    .releaseHost = releaseHost,
    .record = record,
    .replay = replay,
    .forget = forget,
    .countWork = countWork,
    .timeEach = timeEach,
    .takeTrace = takeTrace,
};

} // namespace cedilla
