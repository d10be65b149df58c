//===- Array.h - host arrays of the reference interpreter --------------------------------------===//
//
// Dense row-major arrays, block-scaled arrays and caches as plain C++ values. Copying one is cheap (the
// elements are shared); writing through mutableData() first detaches it, so every value keeps the value
// semantics of the dialect without a copy per cache update.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Numbers.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

namespace cedilla::reference {

using Shape = std::vector<int64_t>;

inline int64_t countOf(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// T is float, BF16, int32_t, int64_t or uint8_t. Index sets are Array<int32_t> [T, k], per-slot state
/// is an array whose first dim is the slot.
template <typename T>
class Array {
public:
  Array() : Array(Shape{0}) {}
  /// Zeroes.
  explicit Array(Shape shape)
      : dims(std::move(shape)), elements(std::make_shared<std::vector<T>>(countOf(dims))) {}
  Array(Shape shape, std::vector<T> values)
      : dims(std::move(shape)), elements(std::make_shared<std::vector<T>>(std::move(values))) {}

  const Shape &shape() const { return dims; }
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t dim(int64_t i) const { return dims[i]; }
  int64_t size() const { return static_cast<int64_t>(elements->size()); }
  /// Last dim, and how many vectors of it there are.
  int64_t cols() const { return dims.back(); }
  int64_t rows() const { return cols() == 0 ? 0 : size() / cols(); }

  const T *data() const { return elements->data(); }
  const T &operator[](int64_t i) const { return (*elements)[i]; }
  /// Start of element i of the first dim.
  const T *operator()(int64_t i) const { return data() + i * (size() / dims[0]); }

  T *mutableData() {
    if (elements.use_count() > 1)
      elements = std::make_shared<std::vector<T>>(*elements);
    return elements->data();
  }

private:
  Shape dims;
  std::shared_ptr<std::vector<T>> elements;
};

/// How a block-scaled value is encoded (the parameters of !ced.scaled).
struct ScaledFormat {
  enum class Element { E4M3, E2M1 } element = Element::E4M3;
  int64_t blockRows = 1;
  int64_t blockCols = 32;
  enum class Scale { UE8M0, E4M3 } scale = Scale::UE8M0;

  bool isFP4() const { return element == Element::E2M1; }
  int64_t codeBytes(int64_t cols) const { return isFP4() ? (cols + 1) / 2 : cols; }
  int64_t scaleBytes(int64_t cols) const { return (cols + blockCols - 1) / blockCols; }
  int64_t rowBytes(int64_t cols) const { return codeBytes(cols) + scaleBytes(cols); }
  bool operator==(const ScaledFormat &) const = default;
};

/// Codes and scales apart, whatever the type's placement: codes [.., cols or cols/2],
/// scales [.., ceil(rows/blockRows), ceil(cols/blockCols)].
struct ScaledArray {
  ScaledFormat format;
  Shape shape;
  Array<uint8_t> codes, scales;

  ScaledArray() = default;
  /// All codes and scales zero.
  ScaledArray(const ScaledFormat &format, Shape shape);

  int64_t cols() const { return shape.back(); }
  int64_t rows() const { return countOf(shape) / cols(); }
};

/// Window rings of all slots: bytes [slots, window + slack, row bytes], a row = codes, then scales.
struct WindowCache {
  int64_t window = 0, slack = 0, cols = 0;
  ScaledFormat format;
  Array<uint8_t> bytes;

  int64_t slots() const { return bytes.dim(0); }
  int64_t ringRows() const { return window + slack; }
};

/// Paged entries: bytes [pages, page / ratio, row bytes], a row = codes, then scales.
struct PagedCache {
  int64_t ratio = 1, page = 1, cols = 0;
  ScaledFormat format;
  Array<uint8_t> bytes;
};

/// What an MLIR value of a ced function is while it is interpreted.
using HostValue = std::variant<Array<float>, Array<BF16>, Array<int32_t>, Array<int64_t>, ScaledArray,
                               WindowCache, PagedCache>;

/// Entries a query at `position` may read from a cache with one entry per `ratio` tokens.
inline int64_t visibleEntries(int64_t position, int64_t ratio) { return (position + 1) / ratio; }

} // namespace cedilla::reference
