//===- HyperConnection.h - ced.hc_expand, hc_mix, hc_collapse, hc_post ---------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

struct Expanded {
  Array<BF16> stream; ///< [T,n,d]
  Array<float> pre;   ///< [T,n]
};

/// ced.hc_expand: x copied to all n streams; the initial pre is (1, 0, .., 0).
Expanded hcExpand(const Array<BF16> &x, int64_t streams);

struct Mix {
  Array<float> pre, post; ///< [T,n]
  Array<float> comb;      ///< [T,n,n]
};

struct MixParameters {
  int64_t iters = 20;
  float eps = 1e-6f;
  float normEps = 1e-20f;
};

/// ced.hc_mix: mixing coefficients from the stream [T,n,d].
Mix hcMix(const Array<BF16> &stream, const Array<float> &fn, const Array<float> &scale,
          const Array<float> &base, const MixParameters &parameters);

/// The second half of hc_mix: coefficients from the projected statistics g [T, 2n + n*n].
Mix splitMix(const Array<float> &g, const Array<float> &scale, const Array<float> &base,
             int64_t streams, const MixParameters &parameters);

/// ced.hc_collapse: bf16( sum_j pre_j X_j ), j ascending.
Array<BF16> hcCollapse(const Array<BF16> &stream, const Array<float> &pre);

/// ced.hc_post: X'_j = bf16( post_j y + sum_i C_ij X_i ); the sum runs over the first index of C.
Array<BF16> hcPost(const Array<BF16> &y, const Array<BF16> &stream, const Array<float> &post,
                   const Array<float> &comb);

} // namespace cedilla::reference
