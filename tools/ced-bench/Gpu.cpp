//===- Gpu.cpp - an NVIDIA GPU as a bench sees it ---------------------------------------------===//

#include "tools/ced-bench/Gpu.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <dlfcn.h>

namespace cedilla::bench {

using namespace cuda;

using Graph = struct GraphOpaque *;
using GraphExec = struct GraphExecOpaque *;

namespace {
/// The driver's description of a launch, and one attribute of it (an id and 64 bytes of value).
struct LaunchAttribute {
  int id;
  char unused[4];
  union {
    char bytes[64];
    int allowed;
  } value;
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};
} // namespace

struct GraphApi {
  Result (*launchEx)(const LaunchConfig *, Function, void **parameters, void **extra);
  Result (*streamCreate)(Stream *, unsigned flags);
  Result (*streamDestroy)(Stream);
  Result (*streamSynchronize)(Stream);
  Result (*copyOnDevice)(Address to, Address from, size_t bytes, Stream);
  Result (*captureBegin)(Stream, int mode);
  Result (*captureEnd)(Stream, Graph *);
  Result (*instantiate)(GraphExec *, Graph, unsigned long long flags);
  Result (*graphLaunch)(GraphExec, Stream);
  Result (*graphExecDestroy)(GraphExec);
  Result (*graphDestroy)(Graph);
};

// Values of the driver's documented interface.
static constexpr int multiprocessorCount = 16, l2CacheSize = 38, registersPerThread = 4;
static constexpr unsigned nonBlocking = 1;
static constexpr int captureThreadLocal = 1, programmaticSerialization = 6;

static const GraphApi &graphApi() {
  static const GraphApi api = [] {
    driver(); // refuses with its own message where there is none
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    auto get = [&](auto &function, const char *name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (!function)
        fail("cuda: the driver has no '", name, "'; a newer NVIDIA driver is needed");
    };
    GraphApi found;
    get(found.launchEx, "cuLaunchKernelEx");
    get(found.streamCreate, "cuStreamCreate");
    get(found.streamDestroy, "cuStreamDestroy_v2");
    get(found.streamSynchronize, "cuStreamSynchronize");
    get(found.copyOnDevice, "cuMemcpyDtoDAsync_v2");
    get(found.captureBegin, "cuStreamBeginCapture_v2");
    get(found.captureEnd, "cuStreamEndCapture");
    get(found.instantiate, "cuGraphInstantiateWithFlags");
    get(found.graphLaunch, "cuGraphLaunch");
    get(found.graphExecDestroy, "cuGraphExecDestroy");
    get(found.graphDestroy, "cuGraphDestroy");
    return found;
  }();
  return api;
}

//===------------------------------------------------------------------------------------------===//
// The device
//===------------------------------------------------------------------------------------------===//

Gpu::Gpu(int ordinal) : api(driver()), graphs(graphApi()) {
  int count = 0;
  api.require(api.deviceGetCount(&count), "cuDeviceGetCount");
  if (ordinal >= count)
    fail("cuda:", ordinal, ": expected a device below ", count);
  api.check(api.deviceGet(&id, ordinal), "cuDeviceGet");
  api.require(api.primaryContextRetain(&context, id), "cuDevicePrimaryCtxRetain");
  api.check(api.contextSetCurrent(context), "cuCtxSetCurrent");
  api.check(graphs.streamCreate(&stream, nonBlocking), "cuStreamCreate");
  api.check(api.eventCreate(&from, 0), "cuEventCreate");
  api.check(api.eventCreate(&to, 0), "cuEventCreate");
}

Gpu::~Gpu() {
  for (auto &[image, module] : modules)
    api.moduleUnload(module);
  api.eventDestroy(from);
  api.eventDestroy(to);
  graphs.streamDestroy(stream);
  api.primaryContextRelease(id);
}

int Gpu::attribute(int which) const {
  int value = 0;
  api.check(api.deviceGetAttribute(&value, static_cast<DeviceAttribute>(which), id),
            "cuDeviceGetAttribute");
  return value;
}

int64_t Gpu::l2Bytes() const { return attribute(l2CacheSize); }

std::string Gpu::describe() const {
  char name[256] = {};
  api.check(api.deviceGetName(name, sizeof name, id), "cuDeviceGetName");
  return std::string(name) + ", " + std::to_string(attribute(multiprocessorCount)) +
         " multiprocessors, " + std::to_string(l2Bytes() >> 20) + " MiB of L2";
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

Address Gpu::allocate(uint64_t bytes) {
  Address address = 0;
  api.require(api.memoryAllocate(&address, std::max<uint64_t>(bytes, 1)),
              "cannot allocate " + std::to_string(bytes) + " bytes");
  return address;
}

void Gpu::release(Address address) { api.memoryFree(address); }

// Copies and fills of the driver are on its default stream: everything before must be finished.
void Gpu::fill(Address to, uint8_t byte, uint64_t bytes) {
  synchronize();
  api.check(api.memorySet(to, byte, bytes), "cuMemsetD8");
  api.check(api.contextSynchronize(), "cuCtxSynchronize");
}
void Gpu::upload(Address to, const void *from, uint64_t bytes) {
  synchronize();
  api.check(api.copyToDevice(to, from, bytes), "cuMemcpyHtoD");
  api.check(api.contextSynchronize(), "cuCtxSynchronize");
}
void Gpu::download(void *to, Address from, uint64_t bytes) {
  synchronize();
  api.check(api.copyToHost(to, from, bytes), "cuMemcpyDtoH");
}
void Gpu::copy(Address to, Address from, uint64_t bytes) {
  api.check(graphs.copyOnDevice(to, from, bytes, stream), "cuMemcpyDtoDAsync");
}
void Gpu::synchronize() { api.check(graphs.streamSynchronize(stream), "cuStreamSynchronize"); }

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

Function Gpu::kernel(std::span<const std::byte> image, const KernelInfo &info) {
  Module &module = modules[image.data()];
  if (!module)
    api.require(api.moduleLoadData(&module, image.data()),
                "cannot load the object of '" + info.name + "'");
  Function function = nullptr;
  api.require(api.moduleGetFunction(&function, module, info.symbol.c_str()),
              "symbol '" + info.symbol + "'");
  api.require(
      api.functionSetAttribute(function, MaxDynamicSharedBytes, static_cast<int>(info.sharedBytes)),
      "'" + info.name + "': " + std::to_string(info.sharedBytes) + " bytes of shared memory");
  return function;
}

int Gpu::registersOf(Function function) const {
  int value = 0;
  api.check(api.functionGetAttribute(&value, static_cast<FunctionAttribute>(registersPerThread),
                                     function),
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
  early.id = programmaticSerialization;
  early.value.allowed = 1;
  LaunchConfig config = {{dim(0), dim(1), dim(2)},
                         {static_cast<unsigned>(info.threads), 1, 1},
                         static_cast<unsigned>(info.sharedBytes),
                         stream,
                         &early,
                         info.dependent ? 1u : 0u};
  api.check(graphs.launchEx(&config, function, parameters.data(), nullptr),
            "launch of '" + info.name + "'");
}

//===------------------------------------------------------------------------------------------===//
// Time
//===------------------------------------------------------------------------------------------===//

std::vector<double> Gpu::timeGraph(const std::function<void()> &record, int replays) {
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  api.check(graphs.captureBegin(stream, captureThreadLocal), "cuStreamBeginCapture");
  record();
  api.check(graphs.captureEnd(stream, &graph), "cuStreamEndCapture");
  api.check(graphs.instantiate(&executable, graph, 0), "cuGraphInstantiate");
  std::vector<double> seconds;
  constexpr int warm = 3;
  for (int i = -warm; i < replays; ++i) {
    api.check(api.eventRecord(from, stream), "cuEventRecord");
    api.check(graphs.graphLaunch(executable, stream), "cuGraphLaunch");
    api.check(api.eventRecord(to, stream), "cuEventRecord");
    api.check(api.eventSynchronize(to), "cuEventSynchronize");
    float milliseconds = 0;
    api.check(api.eventElapsedTime(&milliseconds, from, to), "cuEventElapsedTime");
    if (i >= 0)
      seconds.push_back(milliseconds * 1e-3);
  }
  graphs.graphExecDestroy(executable);
  graphs.graphDestroy(graph);
  return seconds;
}

double Gpu::measureCopyRate() {
  constexpr uint64_t bytes = uint64_t(4) << 30;
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
