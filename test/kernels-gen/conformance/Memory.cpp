//===- Memory.cpp - device memory of the values of a case ----------------------------------------------------===//

#include "test/kernels-gen/conformance/Memory.h"

#include "kernels-gen/common/Family.h"
#include "runtime/base/Error.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace cedilla::reference;

namespace cedilla::conformance {

static constexpr uint8_t guardByte = 0xA5;
static constexpr uint8_t poisonByte = 0xFF; ///< NaN in every float format, -1 as an integer

//===------------------------------------------------------------------------------------------===//
// Values as bytes
//===------------------------------------------------------------------------------------------===//

template <typename T>
static std::vector<uint8_t> bytesOf(const Array<T> &array) {
  std::vector<uint8_t> bytes(array.size() * sizeof(T));
  std::memcpy(bytes.data(), array.data(), bytes.size());
  return bytes;
}

std::vector<std::vector<uint8_t>> partsOf(const HostValue &value) {
  return std::visit(
      [](const auto &v) -> std::vector<std::vector<uint8_t>> {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, ScaledArray>)
          return {bytesOf(v.codes), bytesOf(v.scales)};
        else if constexpr (std::is_same_v<V, WindowCache> || std::is_same_v<V, PagedCache>)
          return {bytesOf(v.bytes)};
        else
          return {bytesOf(v)};
      },
      value);
}

template <typename T>
static Array<T> arrayOf(const std::vector<uint8_t> &bytes, Shape shape) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return Array<T>(std::move(shape), std::move(elements));
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

Memories::~Memories() {
  for (auto &part : parts)
    device.release(part->base);
}

/// With the step's rows in place of a dynamic dim.
std::vector<MemRefType> Memories::withRows(ArrayRef<MemRefType> types) const {
  std::vector<MemRefType> result;
  for (MemRefType part : types) {
    SmallVector<int64_t> shape(part.getShape());
    for (int64_t &dim : shape)
      dim = ShapedType::isDynamic(dim) ? rows : dim;
    result.push_back(MemRefType::get(shape, part.getElementType()));
  }
  return result;
}

Memories::Part *Memories::allocate(const std::string &name, std::vector<uint8_t> contents) {
  auto part = std::make_unique<Part>();
  part->name = name;
  part->base = device.allocate(contents.size() + 2 * guardBytes, name);
  part->contents = std::move(contents);
  device.fill(part->base, guardByte, part->contents.size() + 2 * guardBytes);
  device.upload(part->base + guardBytes, part->contents.data(), part->contents.size());
  parts.push_back(std::move(part));
  return parts.back().get();
}

std::vector<uint8_t> Memories::download(const Part &part) {
  std::vector<uint8_t> bytes(part.contents.size() + 2 * guardBytes);
  device.download(bytes.data(), part.base, bytes.size());
  return bytes;
}

void Memories::set(Value value, const HostValue &data) {
  std::string name = "argument " + std::to_string(cast<BlockArgument>(value).getArgNumber());
  std::vector<MemRefType> types = typesOf(value.getType());
  std::vector<std::vector<uint8_t>> bytes = partsOf(data);
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i].size() != sched::getBufferBytes(types[i], rows))
      failInternal(name, ": part ", i, ": expected ", sched::getBufferBytes(types[i], rows), " bytes, got ",
                   bytes[i].size());
    valuesOf[value].push_back(allocate(name, std::move(bytes[i])));
  }
}

std::vector<uint8_t> Memories::poisoned(MemRefType type) const {
  return std::vector<uint8_t>(sched::getBufferBytes(type, rows), poisonByte);
}

std::vector<DeviceAddress> Memories::bind(ced::GroupOp group) {
  for (auto &part : parts)
    part->writable = false;
  Parts arguments;
  for (Value input : group.getInputs())
    llvm::append_range(arguments, valuesOf[input]);
  Operation *yield = group.getBody().front().getTerminator();
  for (auto [result, yielded] : llvm::zip(group.getOutputs(), yield->getOperands())) {
    if (isCache(result.getType())) {
      Parts cache = valuesOf[group.getInputs()[findCacheInput(yielded).getArgNumber()]];
      for (Part *part : cache)
        part->writable = true;
      valuesOf[result] = cache;
      continue;
    }
    Parts results;
    for (MemRefType type : typesOf(result.getType())) {
      results.push_back(allocate("result " + std::to_string(result.getResultNumber()) + " of " +
                                     group.getKernel().str(), poisoned(type)));
      results.back()->writable = true;
    }
    llvm::append_range(arguments, results);
    valuesOf[result] = results;
  }
  for (MemRefType type : withRows(findFamily(group.getKernel())->scratch(group.getBody().front(), limits))) {
    arguments.push_back(allocate("scratch of " + group.getKernel().str(), poisoned(type)));
    arguments.back()->writable = true;
  }
  std::vector<DeviceAddress> addresses;
  for (Part *part : arguments)
    addresses.push_back(part->base + guardBytes);
  return addresses;
}

void Memories::check(const std::string &kernel) {
  for (auto &part : parts) {
    std::vector<uint8_t> now = download(*part);
    auto begin = now.begin() + guardBytes, end = now.end() - guardBytes;
    auto isGuard = [](uint8_t byte) { return byte == guardByte; };
    if (!std::all_of(now.begin(), begin, isGuard) || !std::all_of(end, now.end(), isGuard))
      fail(kernel, ": wrote outside of ", part->name);
    if (!part->writable && !std::equal(begin, end, part->contents.begin()))
      fail(kernel, ": changed ", part->name, ", which it may only read");
    part->contents.assign(begin, end);
  }
}

HostValue Memories::get(Value value, const HostValue &like) {
  Parts found = valuesOf[value];
  std::vector<MemRefType> types = typesOf(value.getType());
  auto shape = [&](size_t i) { return Shape(types[i].getShape().begin(), types[i].getShape().end()); };
  auto bytes = [&](size_t i) { return found[i]->contents; };
  return std::visit(
      [&](const auto &v) -> HostValue {
        using V = std::decay_t<decltype(v)>;
        V result = v;
        if constexpr (std::is_same_v<V, ScaledArray>) {
          result.codes = arrayOf<uint8_t>(bytes(0), shape(0));
          result.scales = arrayOf<uint8_t>(bytes(1), shape(1));
        } else if constexpr (std::is_same_v<V, WindowCache> || std::is_same_v<V, PagedCache>) {
          result.bytes = arrayOf<uint8_t>(bytes(0), shape(0));
        } else {
          result = arrayOf<std::decay_t<decltype(v[0])>>(bytes(0), shape(0));
        }
        return result;
      },
      like);
}

} // namespace cedilla::conformance
