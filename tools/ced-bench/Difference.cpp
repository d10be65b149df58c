//===- Difference.cpp - how far a result is from the right one ------------------------------------------------------===//

#include "tools/ced-bench/Difference.h"

#include "dialects/ced/reference/Quantize.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace cedilla::reference;

namespace cedilla::bench {

namespace {
/// Gathers the differences of one value.
class Comparer {
public:
  Comparer(const char *unit, double allowed, const std::vector<bool> &counts) : allowed(allowed), counts(counts) {
    result.unit = unit;
  }
  /// Whether the first dim's element that holds `index` of `size` is compared.
  bool isCounted(int64_t index, int64_t size) const {
    return counts.empty() || counts[index / (size / int64_t(counts.size()))];
  }
  void add(double difference, int64_t index, double right, double found) {
    // NaN differs from everything.
    if (!(difference <= result.worst))
      result.worst = difference;
    if (difference <= allowed || !result.where.empty())
      return;
    char text[96];
    std::snprintf(text, sizeof text, "element %lld: expected %.9g, got %.9g", static_cast<long long>(index), right, found);
    result.where = text;
  }
  void refuse(std::string where) {
    result.worst = std::numeric_limits<double>::infinity();
    if (result.where.empty())
      result.where = std::move(where);
  }
  Difference result;
  double allowed;
  const std::vector<bool> &counts;
};
} // namespace

/// One bf16 ulp of a value of this magnitude.
static double ulpOf(double magnitude) { return std::ldexp(1.0, std::max(std::ilogb(std::max(magnitude, 1e-38)), -126) - 7); }

/// |a - b| where equal infinities are no difference, and two NaN, whatever their bits, are none.
static double distance(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) ? 0 : std::fabs(a - b);
}

/// Scores have as many columns as each side likes; those that only one has are invisible: -inf.
template <typename T>
static Array<T> widenedTo(const Array<T> &x, int64_t cols) {
  if (x.rank() != 2 || x.cols() >= cols)
    return x;
  Array<T> result({x.dim(0), cols}, std::vector<T>(x.dim(0) * cols, T{0xff80}));
  for (int64_t t = 0; t < x.dim(0); ++t)
    std::copy_n(x(t), x.cols(), result.mutableData() + t * cols);
  return result;
}

/// Of the finite elements from `begin` on.
static double largestOfRow(const Array<BF16> &x, int64_t begin, int64_t cols) {
  double largest = 0;
  for (int64_t i = begin; i < begin + cols; ++i)
    if (std::isfinite(toFloat(x[i])))
      largest = std::max<double>(largest, std::fabs(toFloat(x[i])));
  return largest;
}

static Difference compareBF16(Array<BF16> right, Array<BF16> found, const Tolerance &tolerance,
                              const std::vector<bool> &counts) {
  int64_t cols = std::max(right.cols(), found.cols());
  right = widenedTo(right, cols);
  found = widenedTo(found, cols);
  Comparer comparer("ulp", tolerance.ulp, counts);
  double largest = 0;
  for (int64_t i = 0; i < right.size(); ++i) {
    double value = toFloat(found[i]);
    if (i % cols == 0)
      largest = largestOfRow(right, i, cols);
    if (!comparer.isCounted(i, right.size())) {
      if (!std::isfinite(value) && value != toFloat(right[i])) // scores of invisible entries are -inf there too
        comparer.refuse("element " + std::to_string(i) + ": expected a finite number in a padding row");
      continue;
    }
    comparer.add(distance(toFloat(right[i]), value) / ulpOf(largest), i, toFloat(right[i]), value);
  }
  return comparer.result;
}

static Difference compareF32(const Array<float> &right, const Array<float> &found, const Tolerance &tolerance,
                             const std::vector<bool> &counts) {
  Comparer comparer("absolute", tolerance.absolute, counts);
  for (int64_t i = 0; i < right.size(); ++i) {
    if (comparer.isCounted(i, right.size()))
      comparer.add(distance(right[i], found[i]), i, right[i], found[i]);
    else if (!std::isfinite(found[i]))
      comparer.refuse("element " + std::to_string(i) + ": expected a finite number in a padding row");
  }
  return comparer.result;
}

template <typename T>
static Difference compareExact(const Array<T> &right, const Array<T> &found, const std::vector<bool> &counts) {
  Comparer comparer("elements", 0, counts);
  for (int64_t i = 0; i < right.size(); ++i)
    if (comparer.isCounted(i, right.size()) && right[i] != found[i])
      comparer.add(comparer.result.worst + 1, i, double(right[i]), double(found[i]));
  return comparer.result;
}

/// How far the neighbour of a code may be, as a share of the group's largest value: 4 and 6 of E2M1, 416 and
/// 448 of E4M3; and a scale may have moved with its group's largest value.
static double largestStep(const ScaledFormat &format) { return format.isFP4() ? 0.34 : 0.075; }

static Difference compareScaled(const ScaledArray &right, const ScaledArray &found, const Tolerance &tolerance,
                                const std::vector<bool> &counts) {
  Array<BF16> a = dequantize(right), b = dequantize(found);
  Comparer comparer("share of codes", tolerance.codes, counts);
  int64_t cols = right.cols(), group = right.format.blockCols, different = 0, first = -1;
  for (int64_t i = 0; i < a.size(); ++i) {
    if (!comparer.isCounted(i, a.size()))
      continue;
    int64_t row = i / cols, begin = row * cols + i % cols / group * group;
    bool sameScale = right.scales[row * right.scales.cols() + i % cols / group] ==
                     found.scales[row * found.scales.cols() + i % cols / group];
    if (sameScale && (a[i] == b[i] || (std::isnan(toFloat(a[i])) && std::isnan(toFloat(b[i])))))
      continue;
    ++different;
    first = first < 0 ? i : first;
    double largest = 0;
    for (int64_t j = begin; j < std::min(begin + group, (row + 1) * cols); ++j)
      largest = std::max<double>(largest, std::fabs(toFloat(a[j])));
    if (!(distance(toFloat(a[i]), toFloat(b[i])) <= largest * largestStep(right.format)))
      comparer.refuse("element " + std::to_string(i) + ": expected " + std::to_string(toFloat(a[i])) +
                      " or its neighbour, got " + std::to_string(toFloat(b[i])));
  }
  if (different)
    comparer.add(double(different) / double(a.size()), first, toFloat(a[first]), toFloat(b[first]));
  return comparer.result;
}

Difference compare(const HostValue &right, const HostValue &found, const Tolerance &tolerance,
                   const std::vector<bool> &counts) {
  if (const auto *x = std::get_if<Array<BF16>>(&right))
    return compareBF16(*x, std::get<Array<BF16>>(found), tolerance, counts);
  if (const auto *x = std::get_if<Array<float>>(&right))
    return compareF32(*x, std::get<Array<float>>(found), tolerance, counts);
  if (const auto *x = std::get_if<ScaledArray>(&right))
    return compareScaled(*x, std::get<ScaledArray>(found), tolerance, counts);
  if (const auto *x = std::get_if<Array<int32_t>>(&right))
    return compareExact(*x, std::get<Array<int32_t>>(found), counts);
  if (const auto *x = std::get_if<Array<int64_t>>(&right))
    return compareExact(*x, std::get<Array<int64_t>>(found), counts);
  if (const auto *x = std::get_if<WindowCache>(&right))
    return compareExact(x->bytes, std::get<WindowCache>(found).bytes, {});
  return compareExact(std::get<PagedCache>(right).bytes, std::get<PagedCache>(found).bytes, {});
}

} // namespace cedilla::bench
