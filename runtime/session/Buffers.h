//===- Buffers.h - the memory behind a package's buffers --------------------------------------------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/package/Package.h"
#include "runtime/session/MemoryPlan.h"
#include "runtime/session/WeightSource.h"

#include <string>
#include <vector>

namespace cedilla {

/// Fills all types with NaN, and with -1 as an integer.
inline constexpr uint8_t poisonByte = 0xFF;

/// Every buffer at its place, filled. Gives everything back, also when filling fails half-way.
class Buffers {
public:
  /// The weights' source and the package must stay: buffers may lie in their files.
  Buffers(const Package &package, Device &device, const MemoryPlan &plan, WeightSource &weights,
          bool poison);
  Buffers(const Buffers &) = delete;

  DeviceAddress operator[](size_t buffer) const { return addresses[buffer]; }
  DeviceAddress workspace() const { return scratch; }
  /// Of the tables in host memory: bytes page-locked where the file is mapped, and bytes copied first.
  uint64_t lockedInFile() const { return inFile; }
  uint64_t lockedCopies() const { return copied; }

private:
  /// A member, so that it is given back when the constructor fails.
  struct Held {
    Device &device;
    std::vector<DeviceAddress> memory, repeated;
    std::vector<HostBlock> hostBlocks;
    std::vector<const std::byte *> mapped; ///< lent to the device
    ~Held();
  };
  DeviceAddress allocate(uint64_t bytes, std::string_view what);
  DeviceAddress place(const BufferInfo &buffer, Place place);
  DeviceAddress placeInHost(const BufferInfo &buffer);
  DeviceAddress placeRepeated(const BufferInfo &buffer);

  const Package &package;
  Device &device;
  Held held;
  WeightSource &weights;
  bool poison;
  LoadProgress progress;
  std::vector<DeviceAddress> addresses;
  DeviceAddress scratch = 0;
  uint64_t inFile = 0, copied = 0;
};

} // namespace cedilla
