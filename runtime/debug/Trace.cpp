//===- Trace.cpp - what every kernel left for every row, by sequence and position ------------------===//

#include "runtime/debug/Trace.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace cedilla::debug {

TraceEngine::TraceEngine(std::unique_ptr<PackageEngine> engine, Trace &trace, bool unnamed)
    : SteppedEngine(std::move(engine)), trace(&trace), unnamed(unnamed) {}

void TraceEngine::resetSlot(int64_t slot) {
  SteppedEngine::resetSlot(slot);
  sequenceOf[slot] = nextSequence++;
}

//===------------------------------------------------------------------------------------------===//
// Taking down
//===------------------------------------------------------------------------------------------===//

size_t TraceEngine::originOf(const Dispatch &dispatch, const BufferInfo &buffer) {
  auto [place, isNew] = origins.try_emplace({decoding, &buffer}, trace->origins.size());
  if (isNew)
    trace->origins.push_back({buffer.value.empty() ? buffer.name : buffer.value, describe(dispatch, manifest()),
                              manifest().kernels[dispatch.info->kernel].reproducibility, buffer.type});
  return place->second;
}

/// Scores have columns for entries that no row sees yet, and what lies there means nothing. The value's name begins
/// with its layer.
static int64_t meaningfulColumns(const BufferInfo &buffer, const ModelFacts &facts, int64_t position) {
  bool scores = buffer.value.find(".index_scores.") != std::string::npos;
  bool maxima = buffer.value.find(".block_max.") != std::string::npos;
  if (!scores && !maxima)
    return -1;
  size_t layer = std::strtoull(buffer.value.c_str(), nullptr, 10);
  int64_t ratio = layer < facts.layers.size() ? std::max<int64_t>(facts.layers[layer].ratio, 1) : 1;
  int64_t visible = (position + 1) / ratio, block = std::max<int64_t>(facts.candidateBlockSize, 1);
  return std::min(maxima ? (visible + block - 1) / block : visible, buffer.shape.back());
}

void TraceEngine::add(const Dispatch &dispatch, size_t index, const StepRows &rows) {
  const BufferInfo &buffer = manifest().buffers[index];
  std::vector<std::byte> bytes = package->read(index, rows.size());
  size_t each = bytes.size() / rows.size(), origin = originOf(dispatch, buffer);
  for (int64_t row = 0; row < rows.size(); ++row) {
    if (rows.positions[row] < 0)
      continue;
    int64_t columns = meaningfulColumns(buffer, facts(), rows.positions[row]);
    size_t used = columns < 0 ? each : columns * (each / buffer.shape.back());
    trace->items.push_back({steps, decoding, origin, sequenceOf[rows.slots[row]], rows.positions[row], trace->data.size(), used});
    trace->data.insert(trace->data.end(), bytes.begin() + row * each, bytes.begin() + row * each + used);
  }
}

void TraceEngine::after(const Dispatch &dispatch, const StepRows &rows) {
  for (size_t made : dispatch.makes) {
    const BufferInfo &buffer = manifest().buffers[made];
    bool byRow = !buffer.shape.empty() && buffer.shape[0] == -1;
    if (byRow && !isScratch(buffer) && (unnamed || !buffer.value.empty()))
      add(dispatch, made, rows);
  }
}

//===------------------------------------------------------------------------------------------===//
// Comparing
//===------------------------------------------------------------------------------------------===//

static std::string bitsOf(std::span<const std::byte> element) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text = "0x";
  for (size_t i = element.size(); i-- > 0;)
    (text += digits[uint8_t(element[i]) >> 4]) += digits[uint8_t(element[i]) & 15];
  return text;
}

static TraceComparison::Difference differenceOf(const Trace &a, const TraceItem &x, const Trace &b, const TraceItem &y) {
  TraceComparison::Difference difference{&a.origins[x.origin], &b.origins[y.origin], &x, &y, 0, 0, 0, "", ""};
  size_t size = elementBytes(difference.a->type);
  std::span<const std::byte> left = a.bytesOf(x), right = b.bytesOf(y);
  difference.elements = left.size() / size;
  for (size_t i = difference.elements; i-- > 0;) {
    std::span<const std::byte> p = left.subspan(i * size, size), q = right.subspan(i * size, size);
    if (std::memcmp(p.data(), q.data(), size) == 0)
      continue;
    ++difference.different;
    difference.first = i, difference.foundA = bitsOf(p), difference.foundB = bitsOf(q);
  }
  return difference;
}

TraceComparison compareTraces(const Trace &a, const Trace &b) {
  using Key = std::tuple<std::string_view, int64_t, int64_t>;
  auto keyOf = [](const Trace &trace, const TraceItem &item) {
    return Key(trace.origins[item.origin].value, item.sequence, item.position);
  };
  std::map<Key, const TraceItem *> others;
  for (const TraceItem &item : b.items)
    others.emplace(keyOf(b, item), &item);
  TraceComparison result;
  for (const TraceItem &item : a.items) {
    auto found = others.find(keyOf(a, item));
    if (found == others.end() || found->second->bytes != item.bytes) {
      ++result.unmatched;
      continue;
    }
    ++result.compared;
    const TraceItem &other = *found->second;
    if (std::memcmp(a.bytesOf(item).data(), b.bytesOf(other).data(), item.bytes) == 0)
      continue;
    ++result.different;
    if (!result.first)
      result.first = differenceOf(a, item, b, other);
  }
  return result;
}

} // namespace cedilla::debug
