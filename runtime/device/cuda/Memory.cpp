//===- Memory.cpp - memory of a GPU and copies to and from it ---------------------------------------===//
//
// The driver copies from ordinary memory through a small buffer of its own and waits meanwhile. Anything
// long therefore goes through two page-locked halves: one is filled (from mapped files that means: read
// from the disk, by several threads) while the other travels. No other copy exists on the host.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/device/cuda/CudaDevice.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace cedilla {

/// Up to here a copy is short: waiting for anything would cost more than it does.
static constexpr uint64_t smallCopy = 64 * 1024, ringBytes = 16 * smallCopy;

uint64_t cuda::freeBytes(void *self) {
  const CudaDevice &device = cudaOf(self);
  size_t free = 0, total = 0;
  device.api.check(device.api.memoryGetInfo(&free, &total), "cuMemGetInfo");
  return free;
}

DeviceAddress cuda::allocate(void *self, uint64_t bytes, std::string_view what) {
  const CudaDevice &device = cudaOf(self);
  Address address = 0;
  uint64_t size = bytes ? bytes : 1;
  Result result = device.api.memoryAllocate(&address, size);
  if (result != 0)
    device.api.require(result, Err::DeviceMemory, "cannot allocate " + std::to_string(bytes) + " bytes for " +
                                   std::string(what) + ", " + std::to_string(freeBytes(self)) +
                                   " are free");
  device.api.check(device.api.memorySet(address, 0, size, device.stream), "cuMemsetD8Async");
  return address;
}

void cuda::release(void *self, DeviceAddress address) {
  CudaDevice &device = *static_cast<CudaDevice *>(self);
  device.api.contextSetCurrent(device.context);
  device.api.memoryFree(address);
}

void cuda::fill(void *self, DeviceAddress to, uint8_t byte, uint64_t bytes) {
  const CudaDevice &device = cudaOf(self);
  if (bytes)
    device.api.check(device.api.memorySet(to, byte, bytes, device.stream), "cuMemsetD8Async");
}

void cuda::copy(void *self, DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  const CudaDevice &device = cudaOf(self);
  if (bytes)
    device.api.check(device.api.copyOnDevice(to, from, bytes, device.stream),
                     std::string("copy on the device") + laterFault);
}

//===------------------------------------------------------------------------------------------===//
// Through the halves
//===------------------------------------------------------------------------------------------===//

static cuda::Bounce &bounceOf(cuda::CudaDevice &device) {
  for (cuda::Bounce::Half &half : device.bounce.halves) {
    if (half.memory)
      continue;
    void *memory = nullptr;
    device.api.require(device.api.hostAllocate(&memory, cuda::Bounce::halfBytes, 0), Err::DeviceMemory,
                       "cannot page-lock " + std::to_string(cuda::Bounce::halfBytes) +
                           " bytes of host memory");
    half.memory = static_cast<std::byte *>(memory);
    device.api.check(device.api.eventCreate(&half.done, cuda::eventDefault), "cuEventCreate");
  }
  return device.bounce;
}

void cuda::releaseBounce(CudaDevice &device) {
  if (device.ring) {
    device.api.streamSynchronize(device.stream);
    device.api.hostFree(device.ring);
    device.ring = nullptr;
  }
  for (Bounce::Half &half : device.bounce.halves) {
    if (half.used)
      device.api.eventSynchronize(half.done);
    if (half.done)
      device.api.eventDestroy(half.done);
    if (half.memory)
      device.api.hostFree(half.memory);
    half = {};
  }
}

/// Waits until the half may be touched again.
static void waitFor(const cuda::CudaDevice &device, cuda::Bounce::Half &half) {
  if (half.used)
    device.api.check(device.api.eventSynchronize(half.done),
                     std::string("copy") + cuda::laterFault);
}

static void markUsed(const cuda::CudaDevice &device, cuda::Bounce::Half &half) {
  device.api.check(device.api.eventRecord(half.done, device.stream), "cuEventRecord");
  half.used = true;
}

