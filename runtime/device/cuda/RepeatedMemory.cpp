//===- RepeatedMemory.cpp - a large range of addresses over little memory --------------------------===//
//
// The same physical memory is mapped over and over behind a reserved range, so a table of 100 GB can stand
// in its full size where nobody cares what is in it.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/device/cuda/CudaDevice.h"

namespace cedilla {
using namespace cuda;

static void unmap(const CudaDevice &device, const CudaDevice::Repeated &range) {
  if (range.mapped)
    device.api.memoryUnmap(range.address, range.mapped);
  if (range.address)
    device.api.addressFree(range.address, range.bytes);
  if (range.handle)
    device.api.memoryRelease(range.handle);
}

DeviceAddress cuda::allocateRepeated(void *self, uint64_t bytes, uint64_t *distinct,
                                     std::string_view what) {
  CudaDevice &device = cudaOf(self);
  AllocationProperties properties = {};
  properties.type = AllocationProperties::pinned;
  properties.location = {MemoryLocation::device, device.id};
  size_t unit = 0;
  device.api.check(device.api.memoryGranularity(&unit, &properties, 0),
                   "cuMemGetAllocationGranularity");
  uint64_t part = (*distinct + unit - 1) / unit * unit;
  CudaDevice::Repeated range;
  range.bytes = (bytes + part - 1) / part * part;
  std::string failed = "cannot allocate " + std::to_string(part) + " bytes, repeated over " +
                       std::to_string(range.bytes) + ", for " + std::string(what);
  try {
    device.api.require(device.api.memoryCreate(&range.handle, part, &properties, 0), Err::DeviceMemory, failed);
    device.api.require(device.api.addressReserve(&range.address, range.bytes, 0, 0, 0), Err::DeviceMemory, failed);
    for (; range.mapped < range.bytes; range.mapped += part)
      device.api.require(
          device.api.memoryMap(range.address + range.mapped, part, 0, range.handle, 0), Err::DeviceMemory, failed);
    AccessDescription access = {properties.location, AccessDescription::readWrite};
    device.api.require(device.api.memorySetAccess(range.address, range.bytes, &access, 1), Err::DeviceMemory, failed);
  } catch (...) {
    unmap(device, range);
    throw;
  }
  *distinct = part;
  device.repeated.push_back(range);
  return range.address;
}

void cuda::releaseRepeated(void *self, DeviceAddress address) {
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.contextSetCurrent(device.context);
  device.api.streamSynchronize(device.stream);
  std::erase_if(device.repeated, [&](const CudaDevice::Repeated &range) {
    if (range.address != address)
      return false;
    unmap(device, range);
    return true;
  });
}

} // namespace cedilla
