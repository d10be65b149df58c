//===- CedAttrs.cpp - layer table rows, rotary parameters -------------------------------------===//

#include "dialects/ced/Ced.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla::ced::detail {
static FailureOr<Real> parseReal(AsmParser &parser) {
  double value;
  if (parser.parseFloat(value))
    return failure();
  return Real(value);
}
} // namespace cedilla::ced::detail

#define GET_ATTRDEF_CLASSES
#include "dialects/ced/CedAttrs.cpp.inc"

void CedDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/ced/CedAttrs.cpp.inc"
      >();
}

//===------------------------------------------------------------------------------------------===//
// LayerAttr
//===------------------------------------------------------------------------------------------===//

StringRef LayerAttr::getMode(int64_t self) const {
  if (getKv() < 0)
    return "swa";
  if (getKv() == self)
    return "full";
  return getSelect() == self ? "reindex" : "reuse";
}

//===------------------------------------------------------------------------------------------===//
// RopeAttr
//===------------------------------------------------------------------------------------------===//

LogicalResult RopeAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t dim, Real theta,
                               int64_t original, Real factor, Real betaFast, Real betaSlow) {
  // Comparisons are written so that NaN fails them.
  auto isFinite = [](double value) { return std::isfinite(value); };
  // C1
  if (dim <= 0 || dim % 2 != 0)
    return emitError() << "expected dim to be positive and even, got " << dim;
  // C2
  if (!(theta > 1.0) || !isFinite(theta))
    return emitError() << "expected theta above 1, got " << double(theta);
  // C3
  if (original < 0)
    return emitError() << "expected original to be 0 (no YaRN) or positive, got " << original;
  if (original == 0)
    return success();
  if (!(factor >= 1.0) || !isFinite(factor))
    return emitError() << "expected factor to be at least 1, got " << double(factor);
  for (double beta : {betaFast, betaSlow})
    if (!(beta > 0.0) || !isFinite(beta))
      return emitError() << "expected beta_fast and beta_slow to be positive, got " << beta;
  return success();
}

/// The pair that makes `turns` full turns over the original context length; fractional.
static double pairOfTurns(RopeAttr rope, double turns) {
  double wavelengths = double(rope.getOriginal()) / (2 * std::numbers::pi * turns);
  return double(rope.getDim()) * std::log(wavelengths) / (2 * std::log(rope.getTheta()));
}

void cedilla::ced::ropeFrequencies(RopeAttr rope, std::vector<float> &frequencies) {
  frequencies.resize(rope.getDim() / 2);
  for (size_t pair = 0; pair < frequencies.size(); ++pair) {
    float exponent = float(2 * pair) / float(rope.getDim());
    frequencies[pair] = 1.0f / std::pow(float(rope.getTheta()), exponent);
  }
  if (rope.getOriginal() == 0)
    return;

  // Fast pairs (below `low`) keep their frequency, slow ones (above `high`) are stretched by `factor`.
  double low = std::max(std::floor(pairOfTurns(rope, rope.getBetaFast())), 0.0);
  double high = std::min(std::ceil(pairOfTurns(rope, rope.getBetaSlow())), double(rope.getDim() - 1));
  float width = float(std::max(high - low, 1e-3));
  for (size_t pair = 0; pair < frequencies.size(); ++pair) {
    float ramp = std::clamp((float(pair) - float(low)) / width, 0.0f, 1.0f);
    float keep = 1.0f - ramp;
    float stretched = frequencies[pair] / float(rope.getFactor());
    frequencies[pair] = stretched * (1.0f - keep) + frequencies[pair] * keep;
  }
}
