//===- MoeTest.cpp - expert, gate ----------------------------------------------------------------------===//

#include "dialects/ced/reference/Moe.h"
#include "dialects/ced/reference/Linear.h"
#include "dialects/ced/reference/Quantize.h"
#include "dialects/ced/reference/TopK.h"
#include "test/dialects/ced/reference/Golden.h"

#include <algorithm>
#include <cmath>

namespace cedilla::reference {

//===------------------------------------------------------------------------------------------===//
// expert
//===------------------------------------------------------------------------------------------===//

/// One expert of a stack.
static ScaledArray stackOfOne(ScaledArray w) {
  auto prepend = [](const Array<uint8_t> &a) {
    return Array<uint8_t>({1, a.dim(0), a.dim(1)}, {a.data(), a.data() + a.size()});
  };
  w.codes = prepend(w.codes);
  w.scales = prepend(w.scales);
  w.shape.insert(w.shape.begin(), 1);
  return w;
}

/// FP4 weights: the routed ops, every row choosing expert 0 with weight r.
static void checkRouted(const Golden &golden, Report &report, const std::string &name, float limit,
                        const std::string &suffix, const Array<float> &r) {
  auto weight = [&](const char *w) {
    return stackOfOne(golden.scaled(name + w, name + w + "_s", formatWeight4));
  };
  ScaledArray x = quantize(golden.bf16(name + ".x"), formatQ8);
  Array<int32_t> ids({r.dim(0), 1});
  Array<BF16> v = expertUp(x, ids, r, weight(".w1"), weight(".w3"), limit);
  Array<BF16> y = expertDown(quantize(v, formatQ8), ids, weight(".w2"));
  auto flat = [](const Array<BF16> &a) {
    return Array<BF16>({a.dim(0), a.dim(2)}, {a.data(), a.data() + a.size()});
  };
  report.ulps("expert v", name + ".v" + suffix, flat(v), golden.bf16(name + ".v" + suffix), 1);
  report.ulps("expert y", name + ".y" + suffix, flat(y), golden.bf16(name + ".y" + suffix), 2);
}

/// FP8 weights: the shared expert, which carries no routing weight.
static void checkShared(const Golden &golden, Report &report, const std::string &name, float limit) {
  auto product = [&](const Array<BF16> &x, const char *w) {
    return linear(quantize(x, formatQ8), golden.scaled(name + w, name + w + "_s", formatWeight8));
  };
  Array<BF16> x = golden.bf16(name + ".x"), gate = product(x, ".w1"), up = product(x, ".w3");
  Array<BF16> v = swiglu(gate, up, limit);
  report.ulps("expert v", name + ".v_unweighted", v, golden.bf16(name + ".v_unweighted"), 1);
  report.ulps("expert y", name + ".y_unweighted", product(v, ".w2"),
              golden.bf16(name + ".y_unweighted"), 2);

  // The captured weighted form, from the same scalar function.
  Array<float> r = golden.f32(name + ".r");
  BF16 *weighted = v.mutableData();
  for (int64_t i = 0; i < v.size(); ++i)
    weighted[i] = toBF16(r[i / v.cols()] * clampedSwiglu(toFloat(gate[i]), toFloat(up[i]), limit));
  report.ulps("expert v", name + ".v", v, golden.bf16(name + ".v"), 1);
  report.ulps("expert y", name + ".y", product(v, ".w2"), golden.bf16(name + ".y"), 2);
}

//===------------------------------------------------------------------------------------------===//
// gate
//===------------------------------------------------------------------------------------------===//

static Array<float> biasedScores(const Array<float> &logits, const Array<float> &bias) {
  Array<float> scores(logits.shape());
  for (int64_t i = 0; i < scores.size(); ++i)
    scores.mutableData()[i] = routerScore(logits[i]) + bias[i % logits.cols()];
  return scores;
}

static Array<int32_t> bestOfEachRow(const Array<float> &scores, int64_t k) {
  Array<int32_t> ids({scores.dim(0), k});
  for (int64_t t = 0; t < scores.dim(0); ++t) {
    std::vector<int32_t> best = bestPositions({scores(t), size_t(scores.cols())}, k);
    std::copy(best.begin(), best.end(), ids.mutableData() + t * k);
  }
  return ids;
}

static void checkGate(const Golden &golden, Report &report, const std::string &name) {
  const nlohmann::json &parameters = golden.cases()[name];
  int64_t k = parameters["topk"];
  float routeScale = parameters["route_scale"];
  Array<float> logits = matmul(golden.bf16(name + ".x"), golden.bf16(name + ".w"));
  Array<float> bias = golden.f32(name + ".bias"), biasVl = golden.f32(name + ".bias_vl");
  Array<float> captured = golden.f32(name + ".biased_scores");
  report.absolute("gate scores", name + ".biased_scores", biasedScores(logits, bias), captured, 2e-6);
  report.exact("gate", name + ".ids from scores", bestOfEachRow(captured, k),
               golden.i32(name + ".ids"));

  Array<int32_t> kinds({logits.dim(0)});
  Routing text = route(logits, bias, biasVl, kinds, k, routeScale);
  report.exact("gate", name + ".ids", text.ids, golden.i32(name + ".ids"));
  report.absolute("gate", name + ".weights", text.weights, golden.f32(name + ".weights"), 3e-7);

  Array<uint8_t> isImage = golden.boolean(name + ".image_mask");
  for (int64_t t = 0; t < kinds.size(); ++t)
    kinds.mutableData()[t] = isImage[t];
  Routing image = route(logits, bias, biasVl, kinds, k, routeScale);
  report.exact("gate", name + ".ids_image", image.ids, golden.i32(name + ".ids_image"));
  report.absolute("gate", name + ".weights_image", image.weights,
                  golden.f32(name + ".weights_image"), 3e-7);
}

void checkMoe(const Golden &golden, Report &report) {
  for (const char *kind : {"routed", "shared", "tight", "noclamp"}) {
    std::string name = std::string("expert.") + kind;
    float limit = golden.cases()[name]["limit"];
    if (!golden.isFP4(name + ".w1")) {
      checkShared(golden, report, name, limit);
      continue;
    }
    Array<float> r = golden.f32(name + ".r");
    Array<float> one(r.shape(), std::vector<float>(r.size(), 1.0f));
    checkRouted(golden, report, name, limit, "", r);
    checkRouted(golden, report, name, limit, "_unweighted", one);
  }
  for (const char *kind : {"sixteen", "top1", "odd"})
    checkGate(golden, report, std::string("gate.") + kind);

  // The gate is limited from above alone, up on both sides; a limit of 0 is none.
  constexpr float gates[] = {-20.0f, -12.0f, 2.0f, 20.0f}, ups[] = {20.0f, -20.0f, 20.0f, -20.0f};
  for (int i = 0; i < 4; ++i)
    for (float limit : {10.0f, 0.0f}) {
      double gate = limit ? std::min(gates[i], limit) : gates[i], up = limit ? std::clamp(ups[i], -limit, limit) : ups[i];
      report.relative("clamp", std::to_string(gates[i]), Array<float>({1}, {clampedSwiglu(gates[i], ups[i], limit)}),
                      Array<float>({1}, {float(gate / (1 + std::exp(-gate)) * up)}), 1e-6);
    }

  // Unstable forms give 0 below -17 and infinity above 89; where exp itself underflows the score is 0.
  report.holds("router", "underflow", routerScore(-200.0f) == 0.0f);
  for (float logit : {-80.0f, -17.0f, 0.0f, 19.9f, 20.1f, 89.0f, 1000.0f}) {
    double expected = std::sqrt(std::log1p(std::exp(double(logit))));
    double want = std::isinf(expected) ? std::sqrt(double(logit)) : expected;
    report.relative("router", std::to_string(logit), Array<float>({1}, {routerScore(logit)}),
                    Array<float>({1}, {float(want)}), 1e-5);
  }
}

} // namespace cedilla::reference
