//===- Gpu.cpp - an NVIDIA GPU as a bench sees it ---------------------------------------------===//

#include "tools/ced-bench/Gpu.h"

#include "runtime/base/Error.h"

#include <algorithm>

namespace cedilla::bench {

using namespace cuda;

//===------------------------------------------------------------------------------------------===//
// The device
//===------------------------------------------------------------------------------------------===//

Gpu::Gpu(int ordinal) : api(driver()) {
  int count = 0;
  api.require(api.deviceGetCount(&count), Err::Driver, "cuDeviceGetCount");
  if (ordinal >= count)
    fail(Err::DeviceOrdinal, "cuda:", ordinal, ": expected a device below ", count);
  api.check(api.deviceGet(&id, ordinal), "cuDeviceGet");
  api.require(api.primaryContextRetain(&context, id), Err::Driver, "cuDevicePrimaryCtxRetain");
  api.check(api.contextSetCurrent(context), "cuCtxSetCurrent");
  api.check(api.streamCreate(&stream, streamNonBlocking), "cuStreamCreate");
  api.check(api.eventCreate(&from, 0), "cuEventCreate");
  api.check(api.eventCreate(&to, 0), "cuEventCreate");
}

Gpu::~Gpu() {
  for (auto &[image, module] : modules)
    api.moduleUnload(module);
  api.eventDestroy(from);
  api.eventDestroy(to);
  api.streamDestroy(stream);
  api.primaryContextRelease(id);
}

int Gpu::attribute(int which) const {
  int value = 0;
  api.check(api.deviceGetAttribute(&value, static_cast<DeviceAttribute>(which), id),
            "cuDeviceGetAttribute");
  return value;
}

int64_t Gpu::l2Bytes() const { return attribute(L2CacheBytes); }

std::string Gpu::describe() const {
  char name[256] = {};
  api.check(api.deviceGetName(name, sizeof name, id), "cuDeviceGetName");
  return std::string(name) + ", " + std::to_string(attribute(MultiprocessorCount)) +
         " multiprocessors, " + std::to_string(l2Bytes() >> 20) + " MiB of L2";
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

Address Gpu::allocate(uint64_t bytes) {
  Address address = 0;
  api.require(api.memoryAllocate(&address, std::max<uint64_t>(bytes, 1)), Err::DeviceMemory,
              "cannot allocate " + std::to_string(bytes) + " bytes");
  return address;
}

void Gpu::release(Address address) { api.memoryFree(address); }

void Gpu::fill(Address to, uint8_t byte, uint64_t bytes) {
  api.check(api.memorySet(to, byte, bytes, stream), "cuMemsetD8Async");
}
void Gpu::upload(Address to, const void *from, uint64_t bytes) {
  api.check(api.copyToDevice(to, from, bytes, stream), "cuMemcpyHtoDAsync");
  synchronize();
}
void Gpu::download(void *to, Address from, uint64_t bytes) {
  api.check(api.copyToHost(to, from, bytes, stream), "cuMemcpyDtoHAsync");
  synchronize();
}
void Gpu::copy(Address to, Address from, uint64_t bytes) {
  api.check(api.copyOnDevice(to, from, bytes, stream), "cuMemcpyDtoDAsync");
}
void Gpu::synchronize() { api.check(api.streamSynchronize(stream), "cuStreamSynchronize"); }

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

Function Gpu::kernel(std::span<const std::byte> image, const KernelInfo &info) {
  Module &module = modules[image.data()];
  if (!module)
    api.require(api.moduleLoadData(&module, image.data()), Err::Code,
                "cannot load the object of '" + info.name + "'");
  Function function = nullptr;
  api.require(api.moduleGetFunction(&function, module, info.symbol.c_str()), Err::Code,
              "symbol '" + info.symbol + "'");
  api.require(
      api.functionSetAttribute(function, MaxDynamicSharedBytes, static_cast<int>(info.sharedBytes)), Err::Launch,
      "'" + info.name + "': " + std::to_string(info.sharedBytes) + " bytes of shared memory");
  return function;
}

int Gpu::registersOf(Function function) const {
  int value = 0;
  api.check(api.functionGetAttribute(&value, RegistersPerThread, function),
            "cuFuncGetAttribute");
  return value;
}

void Gpu::launch(Function function, const KernelInfo &info, std::span<const Address> buffers,
                 int64_t rows, std::array<int64_t, 3> grid) {
  std::vector<void *> parameters;
  for (const Address &address : buffers)
    parameters.push_back(const_cast<Address *>(&address));
  parameters.push_back(&rows);
  auto dim = [&](int i) { return static_cast<unsigned>(grid[i]); };
  LaunchAttribute early = {};
  early.id = LaunchAttribute::programmaticSerialization;
  early.value.allowed = 1;
  LaunchConfig config = {{dim(0), dim(1), dim(2)},
                         {static_cast<unsigned>(info.threads), 1, 1},
                         static_cast<unsigned>(info.sharedBytes),
                         stream,
                         &early,
                         info.dependent ? 1u : 0u};
  api.check(api.launchKernel(&config, function, parameters.data(), nullptr),
            "launch of '" + info.name + "'");
}

//===------------------------------------------------------------------------------------------===//
// Time
//===------------------------------------------------------------------------------------------===//

std::vector<double> Gpu::timeGraph(const std::function<void()> &record, int replays) {
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  api.check(api.captureBegin(stream, captureThreadLocal), "cuStreamBeginCapture");
  record();
  api.check(api.captureEnd(stream, &graph), "cuStreamEndCapture");
  api.check(api.graphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
  std::vector<double> seconds;
  constexpr int warm = 3;
  for (int i = -warm; i < replays; ++i) {
    api.check(api.eventRecord(from, stream), "cuEventRecord");
    api.check(api.graphLaunch(executable, stream), "cuGraphLaunch");
    api.check(api.eventRecord(to, stream), "cuEventRecord");
    api.check(api.eventSynchronize(to), "cuEventSynchronize");
    float milliseconds = 0;
    api.check(api.eventElapsedTime(&milliseconds, from, to), "cuEventElapsedTime");
    if (i >= 0)
      seconds.push_back(milliseconds * 1e-3);
  }
  api.graphExecDestroy(executable);
  api.graphDestroy(graph);
  return seconds;
}

double Gpu::measureCopyRate() {
  size_t free = 0, total = 0;
  api.check(api.memoryGetInfo(&free, &total), "cuMemGetInfo");
  uint64_t bytes = std::min<uint64_t>(uint64_t(4) << 30, free / 4);
  Address a = allocate(bytes), b = allocate(bytes);
  fill(a, 0x3C, bytes);
  fill(b, 0xC3, bytes);
  auto once = [&] {
    api.check(api.eventRecord(from, stream), "cuEventRecord");
    copy(b, a, bytes);
    api.check(api.eventRecord(to, stream), "cuEventRecord");
    api.check(api.eventSynchronize(to), "cuEventSynchronize");
    float milliseconds = 0;
    api.check(api.eventElapsedTime(&milliseconds, from, to), "cuEventElapsedTime");
    return milliseconds * 1e-3;
  };
  // An idle card raises its clocks within a few hundred milliseconds of work.
  for (double spent = 0; spent < 0.5;)
    spent += once();
  std::vector<double> seconds;
  for (int i = 0; i < 15; ++i)
    seconds.push_back(once());
  release(a);
  release(b);
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return 2.0 * bytes / seconds[seconds.size() / 2];
}

} // namespace cedilla::bench
