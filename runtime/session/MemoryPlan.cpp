//===- MemoryPlan.cpp - where buffers go and the bytes they take -----------------------------------===//

#include "runtime/session/MemoryPlan.h"

#include "runtime/base/Error.h"
#include "runtime/device/HostBytes.h"

#include <algorithm>

namespace cedilla {

static Place placeOf(const BufferInfo &buffer, const WeightSource &weights, const Device &device) {
  if (!device.hostMemory())
    return Place::Device;
  if (buffer.kind == "constant")
    return Place::InFile;
  if (buffer.kind != "weight")
    return Place::Device;
  const std::byte *data = weights.mapped(buffer);
  bool aligned = reinterpret_cast<uintptr_t>(data) % elementBytes(buffer.type) == 0;
  return data && aligned ? Place::InFile : Place::Device;
}

/// Takes a table off the device.
static void moveTable(MemoryPlan &plan, size_t i, const Manifest &manifest, Place place) {
  uint64_t bytes = manifest.buffers[i].bytes;
  uint64_t &before = plan.places[i] == Place::InFile ? plan.mapped : plan.places[i] == Place::Host ? plan.host : plan.weights;
  before -= bytes;
  plan.places[i] = place;
  if (place == Place::Device) {
    plan.weights += bytes;
  } else if (place == Place::Host) {
    plan.host += bytes;
  } else if (place == Place::Repeated) {
    plan.weights += repeatedBytes;
    plan.repeated += bytes;
  } else if (place == Place::Gathered) {
    uint64_t rows = gatheredBytes(manifest, manifest.buffers[i]);
    plan.gathered += rows;
    plan.other += rows;
  }
}

static void moveEngram(MemoryPlan &plan, const Manifest &manifest, Place place) {
  for (size_t i = 0; i < manifest.buffers.size(); ++i)
    if (isEngramTable(manifest, manifest.buffers[i]) && plan.places[i] != place)
      moveTable(plan, i, manifest, place);
}

/// Largest first, until the rest fits; Engram tables only where nothing else was asked for.
static void moveTables(MemoryPlan &plan, const Manifest &manifest, const WeightSource &weights,
                       const Device &device, EngramMode engram) {
  uint64_t freeBytes = device.freeBytes();
  std::vector<size_t> tables;
  for (size_t i = 0; i < manifest.buffers.size(); ++i)
    if (manifest.buffers[i].byRow && plan.places[i] == Place::Device &&
        (engram == EngramMode::Auto || !isEngramTable(manifest, manifest.buffers[i])))
      tables.push_back(i);
  std::sort(tables.begin(), tables.end(), [&](size_t a, size_t b) {
    uint64_t sizeA = manifest.buffers[a].bytes, sizeB = manifest.buffers[b].bytes;
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });
  for (size_t i : tables) {
    if (plan.total() <= freeBytes)
      return;
    bool repeats = weights.madeUp() && device.repeatsMemory() && manifest.buffers[i].bytes > repeatedBytes;
    moveTable(plan, i, manifest, repeats ? Place::Repeated : Place::Host);
  }
}

/// What somebody asked for.
static void placeEngram(MemoryPlan &plan, const Manifest &manifest, const WeightSource &weights,
                        const Device &device, EngramMode engram) {
  if (engram == EngramMode::Auto)
    return;
  if (manifest.engram.tables.empty())
    fail(Err::EngramPlace, "--engram: ", whyNotGathered(manifest, weights));
  if (engram == EngramMode::Device)
    return moveEngram(plan, manifest, Place::Device);
  if (engram == EngramMode::HostGather) {
    if (std::string why = whyNotGathered(manifest, weights); !why.empty())
      fail(Err::EngramPlace, "--engram host-gather: ", why);
    return moveEngram(plan, manifest, Place::Gathered);
  }
  // A device that is the host reads the mapped file anyway.
  if (!device.hostMemory() && !device.readsHostMemory())
    fail(Err::EngramPlace, "--engram zero-copy: ", device.name(), ": its kernels cannot read host memory");
  if (!device.hostMemory())
    moveEngram(plan, manifest, Place::Host);
}

/// Where the tables fit neither on the device nor into memory that it can read, the rows of a step do.
static void gatherWhatFitsNowhere(MemoryPlan &plan, const Manifest &manifest, const WeightSource &weights,
                                  const Device &device) {
  bool fits = plan.total() <= device.freeBytes() && plan.host <= availableHostBytes();
  if (!fits && !device.hostMemory() && whyNotGathered(manifest, weights).empty())
    moveEngram(plan, manifest, Place::Gathered);
}

MemoryPlan planMemory(const Manifest &manifest, const WeightSource &weights,
                      const Device &device, EngramMode engram) {
  MemoryPlan plan;
  plan.workspace = manifest.workspaceBytes;
  for (const BufferInfo &buffer : manifest.buffers) {
    Place place = placeOf(buffer, weights, device);
    plan.places.push_back(place);
    if (buffer.kind == "weight")
      (place == Place::InFile ? plan.mapped : plan.weights) += buffer.bytes;
    else if (buffer.kind == "state")
      plan.state += buffer.bytes;
    else if (buffer.kind != "workspace" && place == Place::Device)
      plan.other += buffer.bytes;
  }
  placeEngram(plan, manifest, weights, device, engram);
  if (device.readsHostMemory())
    moveTables(plan, manifest, weights, device, engram);
  if (engram == EngramMode::Auto)
    gatherWhatFitsNowhere(plan, manifest, weights, device);
  return plan;
}

/// The largest of what a compile decides, where a smaller one can be enough.
static std::string advice(const MemoryPlan &plan, const ModelFacts &facts, uint64_t missing) {
  if (plan.state >= missing && plan.state >= plan.workspace)
    return "; compile with a smaller --max-context (now " + std::to_string(facts.maxContext) +
           ") or --max-batch (now " + std::to_string(facts.maxBatch) + ")";
  if (plan.workspace >= missing)
    return "; compile with a smaller --max-rows (now " + std::to_string(facts.maxRows) + ")";
  if (plan.state + plan.workspace >= missing)
    return "; compile with a smaller --max-context (now " + std::to_string(facts.maxContext) +
           "), --max-batch (now " + std::to_string(facts.maxBatch) + ") and --max-rows (now " +
           std::to_string(facts.maxRows) + ")";
  return "; the weights alone do not fit";
}

void checkMemory(const MemoryPlan &plan, const Manifest &manifest, const Device &device) {
  uint64_t free = device.freeBytes();
  if (plan.total() > free)
    fail(Err::DeviceMemory, device.name(), ": this package needs ", plan.total(), " bytes (caches and state ",
         plan.state, ", workspace ", plan.workspace, ", weights ", plan.weights, ", other ",
         plan.other, "), ", free, " are free", advice(plan, manifest.facts, plan.total() - free));
  uint64_t host = availableHostBytes();
  if (plan.host > host)
    fail(Err::DeviceMemory, device.name(), ": tables of ", plan.host,
         " bytes do not fit on the device and need host memory that cannot be paged out, ", host,
         " bytes of it are available");
}

} // namespace cedilla
