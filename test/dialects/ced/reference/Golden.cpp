//===- Golden.cpp - reading captured tensors and judging results ---------------------------------===//

#include "test/dialects/ced/reference/Golden.h"
#include "runtime/base/Error.h"
#include "runtime/io/Json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

namespace cedilla::reference {

using Element = ScaledFormat::Element;
using Scale = ScaledFormat::Scale;
const ScaledFormat formatQ8{Element::E4M3, 1, 32, Scale::UE8M0};
const ScaledFormat formatQ4i{Element::E2M1, 1, 32, Scale::UE8M0};
const ScaledFormat formatQ4m{Element::E2M1, 1, 16, Scale::E4M3};
const ScaledFormat formatWeight8{Element::E4M3, 32, 32, Scale::UE8M0};
const ScaledFormat formatWeight4 = formatQ4i;

//===------------------------------------------------------------------------------------------===//
// Golden
//===------------------------------------------------------------------------------------------===//

Golden::Golden(const std::string &directory)
    : file(directory + "/ops.safetensors"), parameters(parseJsonFile(directory + "/cases.json")) {}

const TensorView &Golden::find(const std::string &name) const {
  const TensorView *view = file.find(name);
  if (!view)
    fail(Err::Unnumbered, file.path(), ": tensor '", name, "' is not in the file");
  return *view;
}

/// Captured tensors lie unaligned in the file, so they are copied byte by byte.
template <typename T>
static Array<T> copyOf(const TensorView &view) {
  Array<T> result(view.shape);
  std::memcpy(result.mutableData(), view.data, view.bytes);
  return result;
}

template <typename T>
Array<T> Golden::read(const std::string &name, const std::string &dtype) const {
  const TensorView &view = find(name);
  if (view.dtype != dtype)
    fail(Err::Unnumbered, file.path(), ": tensor '", name, "': expected ", dtype, ", got ", view.dtype);
  return copyOf<T>(view);
}

Array<BF16> Golden::bf16(const std::string &name) const { return read<BF16>(name, "BF16"); }
Array<float> Golden::f32(const std::string &name) const { return read<float>(name, "F32"); }
Array<int32_t> Golden::i32(const std::string &name) const { return read<int32_t>(name, "I32"); }
Array<int64_t> Golden::i64(const std::string &name) const { return read<int64_t>(name, "I64"); }
Array<uint8_t> Golden::boolean(const std::string &name) const {
  return read<uint8_t>(name, "BOOL");
}

Array<uint8_t> Golden::bytes(const std::string &name) const {
  const TensorView &view = find(name);
  if (dtypeBits(view.dtype) != 8)
    fail(Err::Unnumbered, file.path(), ": tensor '", name, "': expected codes, got ", view.dtype);
  return copyOf<uint8_t>(view);
}

ScaledArray Golden::scaled(const std::string &name, const std::string &scaleName,
                           const ScaledFormat &format) const {
  Array<uint8_t> codes = bytes(name), scales = bytes(scaleName);
  Shape shape = codes.shape();
  shape.back() *= format.isFP4() ? 2 : 1;
  ScaledArray result(format, shape);
  if (result.scales.shape() != scales.shape())
    fail(Err::Unnumbered, file.path(), ": tensor '", scaleName, "': expected ", shapeText(result.scales.shape()),
         ", got ", shapeText(scales.shape()));
  result.codes = codes;
  result.scales = scales;
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Report
//===------------------------------------------------------------------------------------------===//

void Report::add(const std::string &group, const std::string &unit, const std::string &tensor,
                 const std::vector<double> &differences, double tolerance, bool sameShape) {
  auto same = [&](const Line &line) { return line.group == group && line.unit == unit; };
  auto it = std::find_if(lines.begin(), lines.end(), same);
  if (it == lines.end())
    it = lines.insert(lines.end(), Line{group, unit, ""});
  it->tolerance = tolerance;
  it->values += differences.size();
  if (!sameShape && it->firstFailure.empty())
    it->firstFailure = tensor + ": shapes differ";
  for (size_t i = 0; i < differences.size(); ++i) {
    // Negated, so that a NaN difference fails.
    if (!(differences[i] <= tolerance) && it->firstFailure.empty())
      it->firstFailure = tensor + ": element " + std::to_string(i);
    if (!(differences[i] <= it->worst))
      it->worst = differences[i];
  }
}

template <typename T>
void Report::exact(const std::string &group, const std::string &tensor, const Array<T> &got,
                   const Array<T> &want) {
  std::vector<double> differences;
  bool sameShape = got.shape() == want.shape();
  for (int64_t i = 0; sameShape && i < got.size(); ++i)
    differences.push_back(std::memcmp(&got[i], &want[i], sizeof(T)) != 0);
  add(group, "unequal bits", tensor, differences, 0, sameShape);
}
template void Report::exact(const std::string &, const std::string &, const Array<BF16> &,
                            const Array<BF16> &);
template void Report::exact(const std::string &, const std::string &, const Array<float> &,
                            const Array<float> &);
template void Report::exact(const std::string &, const std::string &, const Array<int32_t> &,
                            const Array<int32_t> &);
template void Report::exact(const std::string &, const std::string &, const Array<int64_t> &,
                            const Array<int64_t> &);
template void Report::exact(const std::string &, const std::string &, const Array<uint8_t> &,
                            const Array<uint8_t> &);

/// bf16 values in increasing order are consecutive; +0 and -0 are one.
static double ordinal(BF16 x) {
  int magnitude = x.bits & 0x7fff;
  return x.bits & 0x8000 ? -magnitude : magnitude;
}

void Report::ulps(const std::string &group, const std::string &tensor, const Array<BF16> &got,
                  const Array<BF16> &want, double tolerance) {
  std::vector<double> differences;
  bool sameShape = got.shape() == want.shape();
  for (int64_t i = 0; sameShape && i < got.size(); ++i)
    differences.push_back(std::fabs(ordinal(got[i]) - ordinal(want[i])));
  add(group, "bf16 ulp", tensor, differences, tolerance, sameShape);
}

void Report::rowUlps(const std::string &group, const std::string &tensor, const Array<BF16> &got,
                     const Array<BF16> &want, double tolerance) {
  std::vector<double> differences;
  bool sameShape = got.shape() == want.shape();
  int64_t cols = want.cols();
  for (int64_t row = 0; sameShape && row < want.rows(); ++row) {
    float largest = 0;
    for (int64_t k = 0; k < cols; ++k)
      largest = std::max(largest, std::fabs(toFloat(want[row * cols + k])));
    // In a row of zeros any difference counts as infinitely many ulps.
    double ulp = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) - 7) : 0;
    for (int64_t k = 0; k < cols; ++k) {
      double difference = std::fabs(double(toFloat(got[row * cols + k])) -
                                    double(toFloat(want[row * cols + k])));
      differences.push_back(difference == 0 ? 0 : difference / ulp);
    }
  }
  add(group, "ulp of row max", tensor, differences, tolerance, sameShape);
}

