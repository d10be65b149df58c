//===- Moe.h - ced.route, expert_up, expert_down, swiglu, combine --------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

struct Routing {
  Array<int32_t> ids;    ///< [T,k], best first
  Array<float> weights;  ///< [T,k]
};

/// ced.route: k experts of every row and their weights, from the router's logits [T,E].
Routing route(const Array<float> &logits, const Array<float> &bias, const Array<float> &biasVl,
              const Array<int32_t> &kinds, int64_t k, float routeScale);

/// ced.expert_up: v [T,k,N] = bf16( weight * (silu(G) * U) ) of the chosen experts.
Array<BF16> expertUp(const ScaledArray &x, const Array<int32_t> &ids, const Array<float> &weights,
                     const ScaledArray &w1, const ScaledArray &w3, float limit);

/// ced.expert_down: the down product of each chosen expert, bf16 [T,k,N].
Array<BF16> expertDown(const ScaledArray &v, const Array<int32_t> &ids, const ScaledArray &w2);

/// ced.swiglu: bf16( silu(min(gate, limit)) * clamp(up, +-limit) ).
Array<BF16> swiglu(const Array<BF16> &gate, const Array<BF16> &up, float limit);

/// ced.combine: bf16( sum of the routed outputs in increasing expert id + shared ).
Array<BF16> combine(const Array<BF16> &routed, const Array<int32_t> &ids, const Array<BF16> &shared);

/// silu(gate) * up in f32; up clamped to +-limit, gate from above only; limit 0 clamps neither.
float clampedSwiglu(float gate, float up, float limit);

/// sqrt(softplus(logit)); softplus is the identity above 20.
float routerScore(float logit);

} // namespace cedilla::reference
