//===- Gather.h - ced.gather_window, ced.gather_paged, ced.combine_lists, ced.attend -----------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

/// ced.gather_window: [slots, ring rows, D].
Array<BF16> gatherWindow(const WindowCache &window);

/// ced.gather_paged: [slots, entries of a slot, D].
Array<BF16> gatherPaged(const PagedCache &cache, const Array<int32_t> &pages);

struct ListShape {
  int64_t window, ring, ratio; ///< ratio: of the index set's entries
};

/// ced.combine_lists; `index` may be null.
Array<int32_t> combineLists(const Array<int32_t> *index, const Array<int32_t> &positions,
                            const Array<int32_t> &starts, const ListShape &shape);

/// Where the numbers of a list point to; `main` may be null.
struct GatheredSources {
  const Array<BF16> &ring, &fresh;
  const Array<BF16> *main = nullptr;
  int64_t window = 0; ///< slots of a list that name rows of `ring` or `fresh`
};

/// ced.attend. q is [T,H,D].
Array<BF16> attend(const Array<BF16> &q, const Array<float> &sink, const Array<int32_t> &list,
                   const GatheredSources &sources, const Array<int32_t> &slots);

} // namespace cedilla::reference
