//===- Values.cpp - values as the bytes that kernels see --------------------------------------===//

#include "tools/ced-bench/Values.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace cedilla::reference;

namespace cedilla::bench {

template <typename T>
static std::vector<uint8_t> bytesOf(const Array<T> &array) {
  std::vector<uint8_t> bytes(array.size() * sizeof(T));
  std::memcpy(bytes.data(), array.data(), bytes.size());
  return bytes;
}

template <typename T>
static void assign(Array<T> &array, const std::vector<uint8_t> &bytes, const Shape &shape) {
  std::vector<T> elements(countOf(shape)); // of none there may be a byte all the same
  std::copy_n(bytes.data(), std::min(elements.size() * sizeof(T), bytes.size()),
              reinterpret_cast<uint8_t *>(elements.data()));
  array = Array<T>(shape, std::move(elements));
}

template <typename V>
static constexpr bool isCache = std::is_same_v<V, WindowCache> || std::is_same_v<V, PagedCache>;

/// Calls `function` with each array that a value lies in.
template <typename V, typename Function>
static void forEachPart(V &value, Function function) {
  using Value = std::remove_const_t<V>;
  if constexpr (std::is_same_v<Value, ScaledArray>) {
    function(value.codes);
    function(value.scales);
  } else if constexpr (isCache<Value>) {
    function(value.bytes);
  } else {
    function(value);
  }
}

std::vector<std::vector<uint8_t>> partsOf(const HostValue &value) {
  std::vector<std::vector<uint8_t>> parts;
  std::visit([&](const auto &v) { forEachPart(v, [&](const auto &part) { parts.push_back(bytesOf(part)); }); },
             value);
  return parts;
}

std::vector<Shape> shapesOf(const HostValue &value) {
  std::vector<Shape> shapes;
  std::visit([&](const auto &v) { forEachPart(v, [&](const auto &part) { shapes.push_back(part.shape()); }); },
             value);
  return shapes;
}

HostValue withParts(const HostValue &like, const std::vector<std::vector<uint8_t>> &parts,
                    const std::vector<Shape> &shapes) {
  HostValue result = like;
  size_t next = 0;
  std::visit([&](auto &v) { forEachPart(v, [&](auto &part) {
               assign(part, parts[next], shapes[next]);
               ++next;
             }); },
             result);
  return result;
}

} // namespace cedilla::bench
