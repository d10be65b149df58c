//===- Gather.cpp - attention in steps -----------------------------------------------------------------===//

#include "dialects/ced/reference/Gather.h"
#include "dialects/ced/reference/Attention.h"
#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Quantize.h"

#include <algorithm>

namespace cedilla::reference {

static void decodeTo(const ScaledFormat &format, const uint8_t *row, std::vector<float> &line, BF16 *out) {
  decodeRow(format, row, line.size(), line.data());
  std::transform(line.begin(), line.end(), out, [](float value) { return toBF16(value); });
}

Array<BF16> gatherWindow(const WindowCache &window) {
  int64_t rows = window.slots() * window.ringRows(), rowBytes = window.bytes.dim(2);
  Array<BF16> result({window.slots(), window.ringRows(), window.cols});
  BF16 *out = result.mutableData();
  std::vector<float> line(window.cols);
  for (int64_t row = 0; row < rows; ++row)
    decodeTo(window.format, window.bytes.data() + row * rowBytes, line, out + row * window.cols);
  return result;
}

Array<BF16> gatherPaged(const PagedCache &cache, const Array<int32_t> &pages) {
  int64_t slots = pages.dim(0), entries = pages.dim(1) * (cache.page / cache.ratio);
  Array<BF16> result({slots, entries, cache.cols});
  BF16 *out = result.mutableData();
  std::vector<float> line(cache.cols);
  for (int64_t slot = 0; slot < slots; ++slot)
    for (int64_t j = 0; j < entries; ++j)
      decodeTo(cache.format, cache.bytes.data() + pagedOffset(cache, pages, slot, j), line,
               out + (slot * entries + j) * cache.cols);
  return result;
}

Array<int32_t> combineLists(const Array<int32_t> *index, const Array<int32_t> &positions,
                            const Array<int32_t> &starts, const ListShape &shape) {
  int64_t rows = positions.size(), selected = index ? index->cols() : 0;
  Array<int32_t> result({rows, shape.window + selected});
  for (int64_t t = 0; t < rows; ++t) {
    int32_t *list = result.mutableData() + t * (shape.window + selected);
    int64_t position = positions[t], first = std::max<int64_t>(0, position - shape.window + 1);
    for (int64_t n = 0; n < shape.window; ++n) {
      int64_t q = first + n;
      list[n] = q > position ? -1 : q < starts[t] ? q % shape.ring : shape.ring + t - (position - q);
    }
    for (int64_t n = 0; n < selected; ++n) {
      int32_t j = (*index)(t)[n];
      bool visible = j >= 0 && j < visibleEntries(position, shape.ratio);
      list[shape.window + n] = visible ? j : -1;
    }
  }
  return result;
}

Array<BF16> attend(const Array<BF16> &q, const Array<float> &sink, const Array<int32_t> &list,
                   const GatheredSources &sources, const Array<int32_t> &slots) {
  int64_t rows = q.dim(0), heads = q.dim(1), cols = q.dim(2), listSlots = list.cols(), ring = sources.ring.dim(1);
  std::vector<float> query = widen(q), ringRows = widen(sources.ring), fresh = widen(sources.fresh), main;
  if (sources.main)
    main = widen(*sources.main);
  Array<BF16> result(q.shape());
  BF16 *out = result.mutableData();
  parallelFor(rows, 2 * heads * listSlots * cols, [&](int64_t t) {
    const int32_t *numbers = list(t);
    std::vector<const float *> vectors(listSlots, nullptr);
    bool empty = true;
    for (int64_t n = 0; n < listSlots; ++n) {
      int64_t number = numbers[n];
      if (number < 0)
        continue;
      empty = false;
      if (n >= sources.window)
        vectors[n] = &main[(slots[t] * sources.main->dim(1) + number) * cols];
      else
        vectors[n] = number < ring ? &ringRows[(slots[t] * ring + number) * cols] : &fresh[(number - ring) * cols];
    }
    if (!empty)
      attendList(&query[t * heads * cols], heads, cols, sink.data(), vectors, out + t * heads * cols);
  });
  return result;
}

} // namespace cedilla::reference
