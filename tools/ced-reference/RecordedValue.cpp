//===- RecordedValue.cpp - recorded bytes as the interpreter's values ------------------------------===//

#include "tools/ced-reference/RecordedValue.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cedilla {

using namespace reference;

template <typename T>
static std::optional<Array<T>> arrayLike(const Array<T> &own, const TensorView &view, std::string &reason) {
  if (view.bytes != own.size() * sizeof(T)) {
    reason = "expected " + std::to_string(own.size() * sizeof(T)) + " bytes, got " + std::to_string(view.bytes);
    return std::nullopt;
  }
  Array<T> array(own.shape());
  std::memcpy(array.mutableData(), view.data, view.bytes);
  return array;
}

namespace {
struct Like {
  const TensorView &bytes;
  const TensorView *scales;
  std::string &reason;
  using Result = std::optional<HostValue>;

  template <typename T>
  Result operator()(const Array<T> &own) const {
    if (auto array = arrayLike(own, bytes, reason))
      return HostValue(std::move(*array));
    return std::nullopt;
  }
  Result operator()(const ScaledArray &own) const {
    if (!scales) {
      reason = "expected scales beside the codes";
      return std::nullopt;
    }
    auto codes = arrayLike(own.codes, bytes, reason), parts = arrayLike(own.scales, *scales, reason);
    if (!codes || !parts)
      return std::nullopt;
    ScaledArray value = own;
    value.codes = std::move(*codes), value.scales = std::move(*parts);
    return HostValue(std::move(value));
  }
  template <typename Cache>
  Result cache(const Cache &own) const {
    auto array = arrayLike(own.bytes, bytes, reason);
    if (!array)
      return std::nullopt;
    Cache value = own;
    value.bytes = std::move(*array);
    return HostValue(std::move(value));
  }
  Result operator()(const WindowCache &own) const { return cache(own); }
  Result operator()(const PagedCache &own) const { return cache(own); }
};
} // namespace

std::optional<HostValue> valueLike(const HostValue &own, const TensorView &bytes, const TensorView *scales, std::string &reason) {
  return std::visit(Like{bytes, scales, reason}, own);
}

Array<BF16> scoresLike(const Array<BF16> &own, const TensorView &bytes, const std::function<int64_t(int64_t row)> &visible) {
  int64_t rows = own.dim(0), columns = own.dim(1), theirs = rows ? int64_t(bytes.bytes / sizeof(BF16)) / rows : 0;
  Array<BF16> scores(own.shape());
  std::fill_n(scores.mutableData(), scores.size(), toBF16(-INFINITY));
  for (int64_t row = 0; row < rows; ++row) {
    int64_t used = std::clamp<int64_t>(visible(row), 0, std::min(columns, theirs));
    std::memcpy(scores.mutableData() + row * columns, bytes.data + row * theirs * sizeof(BF16), used * sizeof(BF16));
  }
  return scores;
}

} // namespace cedilla
