//===- Rows.cpp - single rows of values -----------------------------------------------------------------------------===//

#include "test/kernels-gen/conformance/Rows.h"

#include "runtime/base/Error.h"

using namespace mlir;
using namespace cedilla::reference;

namespace cedilla::conformance {

bool isPerRow(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank() > 0 && tensor.isDynamicDim(0);
  if (auto scaled = dyn_cast<ced::ScaledType>(type))
    return ShapedType::isDynamic(scaled.getShape()[0]);
  return isa<ced::IndexSetType>(type);
}

template <typename T>
static Array<T> rowOf(const Array<T> &array, int64_t row) {
  Shape shape = array.shape();
  shape[0] = 1;
  return Array<T>(shape, std::vector<T>(array(row), array(row) + countOf(shape)));
}

static ScaledArray rowOf(const ScaledArray &array, int64_t row) {
  ScaledArray result = array;
  result.shape[0] = 1;
  result.codes = rowOf(array.codes, row);
  result.scales = rowOf(array.scales, row);
  return result;
}

template <typename Cache>
static Cache rowOf(const Cache &, int64_t) {
  failInternal("a cache has no rows of the step");
}

HostValue rowOf(const HostValue &value, int64_t row) {
  return std::visit([&](const auto &v) -> HostValue { return rowOf(v, row); }, value);
}

} // namespace cedilla::conformance
