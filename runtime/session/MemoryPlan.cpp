//===- MemoryPlan.cpp - the bytes a session will take, before it takes them -----------------------===//

#include "runtime/session/MemoryPlan.h"

#include "runtime/base/Error.h"
#include "runtime/session/Weights.h"

namespace cedilla {

MemoryPlan planMemory(const Manifest &manifest, const Checkpoint &checkpoint,
                      const Device &device) {
  MemoryPlan plan;
  plan.workspace = manifest.workspaceBytes;
  for (const BufferInfo &buffer : manifest.buffers) {
    if (buffer.kind == "weight")
      (usesMapping(buffer, checkpoint, device) ? plan.mapped : plan.weights) += buffer.bytes;
    else if (buffer.kind == "state")
      plan.state += buffer.bytes;
    else if (buffer.kind == "input" || (buffer.kind == "constant" && !device.hostMemory()))
      plan.other += buffer.bytes;
  }
  return plan;
}

void checkMemory(const MemoryPlan &plan, const Device &device) {
  if (plan.total() > device.freeBytes())
    fail(device.name(), ": this package needs ", plan.total(), " bytes (caches and state ",
         plan.state, ", workspace ", plan.workspace, ", weights ", plan.weights, ", other ",
         plan.other, "), ", device.freeBytes(), " are free");
}

} // namespace cedilla
