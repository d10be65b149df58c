//===- Memory.h - device memory of the values of a case ------------------------------------------------------===//
//
// Each part of a value lies between guard bytes. After every kernel `check` looks at the guards of all of
// them and at the contents of everything but the kernel's results.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/HostValue.h"
#include "kernels-gen/common/Signature.h"
#include "runtime/device/Device.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace cedilla::conformance {

/// In front of and behind every part of a value.
constexpr size_t guardBytes = 256;

/// The bytes of a value's parts, in the order of Signature.h.
std::vector<std::vector<uint8_t>> partsOf(const reference::HostValue &value);

class Memories {
public:
  Memories(Device &device, const Limits &limits, int64_t rows) : device(device), limits(limits), rows(rows) {}
  ~Memories();

  void set(mlir::Value value, const reference::HostValue &data);
  void alias(mlir::Value value, mlir::Value of) { valuesOf[value] = valuesOf[of]; }
  /// The kernel's buffers in the order of Signature.h. Results get poisoned memory; a cache is written in place.
  std::vector<DeviceAddress> bind(ced::GroupOp group);
  /// Throws when the kernel that ran last wrote where it may not.
  void check(const std::string &kernel);
  /// The value as it lies on the device; `like` tells its kind.
  reference::HostValue get(mlir::Value value, const reference::HostValue &like);

private:
  struct Part {
    std::string name;
    DeviceAddress base = 0; ///< of the guard in front
    std::vector<uint8_t> contents; ///< as last seen
    bool writable = false;
  };
  using Parts = std::vector<Part *>;

  std::vector<mlir::MemRefType> withRows(mlir::ArrayRef<mlir::MemRefType> types) const;
  std::vector<mlir::MemRefType> typesOf(mlir::Type type) const { return withRows(getParts(type, limits)); }
  std::vector<uint8_t> poisoned(mlir::MemRefType type) const;
  Part *allocate(const std::string &name, std::vector<uint8_t> contents);
  std::vector<uint8_t> download(const Part &part);

  Device &device;
  const Limits &limits;
  int64_t rows;
  std::vector<std::unique_ptr<Part>> parts;
  llvm::DenseMap<mlir::Value, Parts> valuesOf;
};

} // namespace cedilla::conformance