/// One thread cannot read a disk, or even memory, as quickly as the bus takes it.
static void copyByThreads(std::byte *to, const std::byte *from, uint64_t bytes) {
  constexpr uint64_t perThread = uint64_t(2) << 20;
  uint64_t most = std::clamp<uint64_t>(std::thread::hardware_concurrency(), 1, 8);
  uint64_t threads = std::clamp<uint64_t>(bytes / perThread, 1, most);
  uint64_t part = (bytes + threads - 1) / threads;
  std::vector<std::thread> others;
  for (uint64_t begin = part; begin < bytes; begin += part)
    others.emplace_back([=] { std::memcpy(to + begin, from + begin, std::min(part, bytes - begin)); });
  std::memcpy(to, from, std::min(part, bytes));
  for (std::thread &other : others)
    other.join();
}

/// From ordinary memory the driver would wait for the copy before; five short ones open every step. Parts
/// of the ring are used once between two waits.
static const void *intoRing(cuda::CudaDevice &device, const void *from, uint64_t bytes) {
  if (!device.ring) {
    void *memory = nullptr;
    device.api.require(device.api.hostAllocate(&memory, ringBytes, 0), Err::DeviceMemory,
                       "cannot page-lock " + std::to_string(ringBytes) + " bytes of host memory");
    device.ring = static_cast<std::byte *>(memory);
  }
  if (device.ringUsed + bytes > ringBytes) {
    device.api.check(device.api.streamSynchronize(device.stream),
                     std::string("copy to the device") + cuda::laterFault);
    device.ringUsed = 0;
  }
  std::byte *place = device.ring + device.ringUsed;
  device.ringUsed += (bytes + 63) / 64 * 64;
  return std::memcpy(place, from, bytes);
}

void cuda::upload(void *self, DeviceAddress to, const void *from, uint64_t bytes) {
  CudaDevice &device = cudaOf(self);
  const std::string what = std::string("copy to the device") + laterFault;
  if (bytes == 0)
    return;
  if (bytes <= smallCopy)
    return device.api.check(
        device.api.copyToDevice(to, intoRing(device, from, bytes), bytes, device.stream), what);
  Bounce &bounce = bounceOf(device);
  auto *source = static_cast<const std::byte *>(from);
  for (uint64_t at = 0, i = 0; at < bytes; at += Bounce::halfBytes, ++i) {
    Bounce::Half &half = bounce.halves[i % 2];
    uint64_t size = std::min(Bounce::halfBytes, bytes - at);
    waitFor(device, half);
    copyByThreads(half.memory, source + at, size);
    device.api.check(device.api.copyToDevice(to + at, half.memory, size, device.stream), what);
    markUsed(device, half);
  }
}

void cuda::download(void *self, void *to, DeviceAddress from, uint64_t bytes) {
  CudaDevice &device = cudaOf(self);
  const std::string what = std::string("copy from the device") + laterFault;
  if (bytes == 0)
    return;
  if (bytes <= smallCopy) {
    device.api.check(device.api.copyToHost(to, from, bytes, device.stream), what);
    return device.api.check(device.api.streamSynchronize(device.stream), what);
  }
  Bounce &bounce = bounceOf(device);
  auto *target = static_cast<std::byte *>(to);
  uint64_t parts = (bytes + Bounce::halfBytes - 1) / Bounce::halfBytes;
  auto sizeOf = [&](uint64_t part) {
    return std::min(Bounce::halfBytes, bytes - part * Bounce::halfBytes);
  };
  for (uint64_t part = 0; part <= parts; ++part) {
    if (part < parts) {
      Bounce::Half &half = bounce.halves[part % 2];
      device.api.check(device.api.copyToHost(half.memory, from + part * Bounce::halfBytes,
                                             sizeOf(part), device.stream),
                       what);
      markUsed(device, half);
    }
    if (part > 0) {
      Bounce::Half &half = bounce.halves[(part - 1) % 2];
      device.api.check(device.api.eventSynchronize(half.done), what);
      copyByThreads(target + (part - 1) * Bounce::halfBytes, half.memory, sizeOf(part - 1));
    }
  }
}

} // namespace cedilla
