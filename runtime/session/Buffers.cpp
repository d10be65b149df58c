//===- Buffers.cpp - the memory behind a package's buffers ------------------------------------------===//

#include "runtime/session/Buffers.h"

namespace cedilla {

/// Kernels of a device assume this of every buffer (device/Device.h).
static constexpr uintptr_t bufferAlignment = 64;

Buffers::Buffers(const Package &package, Device &device, const MemoryPlan &plan,
                 WeightSource &weights, bool poison)
    : package(package), device(device), held{device, {}, {}, {}, {}}, weights(weights), poison(poison),
      progress(plan.weights + plan.host) {
  const Manifest &manifest = package.manifest();
  scratch = allocate(manifest.workspaceBytes, "workspace");
  for (size_t i = 0; i < manifest.buffers.size(); ++i)
    addresses.push_back(place(manifest.buffers[i], plan.places[i]));
}

Buffers::Held::~Held() {
  for (DeviceAddress address : memory)
    device.release(address);
  for (DeviceAddress address : repeated)
    device.releaseRepeated(address);
  for (const HostBlock &block : hostBlocks)
    device.releaseHost(block);
  for (const std::byte *place : mapped)
    device.unmapHost(place);
}

DeviceAddress Buffers::allocate(uint64_t bytes, std::string_view what) {
  held.memory.push_back(device.allocate(bytes, what));
  return held.memory.back();
}

/// The mapped file itself where that can be, a copy in memory otherwise.
DeviceAddress Buffers::placeInHost(const BufferInfo &buffer) {
  const std::byte *file = weights.mapped(buffer);
  DeviceAddress address = 0;
  if (file && reinterpret_cast<uintptr_t>(file) % bufferAlignment == 0 &&
      device.mapHost(file, buffer.bytes, &address)) {
    held.mapped.push_back(file);
    inFile += buffer.bytes;
    return address;
  }
  held.hostBlocks.push_back(device.allocateHost(buffer.bytes, buffer.name));
  HostBlock block = held.hostBlocks.back();
  weights.copy(buffer, {static_cast<std::byte *>(block.memory), buffer.bytes}, progress);
  copied += buffer.bytes;
  return block.address;
}

DeviceAddress Buffers::placeRepeated(const BufferInfo &buffer) {
  BufferInfo part = buffer;
  part.bytes = repeatedBytes;
  held.repeated.push_back(device.allocateRepeated(buffer.bytes, &part.bytes, buffer.name));
  weights.upload(part, device, held.repeated.back(), progress);
  return held.repeated.back();
}

DeviceAddress Buffers::place(const BufferInfo &buffer, Place place) {
  if (buffer.kind == "workspace")
    return scratch + buffer.offset;
  if (place == Place::InFile)
    return reinterpret_cast<DeviceAddress>(buffer.kind == "constant"
                                               ? package.constant(buffer).data()
                                               : weights.mapped(buffer));
  if (place == Place::Host)
    return placeInHost(buffer);
  if (place == Place::Repeated)
    return placeRepeated(buffer);

  if (place == Place::Gathered)
    return allocate(gatheredBytes(package.manifest(), buffer), buffer.name);

  DeviceAddress address = allocate(buffer.bytes, buffer.name);
  if (buffer.kind == "weight")
    weights.upload(buffer, device, address, progress);
  else if (buffer.kind == "constant")
    device.upload(address, package.constant(buffer).data(), buffer.bytes);
  else if (buffer.kind == "state" && poison)
    device.fill(address, poisonByte, buffer.bytes);
  return address;
}

} // namespace cedilla
