//===- Moe.cpp - ced.route, expert_up, expert_down, swiglu, combine ------------------------------===//

#include "dialects/ced/reference/Moe.h"
#include "dialects/ced/reference/Linear.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/TopK.h"
#include "runtime/base/Error.h"

#include <cmath>

namespace cedilla::reference {

//===------------------------------------------------------------------------------------------===//
// Router
//===------------------------------------------------------------------------------------------===//

float routerScore(float logit) {
  return std::sqrt(logit > 20.0f ? logit : std::log1p(std::exp(logit)));
}

Routing route(const Array<float> &logits, const Array<float> &bias, const Array<float> &biasVl,
              const Array<int32_t> &kinds, int64_t k, float routeScale) {
  int64_t rows = logits.dim(0), experts = logits.cols();
  Routing result{Array<int32_t>({rows, k}), Array<float>({rows, k})};
  int32_t *ids = result.ids.mutableData();
  float *weights = result.weights.mutableData();
  std::vector<float> score(experts), biased(experts);
  for (int64_t t = 0; t < rows; ++t) {
    const Array<float> &rowBias = kinds[t] == 1 ? biasVl : bias;
    for (int64_t e = 0; e < experts; ++e) {
      score[e] = routerScore(logits(t)[e]);
      biased[e] = score[e] + rowBias[e]; // the bias steers the choice only
    }
    std::vector<int32_t> chosen = bestPositions(biased, k);
    float sum = 0.0f;
    for (int32_t e : chosen)
      sum += score[e];
    for (int64_t i = 0; i < k; ++i) {
      ids[t * k + i] = chosen[i];
      float share = k == 1 ? score[chosen[i]] : score[chosen[i]] / (sum + 1e-20f);
      weights[t * k + i] = routeScale * share;
    }
  }
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Experts
//===------------------------------------------------------------------------------------------===//

float clampedSwiglu(float gate, float up, float limit) {
  if (limit != 0.0f) {
    gate = std::min(gate, limit);
    up = std::clamp(up, -limit, limit);
  }
  return gate / (1.0f + std::exp(-gate)) * up;
}

/// The slots (t * k + i) that chose each expert. Going expert by expert decodes a weight once.
static std::vector<std::vector<int64_t>> slotsByExpert(const Array<int32_t> &ids, int64_t experts) {
  std::vector<std::vector<int64_t>> slots(experts);
  for (int64_t slot = 0; slot < ids.size(); ++slot) {
    if (ids[slot] < 0 || ids[slot] >= experts)
      fail(Err::Interpreter, "expert ids: expected an expert below ", experts, ", got ", ids[slot]);
    slots[ids[slot]].push_back(slot);
  }
  return slots;
}

Array<BF16> expertUp(const ScaledArray &x, const Array<int32_t> &ids, const Array<float> &weights,
                     const ScaledArray &w1, const ScaledArray &w3, float limit) {
  int64_t k = ids.cols(), experts = w1.shape[0], outputs = w1.shape[1];
  DecodedMatrix rows = decodeMatrix(x);
  Array<BF16> result({ids.dim(0), k, outputs});
  BF16 *out = result.mutableData();
  std::vector<std::vector<int64_t>> chosenBy = slotsByExpert(ids, experts);
  for (int64_t e = 0; e < experts; ++e) {
    if (chosenBy[e].empty())
      continue;
    DecodedMatrix gate = decodeMatrix(w1, e), up = decodeMatrix(w3, e);
    parallelFor(chosenBy[e].size(), 2 * outputs * rows.cols, [&](int64_t i) {
      int64_t slot = chosenBy[e][i], t = slot / k;
      for (int64_t o = 0; o < outputs; ++o) {
        float g = roundToBF16(scaledDot(rows, t, gate, o));
        float u = roundToBF16(scaledDot(rows, t, up, o));
        out[slot * outputs + o] = toBF16(weights[slot] * clampedSwiglu(g, u, limit));
      }
    });
  }
  return result;
}

Array<BF16> expertDown(const ScaledArray &v, const Array<int32_t> &ids, const ScaledArray &w2) {
  int64_t k = ids.cols(), experts = w2.shape[0], outputs = w2.shape[1];
  // The slots of all rows as one matrix: rows with 1x32 blocks lie one behind the other.
  ScaledArray flat = v;
  flat.shape = {ids.size(), v.cols()};
  DecodedMatrix rows = decodeMatrix(flat);
  Array<BF16> result({ids.dim(0), k, outputs});
  BF16 *out = result.mutableData();
  std::vector<std::vector<int64_t>> chosenBy = slotsByExpert(ids, experts);
  for (int64_t e = 0; e < experts; ++e) {
    if (chosenBy[e].empty())
      continue;
    DecodedMatrix down = decodeMatrix(w2, e);
    parallelFor(chosenBy[e].size(), outputs * rows.cols, [&](int64_t i) {
      int64_t slot = chosenBy[e][i];
      for (int64_t o = 0; o < outputs; ++o)
        out[slot * outputs + o] = toBF16(scaledDot(rows, slot, down, o));
    });
  }
  return result;
}

Array<BF16> swiglu(const Array<BF16> &gate, const Array<BF16> &up, float limit) {
  Array<BF16> result(gate.shape());
  BF16 *out = result.mutableData();
  for (int64_t i = 0; i < gate.size(); ++i)
    out[i] = toBF16(clampedSwiglu(toFloat(gate[i]), toFloat(up[i]), limit));
  return result;
}

Array<BF16> combine(const Array<BF16> &routed, const Array<int32_t> &ids,
                    const Array<BF16> &shared) {
  int64_t k = ids.cols(), d = shared.cols();
  Array<BF16> result(shared.shape());
  BF16 *out = result.mutableData();
  std::vector<int64_t> order(k);
  for (int64_t t = 0; t < ids.dim(0); ++t) {
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int64_t a, int64_t b) { return ids(t)[a] < ids(t)[b]; });
    for (int64_t col = 0; col < d; ++col) {
      float sum = 0.0f;
      for (int64_t i : order)
        sum += toFloat(routed(t)[i * d + col]);
      out[t * d + col] = toBF16(sum + toFloat(shared(t)[col]));
    }
  }
  return result;
}

} // namespace cedilla::reference
