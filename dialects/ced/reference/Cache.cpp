//===- Cache.cpp - ced.append_window, ced.append_paged, and where cache rows lie -----------------===//

#include "dialects/ced/reference/Cache.h"
#include "runtime/base/Error.h"

#include <algorithm>

namespace cedilla::reference {

void checkSlot(int64_t slot, int64_t slots) {
  if (slot < 0 || slot >= slots)
    fail(Err::Interpreter, "slots: expected a slot below ", slots, ", got ", slot);
}

int64_t windowOffset(const WindowCache &window, int64_t slot, int64_t position) {
  checkSlot(slot, window.slots());
  int64_t row = slot * window.ringRows() + position % window.ringRows();
  return row * window.bytes.cols();
}

int64_t pagedOffset(const PagedCache &cache, const Array<int32_t> &pages, int64_t slot, int64_t j) {
  checkSlot(slot, pages.dim(0));
  int64_t token = j * cache.ratio, n = token / cache.page;
  if (n >= pages.dim(1))
    fail(Err::Interpreter, "pages: expected a table of more than ", n, " pages a slot, got ", pages.dim(1));
  int64_t page = pages(slot)[n];
  if (page < 0 || page >= cache.bytes.dim(0))
    fail(Err::Interpreter, "pages: expected a page below ", cache.bytes.dim(0), " at [", slot, ", ", n, "], got ", page);
  int64_t row = page * cache.bytes.dim(1) + token % cache.page / cache.ratio;
  return row * cache.bytes.cols();
}

/// Codes, then scales, of one row.
static void packRow(const ScaledArray &rows, int64_t t, uint8_t *out) {
  out = std::copy_n(rows.codes.data() + t * rows.codes.cols(), rows.codes.cols(), out);
  std::copy_n(rows.scales.data() + t * rows.scales.cols(), rows.scales.cols(), out);
}

WindowCache appendWindow(WindowCache window, const ScaledArray &rows,
                         const Array<int32_t> &positions, const Array<int32_t> &slots) {
  uint8_t *bytes = window.bytes.mutableData();
  // Positions ascend within a sequence, so the newest row of a ring slot is written last.
  for (int64_t t = 0; t < positions.size(); ++t)
    if (positions[t] >= 0)
      packRow(rows, t, bytes + windowOffset(window, slots[t], positions[t]));
  return window;
}

PagedCache appendPaged(PagedCache cache, const ScaledArray &rows, const Array<int32_t> &positions,
                       const Array<int32_t> &slots, const Array<int32_t> &pages) {
  uint8_t *bytes = cache.bytes.mutableData();
  for (int64_t t = 0; t < positions.size(); ++t) {
    int64_t next = positions[t] + 1;
    if (next > 0 && next % cache.ratio == 0)
      packRow(rows, t, bytes + pagedOffset(cache, pages, slots[t], next / cache.ratio - 1));
  }
  return cache;
}

Array<uint8_t> packRows(const ScaledArray &rows) {
  Shape shape = rows.shape;
  shape.back() = rows.format.rowBytes(rows.cols());
  Array<uint8_t> bytes(shape);
  uint8_t *out = bytes.mutableData();
  for (int64_t t = 0; t < rows.rows(); ++t)
    packRow(rows, t, out + t * bytes.cols());
  return bytes;
}

ScaledArray unpackRows(const Array<uint8_t> &bytes, const ScaledFormat &format, Shape shape) {
  ScaledArray rows(format, std::move(shape));
  uint8_t *codes = rows.codes.mutableData(), *scales = rows.scales.mutableData();
  int64_t codeBytes = rows.codes.cols(), scaleBytes = rows.scales.cols();
  for (int64_t t = 0; t < rows.rows(); ++t) {
    const uint8_t *row = bytes.data() + t * bytes.cols();
    std::copy_n(row, codeBytes, codes + t * codeBytes);
    std::copy_n(row + codeBytes, scaleBytes, scales + t * scaleBytes);
  }
  return rows;
}

} // namespace cedilla::reference
