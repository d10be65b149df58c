//===- Trace.cpp - what kernels with trace points wrote down --------------------------------------===//

#include "runtime/device/cuda/CudaDevice.h"

#include <algorithm>
#include <cstring>

namespace cedilla {

/// Events of one line, oldest first.
static std::vector<TraceEvent> eventsOf(const std::byte *line) {
  uint64_t count;
  std::memcpy(&count, line, sizeof count);
  std::vector<TraceEvent> events(std::min<uint64_t>(count, traceEvents));
  for (size_t i = 0; i < events.size(); ++i)
    std::memcpy(&events[i], line + traceEventBytes * (1 + (count - events.size() + i) % traceEvents), traceEventBytes);
  return events;
}

std::vector<std::vector<TraceEvent>> cuda::takeTrace(void *self, void *module, const std::string &symbol) {
  CudaDevice &device = cudaOf(self);
  Address address = 0;
  size_t bytes = 0;
  if (device.api.moduleGetGlobal(&address, &bytes, moduleOf(module), (symbol + traceSuffix).c_str()) != 0 ||
      bytes != size_t(traceBlocks * traceLineBytes))
    return {};
  std::vector<std::byte> lines(bytes);
  download(self, lines.data(), address, bytes);
  fill(self, address, 0, bytes);
  std::vector<std::vector<TraceEvent>> blocks;
  for (int64_t block = 0; block < traceBlocks; ++block)
    blocks.push_back(eventsOf(lines.data() + block * traceLineBytes));
  return blocks;
}

} // namespace cedilla
