//===- MemoryPlan.h - where buffers go and the bytes they take, before anything is taken -----------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/package/Package.h"
#include "runtime/session/EngramGather.h"
#include "runtime/session/WeightSource.h"

#include <string>
#include <vector>

namespace cedilla {

/// Where a buffer's bytes are.
enum class Place {
  Device, ///< memory of the device, of its own or a part of the workspace
  InFile, ///< the mapped file; the device reads host memory anyway
  Repeated, ///< a little memory of the device, repeated over the table's addresses (made-up weights only)
  Gathered, ///< memory of the device for the rows of a table that one step reads
  Host,   ///< page-locked host memory that the device's kernels read row by row
};

/// Memory behind a repeated table.
inline constexpr uint64_t repeatedBytes = uint64_t(256) << 20;

struct MemoryPlan {
  uint64_t weights = 0;   ///< copies of weights on the device
  uint64_t mapped = 0;    ///< weights used where the checkpoint is mapped
  uint64_t host = 0;      ///< weights in page-locked host memory
  uint64_t repeated = 0;  ///< addresses of tables that are repeated; their memory is among `weights`
  uint64_t state = 0;     ///< caches and per-slot state
  uint64_t workspace = 0; ///< scratch of a step
  uint64_t other = 0;     ///< inputs, constants that the device cannot read in place, gathered rows
  uint64_t gathered = 0;  ///< rows that the host gathers; among `other`
  std::vector<Place> places; ///< one per buffer of the manifest

  /// What the device must have left.
  uint64_t total() const { return weights + state + workspace + other; }
};

/// Tables that a step reads by row (Engram, embedding) leave the device, largest first, until the rest fits.
/// `engram` puts Engram tables somewhere else; fails when they cannot be there.
MemoryPlan planMemory(const Manifest &manifest, const WeightSource &weights, const Device &device,
                      EngramMode engram = EngramMode::Auto);

/// Fails with what is needed, what there is and what to change when the plan is larger than what the device
/// or the host has left.
void checkMemory(const MemoryPlan &plan, const Manifest &manifest, const Device &device);

} // namespace cedilla