void Report::unequalShare(const std::string &group, const std::string &tensor,
                          const Array<BF16> &got, const Array<BF16> &want, double tolerance) {
  bool sameShape = got.shape() == want.shape();
  double unequal = 0;
  for (int64_t i = 0; sameShape && i < got.size(); ++i)
    unequal += got[i] != want[i];
  add(group, "unequal share", tensor, {unequal / want.size()}, tolerance, sameShape);
}

static double differenceOf(float got, float want) {
  return got == want ? 0 : std::fabs(double(got) - double(want));
}

void Report::absolute(const std::string &group, const std::string &tensor, const Array<float> &got,
                      const Array<float> &want, double tolerance) {
  std::vector<double> differences;
  bool sameShape = got.shape() == want.shape();
  for (int64_t i = 0; sameShape && i < got.size(); ++i)
    differences.push_back(differenceOf(got[i], want[i]));
  add(group, "absolute", tensor, differences, tolerance, sameShape);
}

void Report::relative(const std::string &group, const std::string &tensor, const Array<float> &got,
                      const Array<float> &want, double tolerance) {
  std::vector<double> differences;
  bool sameShape = got.shape() == want.shape();
  for (int64_t i = 0; sameShape && i < got.size(); ++i) {
    double difference = differenceOf(got[i], want[i]);
    differences.push_back(difference == 0 ? 0 : difference / std::fabs(want[i]));
  }
  add(group, "relative", tensor, differences, tolerance, sameShape);
}

void Report::holds(const std::string &group, const std::string &what, bool condition) {
  add(group, "not held", what, {condition ? 0.0 : 1.0}, 0, true);
}

bool Report::print() const {
  bool allPassed = !lines.empty();
  std::printf("%-12s %-15s %9s %12s %12s\n", "group", "difference", "values", "worst", "tolerance");
  for (const Line &line : lines) {
    bool passed = line.firstFailure.empty() && line.values > 0;
    allPassed &= passed;
    std::printf("%-12s %-15s %9lld %12.3g %12.3g  %s\n", line.group.c_str(), line.unit.c_str(),
                static_cast<long long>(line.values), line.worst, line.tolerance,
                passed ? "pass" : ("FAIL: " + line.firstFailure).c_str());
  }
  return allPassed;
}

} // namespace cedilla::reference
