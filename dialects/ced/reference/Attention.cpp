//===- Attention.cpp - ced.attention -----------------------------------------------------------------===//

#include "dialects/ced/reference/Attention.h"
#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Quantize.h"

#include <array>
#include <cmath>
#include <limits>

namespace cedilla::reference {

//===------------------------------------------------------------------------------------------===//
// One head over a list
//===------------------------------------------------------------------------------------------===//

/// Online softmax over blocks of 64 list slots. The padding slots belong to the blocks: what is rounded
/// to bf16 is relative to the running maximum, so the block borders are part of the result.
static void attendHead(const float *q, int64_t cols, float sink,
                       const std::vector<const float *> &list, BF16 *out) {
  constexpr size_t blockSlots = 64;
  const float scale = float(1.0 / std::sqrt(double(cols)));
  float maximum = -1e30f, denominator = 0.0f;
  std::vector<float> accumulator(cols);

  for (size_t begin = 0; begin < list.size(); begin += blockSlots) {
    size_t count = std::min(blockSlots, list.size() - begin);
    std::array<float, blockSlots> score;
    float newMaximum = maximum;
    for (size_t i = 0; i < count; ++i) {
      const float *kv = list[begin + i];
      score[i] = kv ? dot(q, kv, cols) * scale : -std::numeric_limits<float>::infinity();
      newMaximum = std::max(newMaximum, score[i]);
    }

    float rescale = std::exp(maximum - newMaximum);
    float sum = 0.0f;
    for (float &a : accumulator)
      a *= rescale;
    for (size_t i = 0; i < count; ++i) {
      const float *kv = list[begin + i];
      if (!kv)
        continue;
      float e = std::exp(score[i] - newMaximum);
      sum += e; // the denominator takes the f32 value, the accumulator the rounded one
      float rounded = roundToBF16(e);
      for (int64_t k = 0; k < cols; ++k)
        accumulator[k] += rounded * kv[k];
    }
    denominator = denominator * rescale + sum;
    maximum = newMaximum;
  }

  // With an empty list the maximum is still -1e30 and the sink makes the denominator infinite: o = 0.
  denominator += std::exp(sink - maximum);
  for (int64_t k = 0; k < cols; ++k)
    out[k] = toBF16(accumulator[k] / denominator);
}

void attendList(const float *q, int64_t heads, int64_t cols, const float *sink,
                const std::vector<const float *> &list, BF16 *out) {
  for (int64_t h = 0; h < heads; ++h)
    attendHead(q + h * cols, cols, sink[h], list, out + h * cols);
}

//===------------------------------------------------------------------------------------------===//
// Building the list of a row
//===------------------------------------------------------------------------------------------===//

namespace {
/// KV vectors of one row's list, decoded to f32.
class ListBuilder {
public:
  ListBuilder(int64_t slots, int64_t cols) : cols(cols), storage(slots * cols) {}

  void addNothing() { list.push_back(nullptr); }
  void add(const ScaledFormat &format, const uint8_t *row) {
    decodeRow(format, row, cols, next());
  }
  void add(const float *vector) { std::copy_n(vector, cols, next()); }

  std::vector<const float *> list;

private:
  float *next() {
    float *place = &storage[list.size() * cols];
    list.push_back(place);
    return place;
  }
  int64_t cols;
  std::vector<float> storage;
};

/// The step's row tensors.
struct Step {
  const Array<int32_t> &positions, &slots, &starts, &pages;
};
} // namespace

/// W slots: the visible positions ascending, then nothing.
static void addWindow(ListBuilder &builder, const WindowCache &window, const std::vector<float> &fresh,
                      const Step &step, int64_t t) {
  int64_t position = step.positions[t];
  int64_t first = std::max<int64_t>(0, position - window.window + 1);
  for (int64_t p = first; p <= position; ++p) {
    bool isFresh = !fresh.empty() && p >= step.starts[t];
    if (isFresh)
      builder.add(&fresh[(t - (position - p)) * window.cols]);
    else
      builder.add(window.format, window.bytes.data() + windowOffset(window, step.slots[t], p));
  }
  for (int64_t filled = position - first + 1; filled < window.window; ++filled)
    builder.addNothing();
}

/// k slots: entries of the index set, nothing where it holds no visible entry.
static void addSelected(ListBuilder &builder, const PagedCache &main, const Array<int32_t> &index,
                        const Step &step, int64_t t) {
  int64_t visible = visibleEntries(step.positions[t], main.ratio);
  for (int64_t i = 0; i < index.cols(); ++i) {
    int64_t j = index(t)[i];
    if (j < 0 || j >= visible)
      builder.addNothing();
    else
      builder.add(main.format,
                  main.bytes.data() + pagedOffset(main, step.pages, step.slots[t], j));
  }
}

Array<BF16> attention(const Array<BF16> &q, const Array<float> &sink,
                      const AttentionSources &sources, const Array<int32_t> &positions,
                      const Array<int32_t> &slots, const Array<int32_t> &starts,
                      const Array<int32_t> &pages) {
  int64_t rows = q.dim(0), heads = q.dim(1), cols = q.dim(2);
  int64_t listSlots = sources.window.window + (sources.index ? sources.index->cols() : 0);
  Step step{positions, slots, starts, pages};
  std::vector<float> query = widen(q), fresh;
  if (sources.fresh)
    fresh = widen(dequantize(*sources.fresh));

  Array<BF16> result(q.shape());
  BF16 *out = result.mutableData();
  parallelFor(rows, 2 * heads * listSlots * cols, [&](int64_t t) {
    if (positions[t] < 0)
      return; // a padding row has an empty list
    ListBuilder builder(listSlots, cols);
    addWindow(builder, sources.window, fresh, step, t);
    if (sources.index)
      addSelected(builder, *sources.main, *sources.index, step, t);
    attendList(&query[t * heads * cols], heads, cols, sink.data(), builder.list,
               out + t * heads * cols);
  });
  return result;
}

} // namespace cedilla::reference
