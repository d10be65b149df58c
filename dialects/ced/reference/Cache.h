//===- Cache.h - ced.append_window, ced.append_paged, and where cache rows lie -------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

/// ced.append_window: writes each row's KV into its slot's ring.
WindowCache appendWindow(WindowCache window, const ScaledArray &rows,
                         const Array<int32_t> &positions, const Array<int32_t> &slots);

/// ced.append_paged: rows that close a group write that group's entry.
PagedCache appendPaged(PagedCache cache, const ScaledArray &rows, const Array<int32_t> &positions,
                       const Array<int32_t> &slots, const Array<int32_t> &pages);

/// Byte offset of the ring row of `position`.
int64_t windowOffset(const WindowCache &window, int64_t slot, int64_t position);

/// Byte offset of entry j of the slot. Refuses page numbers outside the cache.
int64_t pagedOffset(const PagedCache &cache, const Array<int32_t> &pages, int64_t slot, int64_t j);

/// Refuses a slot number outside [0, slots).
void checkSlot(int64_t slot, int64_t slots);

/// Byte strings of `row` placement (codes, then scales) of rows with 1xN blocks, and back.
Array<uint8_t> packRows(const ScaledArray &rows);
ScaledArray unpackRows(const Array<uint8_t> &bytes, const ScaledFormat &format, Shape shape);

} // namespace cedilla::reference
