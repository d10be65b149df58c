//===- Recordings.cpp - steps as CUDA graphs ---------------------------------------------------------===//
//
// A recording is an instantiated graph of what the stream was asked to do. Launch arguments are part of
// it: it is good for the row count it was made with.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/device/cuda/CudaDevice.h"

#include <algorithm>

namespace cedilla {
using namespace cuda;

namespace {
struct Recording {
  const Driver &api;
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  explicit Recording(const Driver &api) : api(api) {}
  Recording(const Recording &) = delete;
  ~Recording() {
    if (executable)
      api.graphExecDestroy(executable);
    if (graph)
      api.graphDestroy(graph);
  }
};
} // namespace

void *cuda::record(void *self, const std::function<void()> &work) {
  const CudaDevice &device = cudaOf(self);
  auto recording = std::make_unique<Recording>(device.api);
  device.api.check(device.api.captureBegin(device.stream, captureThreadLocal),
                   "cuStreamBeginCapture");
  try {
    work();
  } catch (...) {
    // The stream must leave its recording state whatever happened.
    device.api.captureEnd(device.stream, &recording->graph);
    throw;
  }
  device.api.check(device.api.captureEnd(device.stream, &recording->graph), "cuStreamEndCapture");
  device.api.check(device.api.graphInstantiate(&recording->executable, recording->graph, 0),
                   "cuGraphInstantiate");
  return recording.release();
}

void cuda::replay(void *self, void *recording) {
  const CudaDevice &device = cudaOf(self);
  device.api.check(
      device.api.graphLaunch(static_cast<Recording *>(recording)->executable, device.stream),
      std::string("replay of a step") + laterFault);
}

void cuda::forget(void *self, void *recording) {
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.contextSetCurrent(device.context);
  // A replay may still be under way.
  device.api.streamSynchronize(device.stream);
  delete static_cast<Recording *>(recording);
}

RecordedWork cuda::countWork(void *self, void *recording) {
  const CudaDevice &device = cudaOf(self);
  Graph graph = static_cast<Recording *>(recording)->graph;
  size_t count = 0;
  device.api.check(device.api.graphNodes(graph, nullptr, &count), "cuGraphGetNodes");
  std::vector<GraphNode> nodes(count);
  device.api.check(device.api.graphNodes(graph, nodes.data(), &count), "cuGraphGetNodes");
  RecordedWork work;
  for (GraphNode node : nodes) {
    int type = -1;
    device.api.check(device.api.graphNodeType(node, &type), "cuGraphNodeGetType");
    ++(type == KernelNode ? work.kernels
       : type == CopyNode ? work.copies
       : type == FillNode ? work.fills
                          : work.others);
  }
  return work;
}

//===------------------------------------------------------------------------------------------===//
// Single times
//===------------------------------------------------------------------------------------------===//

namespace {
/// Events that go with the object.
struct Events {
  Events(const Driver &api, size_t count) : api(api), list(count, nullptr) {
    for (Event &event : list)
      api.check(api.eventCreate(&event, eventDefault), "cuEventCreate");
  }
  ~Events() {
    for (Event event : list)
      if (event)
        api.eventDestroy(event);
  }
  Events(const Events &) = delete;
  double seconds(size_t from) const {
    float milliseconds = 0;
    api.check(api.eventElapsedTime(&milliseconds, list[from], list[from + 1]),
              "cuEventElapsedTime");
    return milliseconds * 1e-3;
  }
  const Driver &api;
  std::vector<Event> list;
};

struct PlainLaunches {
  explicit PlainLaunches(CudaDevice &device) : device(device), before(device.dependent) {
    device.dependent = false;
  }
  ~PlainLaunches() { device.dependent = before; }
  CudaDevice &device;
  bool before;
};
} // namespace

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// A graph with an event between any two launches: the host is not in the numbers. Two events with nothing
/// between them open it; their distance is what an event costs and comes first. Early launches are off:
/// times of kernels that overlap could not be told apart.
std::vector<double> cuda::timeEach(void *self, std::span<const Launch> launches, int repeats) {
  CudaDevice &device = cudaOf(self);
  PlainLaunches plain(device);
  Events events(device.api, launches.size() + 2);
  auto mark = [&](size_t i) {
    device.api.check(
        device.api.eventRecordWithFlags(events.list[i], device.stream, eventRecordExternal),
        "cuEventRecordWithFlags");
  };
  std::unique_ptr<Recording> recording(static_cast<Recording *>(record(self, [&] {
    mark(0);
    mark(1);
    for (size_t i = 0; i < launches.size(); ++i) {
      launch(self, launches[i]);
      mark(i + 2);
    }
  })));
  std::vector<std::vector<double>> seconds(launches.size() + 1);
  for (int i = -1; i < repeats; ++i) { // the first one warms up
    replay(self, recording.get());
    device.api.check(device.api.streamSynchronize(device.stream),
                     std::string("synchronize") + laterFault);
    for (size_t part = 0; i >= 0 && part < seconds.size(); ++part)
      seconds[part].push_back(events.seconds(part));
  }
  std::vector<double> medians;
  for (std::vector<double> &each : seconds)
    medians.push_back(median(std::move(each)));
  return medians;
}

} // namespace cedilla
