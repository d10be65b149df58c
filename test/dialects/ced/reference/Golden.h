//===- Golden.h - reading captured tensors and judging results -----------------------------------===//
//
// Golden reads one safetensors file as the reference's arrays. Report compares results with captured
// ones, collects the worst difference per group and quantity, and prints the table.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"
#include "runtime/io/Safetensors.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace cedilla::reference {

class Golden {
public:
  /// `directory` holds ops.safetensors and cases.json.
  explicit Golden(const std::string &directory);

  Array<BF16> bf16(const std::string &name) const;
  Array<float> f32(const std::string &name) const;
  Array<int32_t> i32(const std::string &name) const;
  Array<int64_t> i64(const std::string &name) const;
  Array<uint8_t> boolean(const std::string &name) const;
  /// `name` holds codes, `scaleName` scales; dtype, shapes and sizes must fit the format.
  ScaledArray scaled(const std::string &name, const std::string &scaleName,
                     const ScaledFormat &format) const;
  /// Codes as stored: F8_E4M3, F8_E8M0 or I8.
  Array<uint8_t> bytes(const std::string &name) const;
  bool isFP4(const std::string &name) const { return file.find(name)->dtype == "I8"; }
  const nlohmann::json &cases() const { return parameters; }

private:
  const TensorView &find(const std::string &name) const;
  template <typename T>
  Array<T> read(const std::string &name, const std::string &dtype) const;

  SafetensorsFile file;
  nlohmann::json parameters;
};

/// The formats of §3 of the model's specification.
extern const ScaledFormat formatQ8, formatQ4i, formatQ4m, formatWeight8, formatWeight4;

class Report {
public:
  /// Every bit equal, sign of zero included.
  template <typename T>
  void exact(const std::string &group, const std::string &tensor, const Array<T> &got,
             const Array<T> &want);
  /// Each element within `tolerance` representable bf16 values.
  void ulps(const std::string &group, const std::string &tensor, const Array<BF16> &got,
            const Array<BF16> &want, double tolerance);
  /// Each element within `tolerance` bf16 ulps of its row's largest value.
  void rowUlps(const std::string &group, const std::string &tensor, const Array<BF16> &got,
               const Array<BF16> &want, double tolerance);
  /// At most `tolerance` of the elements differ in any bit.
  void unequalShare(const std::string &group, const std::string &tensor, const Array<BF16> &got,
                    const Array<BF16> &want, double tolerance);
  void absolute(const std::string &group, const std::string &tensor, const Array<float> &got,
                const Array<float> &want, double tolerance);
  void relative(const std::string &group, const std::string &tensor, const Array<float> &got,
                const Array<float> &want, double tolerance);
  void holds(const std::string &group, const std::string &what, bool condition);

  /// Prints one line per group and quantity, and the first failure of each. True when all passed.
  bool print() const;

private:
  struct Line {
    std::string group, unit, firstFailure;
    double worst = 0, tolerance = 0;
    int64_t values = 0;
  };
  /// Adds the differences of one tensor; `differences` may be empty when the shapes did not fit.
  void add(const std::string &group, const std::string &unit, const std::string &tensor,
           const std::vector<double> &differences, double tolerance, bool sameShape);
  std::vector<Line> lines;
};

// One function per subject, each in its own file; they add their comparisons to the report.
void checkNumbers(Report &report);
void checkQuantize(const Golden &golden, Report &report);
void checkLinear(const Golden &golden, Report &report);
void checkHyperConnection(const Golden &golden, Report &report);
void checkAttention(const Golden &golden, Report &report);
void checkIndexer(const Golden &golden, Report &report);
void checkEngram(const Golden &golden, Report &report);
void checkMoe(const Golden &golden, Report &report);
void checkSampling(Report &report);
void checkState(Report &report);

} // namespace cedilla::reference
