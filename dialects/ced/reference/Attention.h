//===- Attention.h - ced.attention -------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

/// What a row may attend to. `fresh` (this step's KV, while the ring still holds the time before it) and
/// `main` with `index` are optional.
struct AttentionSources {
  const WindowCache &window;
  const ScaledArray *fresh = nullptr;
  const PagedCache *main = nullptr;
  const Array<int32_t> *index = nullptr;
};

/// ced.attention: window slots, then selected main-KV entries; K = V; a sink per head. q is [T,H,D].
Array<BF16> attention(const Array<BF16> &q, const Array<float> &sink,
                      const AttentionSources &sources, const Array<int32_t> &positions,
                      const Array<int32_t> &slots, const Array<int32_t> &starts,
                      const Array<int32_t> &pages);

/// The arithmetic of one row: q [H,D] attends to the list's KV vectors in order, nullptr = nothing there.
void attendList(const float *q, int64_t heads, int64_t cols, const float *sink,
                const std::vector<const float *> &list, BF16 *out);

} // namespace cedilla::reference
