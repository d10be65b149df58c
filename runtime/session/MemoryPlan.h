//===- MemoryPlan.h - the bytes a session will take, before it takes them -------------------------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/io/Safetensors.h"
#include "runtime/package/Package.h"

namespace cedilla {

struct MemoryPlan {
  uint64_t weights = 0;   ///< copies of weights on the device; mapped ones cost nothing
  uint64_t mapped = 0;    ///< weights used where the checkpoint is mapped
  uint64_t state = 0;     ///< caches and per-slot state
  uint64_t workspace = 0; ///< scratch of a step
  uint64_t other = 0;     ///< inputs, constants that the device cannot read in place

  uint64_t total() const { return weights + state + workspace + other; }
};

MemoryPlan planMemory(const Manifest &manifest, const Checkpoint &checkpoint, const Device &device);

/// Fails with needed and available bytes when the plan is larger than what the device has left.
void checkMemory(const MemoryPlan &plan, const Device &device);

} // namespace cedilla
