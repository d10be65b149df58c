//===- Memory.cpp - device memory of the values of a case ----------------------------------------------------===//

#include "test/kernels-gen/conformance/Memory.h"

#include "kernels-gen/common/Family.h"
#include "runtime/base/Error.h"
#include "tools/ced-bench/Values.h"

#include <algorithm>

using namespace mlir;
using namespace cedilla::reference;

namespace cedilla::conformance {

static constexpr uint8_t guardByte = 0xA5;

Memories::~Memories() {
  for (const Part &part : parts)
    device.release(part.base);
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

size_t Memories::allocate(const std::string &name, std::vector<uint8_t> contents) {
  Part part;
  part.name = name;
  part.base = device.allocate(contents.size() + 2 * guardBytes, name);
  device.fill(part.base, guardByte, contents.size() + 2 * guardBytes);
  device.upload(part.base + guardBytes, contents.data(), contents.size());
  part.contents = std::move(contents);
  parts.push_back(std::move(part));
  return parts.size() - 1;
}

void Memories::allowWriting(size_t number) { parts[number].writable = parts[number].written = true; }

size_t Memories::allocateWritable(const std::string &name, MemRefType type) {
  size_t number = allocate(name, std::vector<uint8_t>(sched::getBufferBytes(type, rows), poisonByte));
  allowWriting(number);
  return number;
}

std::vector<uint8_t> Memories::download(const Part &part) {
  std::vector<uint8_t> bytes(part.contents.size() + 2 * guardBytes);
  device.download(bytes.data(), part.base, bytes.size());
  return bytes;
}

void Memories::set(Value value, const HostValue &data) {
  std::string name = "argument " + std::to_string(cast<BlockArgument>(value).getArgNumber());
  std::vector<MemRefType> types = typesOf(value.getType());
  std::vector<std::vector<uint8_t>> bytes = bench::partsOf(data);
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i].size() != sched::getBufferBytes(types[i], rows))
      failInternal(name, ": part ", i, ": expected ", sched::getBufferBytes(types[i], rows), " bytes, got ",
                   bytes[i].size());
    size_t number = allocate(name, std::move(bytes[i]));
    parts[number].argument = cast<BlockArgument>(value).getArgNumber();
    valuesOf[value].push_back(number);
  }
}

std::vector<size_t> Memories::bind(ced::GroupOp group) {
  for (Part &part : parts)
    part.writable = false;
  Parts arguments;
  for (Value input : group.getInputs())
    llvm::append_range(arguments, valuesOf[input]);
  Operation *yield = group.getBody().front().getTerminator();
  for (auto [result, yielded] : llvm::zip(group.getOutputs(), yield->getOperands())) {
    if (isCache(result.getType())) {
      Parts cache = valuesOf[group.getInputs()[findCacheInput(yielded).getArgNumber()]];
      llvm::for_each(cache, [&](size_t number) { allowWriting(number); });
      valuesOf[result] = cache;
      continue;
    }
    Parts results;
    for (MemRefType type : typesOf(result.getType()))
      results.push_back(allocateWritable(
          "result " + std::to_string(result.getResultNumber()) + " of " + group.getKernel().str(), type));
    llvm::append_range(arguments, results);
    valuesOf[result] = results;
  }
  for (MemRefType type : withRows(findFamily(group.getKernel())->scratch(group.getBody().front(), limits)))
    arguments.push_back(allocateWritable("scratch of " + group.getKernel().str(), type));
  return arguments;
}

std::vector<DeviceAddress> Memories::addressesOf(const std::vector<size_t> &numbers) const {
  std::vector<DeviceAddress> addresses;
  for (size_t number : numbers)
    addresses.push_back(parts[number].base + guardBytes);
  return addresses;
}

void Memories::check(const std::string &kernel) {
  for (Part &part : parts) {
    std::vector<uint8_t> now = download(part);
    auto begin = now.begin() + guardBytes, end = now.end() - guardBytes;
    auto isGuard = [](uint8_t byte) { return byte == guardByte; };
    if (!std::all_of(now.begin(), begin, isGuard) || !std::all_of(end, now.end(), isGuard))
      fail(Err::Unnumbered, kernel, ": wrote outside of ", part.name);
    if (!part.writable && !std::equal(begin, end, part.contents.begin()))
      fail(Err::Unnumbered, kernel, ": changed ", part.name, ", which it may only read");
    part.contents.assign(begin, end);
  }
}

HostValue Memories::get(Value value, const HostValue &like) {
  Parts found = valuesOf[value];
  std::vector<MemRefType> types = typesOf(value.getType());
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<Shape> shapes;
  for (auto [number, type] : llvm::zip_equal(found, types)) {
    bytes.push_back(parts[number].contents);
    shapes.emplace_back(type.getShape().begin(), type.getShape().end());
  }
  return bench::withParts(like, bytes, shapes);
}

std::vector<HostValue> Memories::getResults(func::FuncOp function, const std::vector<HostValue> &like) {
  std::vector<HostValue> results;
  for (auto [value, right] : llvm::zip_equal(function.getBody().front().getTerminator()->getOperands(), like))
    results.push_back(get(value, right));
  return results;
}

} // namespace cedilla::conformance
