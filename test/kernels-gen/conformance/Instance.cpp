//===- Instance.cpp - a case with numbers -------------------------------------------------------------------------===//

#include "dialects/ced/reference/Interpreter.h"
#include "dialects/ced/reference/Quantize.h"
#include "runtime/base/Error.h"
#include "test/kernels-gen/conformance/Case.h"
#include "test/kernels-gen/conformance/Rows.h"

#include <cmath>

using namespace mlir;

namespace cedilla::conformance {

static double floatAttr(func::FuncOp function, unsigned result, StringRef name) {
  Attribute attr = function.getResultAttr(result, name);
  if (auto number = dyn_cast_or_null<FloatAttr>(attr))
    return number.getValueAsDouble();
  if (auto number = dyn_cast_or_null<IntegerAttr>(attr))
    return double(number.getInt());
  return 0;
}

bench::Tolerance getTolerance(func::FuncOp function, unsigned result) {
  return {floatAttr(function, result, "check.ulp"), floatAttr(function, result, "check.absolute"),
          floatAttr(function, result, "check.codes")};
}

/// Which rows of results are compared: all but padding rows. Results that have no row per row of the step
/// are compared whole.
static std::vector<bool> countedRows(Type type, const Step &step) {
  if (!isPerRow(type))
    return {};
  std::vector<bool> counted;
  for (int32_t position : step.positions)
    counted.push_back(position >= 0);
  return counted;
}

/// A function that is not told positions computes every row.
static bool knowsPositions(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto name = function.getArgAttrOfType<StringAttr>(i, "ced.name"))
      if (name.getValue() == "positions")
        return true;
  return false;
}

/// In the rows that are compared.
static bool holdsNaN(const reference::HostValue &value, const std::vector<bool> &counted) {
  reference::Array<float> numbers;
  if (const auto *x = std::get_if<reference::Array<float>>(&value))
    numbers = *x;
  else if (const auto *x = std::get_if<reference::Array<reference::BF16>>(&value))
    numbers = reference::Array<float>(x->shape(), reference::widen(*x));
  else if (const auto *x = std::get_if<reference::ScaledArray>(&value))
    numbers = reference::Array<float>(x->shape, reference::widen(reference::dequantize(*x)));
  for (int64_t i = 0; i < numbers.size(); ++i)
    if (std::isnan(numbers[i]) && (counted.empty() || counted[i / (numbers.size() / int64_t(counted.size()))]))
      return true;
  return false;
}

Instance makeInstance(func::FuncOp function, const Limits &limits, int64_t rows, uint64_t seed) {
  std::mt19937_64 random(seed * 1000003 + rows);
  Step step = makeStep(rows, limits, random);
  if (!knowsPositions(function))
    std::fill(step.positions.begin(), step.positions.end(), 0);
  Instance instance{rows, seed, makeArguments(function, step, limits, seed), {}, {}};
  instance.right = reference::interpret(function, instance.arguments, {});
  for (Type type : function.getResultTypes())
    instance.counted.push_back(countedRows(type, step));
  for (size_t i = 0; i < instance.right.size(); ++i)
    if (!function->hasAttr("check.nan") && holdsNaN(instance.right[i], instance.counted[i]))
      fail(Err::Unnumbered, "@", function.getName().str(), ": rows ", rows, " seed ", seed, ": the interpreter's result ", i,
           " holds NaN, which the case does not say (check.nan)");
  return instance;
}

} // namespace cedilla::conformance
