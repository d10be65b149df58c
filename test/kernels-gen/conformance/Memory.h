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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace cedilla::conformance {

/// In front of and behind every part of a value.
constexpr size_t guardBytes = 256;
constexpr uint8_t poisonByte = 0xFF; ///< NaN in every float format, -1 as an integer

class Memories {
public:
  Memories(Device &device, const Limits &limits, int64_t rows) : device(device), limits(limits), rows(rows) {}
  ~Memories();

  void set(mlir::Value value, const reference::HostValue &data);
  void alias(mlir::Value value, mlir::Value of) { valuesOf[value] = valuesOf[of]; }
  /// The kernel's parts in the order of Signature.h. Results get poisoned memory; a cache is written in place.
  std::vector<size_t> bind(ced::GroupOp group);
  std::vector<DeviceAddress> addressesOf(const std::vector<size_t> &numbers) const;
  /// Throws when the kernel that ran last wrote where it may not.
  void check(const std::string &kernel);
  /// What a function returns, as last seen; `like` tells the kinds.
  std::vector<reference::HostValue> getResults(mlir::func::FuncOp function,
                                               const std::vector<reference::HostValue> &like);

  struct Part {
    std::string name;
    int64_t argument = -1;  ///< of the function
    DeviceAddress base = 0; ///< of the guard in front
    std::vector<uint8_t> contents; ///< as last seen
    bool writable = false; ///< by the kernel that is next
    bool written = false;  ///< by any kernel so far
  };
  const std::vector<Part> &allParts() const { return parts; }
  const std::vector<size_t> &partsOf(mlir::Value value) const { return valuesOf.find(value)->second; }

private:
  using Parts = std::vector<size_t>;
  reference::HostValue get(mlir::Value value, const reference::HostValue &like);

  std::vector<mlir::MemRefType> withRows(mlir::ArrayRef<mlir::MemRefType> types) const;
  std::vector<mlir::MemRefType> typesOf(mlir::Type type) const { return withRows(getParts(type, limits)); }
  size_t allocate(const std::string &name, std::vector<uint8_t> contents);
  size_t allocateWritable(const std::string &name, mlir::MemRefType type);
  void allowWriting(size_t number);
  std::vector<uint8_t> download(const Part &part);

  Device &device;
  const Limits &limits;
  int64_t rows;
  std::vector<Part> parts;
  llvm::DenseMap<mlir::Value, Parts> valuesOf;
};

} // namespace cedilla::conformance
