//===- HostMemory.cpp - host memory that kernels read where it lies ---------------------------------===//
//
// Tables of which a step reads a few rows do not have to be on the device. Either the mapped file itself
// is page-locked, or memory of ours that the file is copied into.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/device/cuda/CudaDevice.h"

#include <unistd.h>

namespace cedilla {

/// The whole pages around a range: what can be page-locked.
static std::pair<void *, uint64_t> pagesOf(const void *memory, uint64_t bytes) {
  uint64_t page = sysconf(_SC_PAGESIZE), begin = reinterpret_cast<uint64_t>(memory);
  uint64_t first = begin / page * page, last = (begin + bytes + page - 1) / page * page;
  return {reinterpret_cast<void *>(first), last - first};
}

/// A mapped file is read-only. Page-locking one is refused by drivers without that kind, by some file
/// systems, and where a neighbour in the file has locked the page between them: all are answered with
/// false, since a copy is always possible.
bool cuda::mapHost(void *self, const void *memory, uint64_t bytes, DeviceAddress *address) {
  const CudaDevice &device = cudaOf(self);
  int readOnly = 0;
  device.api.check(device.api.deviceGetAttribute(&readOnly, ReadOnlyHostRegister, device.id),
                   "cuDeviceGetAttribute");
  if (readOnly != 1)
    return false;
  auto [pages, size] = pagesOf(memory, bytes);
  if (device.api.hostRegister(pages, size, hostRegisterDeviceMap | hostRegisterReadOnly) != 0)
    return false;
  Address mapped = 0;
  if (device.api.hostDeviceAddress(&mapped, pages, 0) != 0) {
    device.api.hostUnregister(pages);
    return false;
  }
  *address = mapped + (static_cast<const char *>(memory) - static_cast<const char *>(pages));
  return true;
}

void cuda::unmapHost(void *self, const void *memory) {
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.contextSetCurrent(device.context);
  device.api.hostUnregister(pagesOf(memory, 1).first);
}

HostBlock cuda::allocateHost(void *self, uint64_t bytes, std::string_view what) {
  const CudaDevice &device = cudaOf(self);
  HostBlock block;
  device.api.require(device.api.hostAllocate(&block.memory, bytes ? bytes : 1, hostAllocDeviceMap), Err::DeviceMemory,
                     "cannot page-lock " + std::to_string(bytes) + " bytes of host memory for " +
                         std::string(what));
  device.api.check(device.api.hostDeviceAddress(&block.address, block.memory, 0),
                   "cuMemHostGetDevicePointer");
  return block;
}

void cuda::releaseHost(void *self, const HostBlock &block) {
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.contextSetCurrent(device.context);
  device.api.hostFree(block.memory);
}

} // namespace cedilla
