//===- Code.cpp - cubins, kernels and their launches ------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/device/cuda/CudaDevice.h"

#include <cstring>

namespace cedilla {
using namespace cuda;

namespace {
struct CudaKernel {
  Function function;
  unsigned threads, sharedBytes;
  bool dependent;   ///< waits for its predecessor itself
  size_t phases;    ///< 0: a kernel without
  int resident = 0; ///< blocks of a kernel of phases that run at once
};

struct CudaModule {
  Module module;
  std::vector<std::unique_ptr<CudaKernel>> kernels;
};
} // namespace

/// "13.0" of 13000.
static std::string versionText(int64_t version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// A driver older than the toolkit that made the image is the usual reason; it is asked only when loading
/// failed, because many drivers load what a somewhat newer toolkit made.
static std::string whyNotLoaded(const CudaDevice &device, const ObjectInfo &info) {
  int version = 0;
  device.api.check(device.api.driverVersion(&version), "cuDriverGetVersion");
  if (info.toolkit <= version)
    return "cannot load";
  return "made with CUDA " + versionText(info.toolkit) + ", the driver here supports CUDA " +
         versionText(version) + "; a newer NVIDIA driver is needed";
}

void *cuda::loadModule(void *self, std::span<const std::byte> image, const ObjectInfo &info,
                       const std::string &where) {
  const CudaDevice &device = cudaOf(self);
  // Anything else, PTX above all, the driver would compile here, silently and each time.
  if (image.size() < 4 || std::memcmp(image.data(), "\x7f" "ELF", 4) != 0)
    fail(Err::Code, where, ": expected a cubin");
  auto loaded = std::make_unique<CudaModule>();
  Result result = device.api.moduleLoadData(&loaded->module, image.data());
  if (result != 0)
    device.api.require(result, Err::Code, where + ": " + whyNotLoaded(device, info));
  return loaded.release();
}

void cuda::unloadModule(void *self, void *module) {
  std::unique_ptr<CudaModule> loaded(static_cast<CudaModule *>(module));
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.contextSetCurrent(device.context);
  device.api.moduleUnload(loaded->module);
}

Module cuda::moduleOf(void *module) { return static_cast<CudaModule *>(module)->module; }

static int attribute(const CudaDevice &device, const CudaKernel &kernel, FunctionAttribute which) {
  int value = 0;
  device.api.check(device.api.functionGetAttribute(&value, which, kernel.function),
                   "cuFuncGetAttribute");
  return value;
}

/// Blocks of such a kernel wait for each other: no more may be launched.
static int residentBlocks(const CudaDevice &device, const CudaKernel &kernel, const std::string &where) {
  int blocks = 0;
  device.api.check(device.api.residentBlocks(&blocks, kernel.function, int(kernel.threads), kernel.sharedBytes),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  if (blocks < 1)
    fail(Err::Launch, where, ": its phases wait for each other, and no block of ", kernel.threads, " threads and ",
         kernel.sharedBytes, " bytes of shared memory fits on '", device.name, "'");
  return blocks * device.multiprocessors;
}

void *cuda::getKernel(void *self, void *module, const KernelInfo &info, const std::string &where) {
  const CudaDevice &device = cudaOf(self);
  auto &owner = *static_cast<CudaModule *>(module);
  std::string at = where + ": kernel '" + info.name + "'";
  auto kernel = std::make_unique<CudaKernel>(
      CudaKernel{nullptr, unsigned(info.threads), unsigned(info.sharedBytes), info.dependent, size_t(info.phases)});
  device.api.require(
      device.api.moduleGetFunction(&kernel->function, owner.module, info.symbol.c_str()), Err::Code,
      at + ": symbol '" + info.symbol + "'");
  int maxThreads = attribute(device, *kernel, MaxThreadsPerBlock);
  if (info.threads < 1 || info.threads > maxThreads)
    fail(Err::Launch, at, ": expected 1 to ", maxThreads, " threads, got ", info.threads);
  uint64_t fixed = attribute(device, *kernel, StaticSharedBytes);
  if (fixed + info.sharedBytes > uint64_t(device.maxShared))
    fail(Err::Launch, at, ": needs ", fixed + info.sharedBytes, " bytes of shared memory, '", device.name,
         "' has ", device.maxShared, " per block");
  if (info.sharedBytes)
    device.api.check(device.api.functionSetAttribute(kernel->function, MaxDynamicSharedBytes,
                                                     int(info.sharedBytes)),
                     at + ": shared memory");
  if (kernel->phases)
    kernel->resident = residentBlocks(device, *kernel, at);
  owner.kernels.push_back(std::move(kernel));
  return owner.kernels.back().get();
}

/// The parameters of a kernel of phases behind its rows: first, end, three numbers of blocks per phase.
/// The size of its grid is returned: the blocks of the widest phase, or what is resident.
static unsigned phaseParameters(const CudaKernel &kernel, const Launch &launch, std::vector<int32_t> &numbers) {
  size_t end = launch.phase + 1 + launch.laterGrids.size();
  if (end > kernel.phases)
    failInternal("cuda: kernel '", launch.name, "': expected phases below ", kernel.phases, ", got ", end - 1);
  numbers.assign(2 + 3 * kernel.phases, 1);
  numbers[0] = int32_t(launch.phase), numbers[1] = int32_t(end);
  int64_t all = 0;
  for (size_t phase = launch.phase; phase < end; ++phase) {
    const std::array<int64_t, 3> &grid =
        phase == size_t(launch.phase) ? launch.grid : launch.laterGrids[phase - launch.phase - 1];
    std::copy(grid.begin(), grid.end(), numbers.begin() + 2 + 3 * phase);
    all += grid[0] * grid[1] * grid[2]; // phases may run side by side
  }
  return unsigned(std::min<int64_t>(all, kernel.resident));
}

/// The kernel's parameters are the buffers' addresses, then the rows, then what phases need.
void cuda::launch(void *self, const Launch &launch) {
  CudaDevice &device = cudaOf(self);
  auto &kernel = *static_cast<CudaKernel *>(launch.kernel);
  device.parameters.clear();
  for (const DeviceAddress &address : launch.buffers)
    device.parameters.push_back(const_cast<DeviceAddress *>(&address));
  int64_t rows = launch.rows;
  device.parameters.push_back(&rows);
  std::array<unsigned, 3> grid = {unsigned(launch.grid[0]), unsigned(launch.grid[1]), unsigned(launch.grid[2])};
  if (kernel.phases) {
    grid = {phaseParameters(kernel, launch, device.phaseNumbers), 1, 1};
    for (int32_t &number : device.phaseNumbers)
      device.parameters.push_back(&number);
  } else if (launch.phase || !launch.laterGrids.empty()) {
    failInternal("cuda: kernel '", launch.name, "': expected one phase, got ", 1 + launch.laterGrids.size());
  }
  LaunchAttribute early = {};
  early.id = LaunchAttribute::programmaticSerialization;
  early.value.allowed = 1;
  LaunchConfig config = {{grid[0], grid[1], grid[2]},
                         {kernel.threads, 1, 1},
                         kernel.sharedBytes,
                         device.stream,
                         &early,
                         kernel.dependent && device.dependent ? 1u : 0u};
  device.api.check(
      device.api.launchKernel(&config, kernel.function, device.parameters.data(), nullptr),
      "launch of '" + std::string(launch.name) + "'" + laterFault);
}

} // namespace cedilla
