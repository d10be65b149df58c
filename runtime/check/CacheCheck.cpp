//===- CacheCheck.cpp - caches after a prefill against captured ones -------------------------------===//

#include "runtime/check/CacheCheck.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <cstring>

namespace cedilla::check {

namespace {
/// A row format of engine/Engine.h: codes, then one scale per `group` values.
struct RowFormat {
  bool fp4;
  int64_t group;
  float (*scale)(uint8_t);
  int64_t bytes(int64_t width) const {
    return (fp4 ? width / 2 : width) + (width + group - 1) / group;
  }
};
constexpr RowFormat windowRow = {false, 32, e8m0ToFloat};
constexpr RowFormat mainRow = {true, 16, e4m3ToFloat};
constexpr RowFormat indexRow = {true, 32, e8m0ToFloat};

/// One slot of an engine, and where a layer's rows are to be looked for.
class Caches {
public:
  Caches(Engine &engine, int64_t slot) : engine(engine), slot(slot), list(engine.states()) {}

  const StateView *find(const char *kind, int64_t layer) const;
  std::vector<float> windowRowAt(const StateView &state, int64_t position, int64_t width) const;
  std::vector<float> pagedRowAt(const StateView &state, int64_t entry, int64_t ratio,
                                int64_t width, const RowFormat &format) const;

private:
  Engine &engine;
  int64_t slot;
  std::vector<StateView> list;
};
} // namespace

static std::vector<float> decodeRow(const uint8_t *row, int64_t width, const RowFormat &format) {
  const uint8_t *scales = row + (format.fp4 ? width / 2 : width);
  std::vector<float> values(width);
  for (int64_t i = 0; i < width; ++i) {
    uint8_t code = format.fp4 ? (i % 2 ? row[i / 2] >> 4 : row[i / 2] & 15) : row[i];
    float value = format.fp4 ? e2m1ToFloat(code) : e4m3ToFloat(code);
    values[i] = bf16ToFloat(floatToBf16(value * format.scale(scales[i / format.group])));
  }
  return values;
}

static void checkRowBytes(const StateView &state, int64_t width, const RowFormat &format) {
  if (state.shape.size() != 3 || state.type != DType::Bytes ||
      state.shape[2] != format.bytes(width))
    failInternal("state '", state.name, "': expected rows of ", format.bytes(width), " bytes");
}

/// Row `row` of all the state's, which neither captures nor facts that differ may lead outside of.
static const uint8_t *rowAt(const StateView &state, int64_t row) {
  if (int64_t rows = state.shape[0] * state.shape[1]; row < 0 || row >= rows)
    fail(Err::GoldenData, "state '", state.name, "': expected one of its ", rows, " rows, got ", row);
  return static_cast<const uint8_t *>(state.data) + row * state.shape[2];
}

const StateView *Caches::find(const char *kind, int64_t layer) const {
  std::string name = std::string(kind) + "." + std::to_string(layer);
  for (const StateView &state : list)
    if (state.name == name)
      return &state;
  return nullptr;
}

std::vector<float> Caches::windowRowAt(const StateView &state, int64_t position,
                                       int64_t width) const {
  checkRowBytes(state, width, windowRow);
  int64_t row = slot * state.shape[1] + position % state.shape[1];
  return decodeRow(rowAt(state, row), width, windowRow);
}

std::vector<float> Caches::pagedRowAt(const StateView &state, int64_t entry, int64_t ratio,
                                      int64_t width, const RowFormat &format) const {
  checkRowBytes(state, width, format);
  int64_t page = engine.facts().page, token = entry * ratio;
  int64_t row = engine.pageOf(slot, token / page) * state.shape[1] + token % page / ratio;
  return decodeRow(rowAt(state, row), width, format);
}

//===------------------------------------------------------------------------------------------===//
// Against the captures
//===------------------------------------------------------------------------------------------===//

static const StateView &needed(const StateView *state, const char *kind, int64_t layer) {
  if (!state)
    failInternal("the engine has no state '", kind, ".", layer, "'");
  return *state;
}

/// The captured ring has W slots, position p in slot p mod W.
static void compareWindow(const Caches &caches, const Capture &wanted, int64_t layer,
                          int64_t promptSize, Difference &difference) {
  const StateView &state = needed(caches.find("window", layer), "window", layer);
  int64_t size = wanted.rows();
  for (int64_t p = std::max<int64_t>(0, promptSize - size); p < promptSize; ++p)
    difference.addRow(caches.windowRowAt(state, p, wanted.width()), wanted.floatRow(p % size));
}

static void comparePaged(const Caches &caches, const Capture &wanted, const char *kind,
                         int64_t layer, int64_t ratio, const RowFormat &format,
                         Difference &difference) {
  const StateView &state = needed(caches.find(kind, layer), kind, layer);
  for (int64_t j = 0; j < wanted.rows(); ++j)
    difference.addRow(caches.pagedRowAt(state, j, ratio, wanted.width(), format),
                      wanted.floatRow(j));
}

/// State [slots, ratio - 1, 2, width]: latent, then gate, of each token of the open group.
static void compareOpen(const Caches &caches, const Capture &wanted, int64_t which, int64_t layer,
                        int64_t slot, Difference &difference) {
  const StateView &state = needed(caches.find("open", layer), "open", layer);
  int64_t width = wanted.width();
  if (state.type != DType::F32 || state.shape.size() != 4 || state.shape[1] < wanted.rows() ||
      state.shape[2] != 2 || state.shape[3] != width)
    failInternal("state '", state.name, "': expected f32 [slots, ", wanted.rows(), ", 2, ", width, "]");
  for (int64_t row = 0; row < wanted.rows(); ++row) {
    const float *got = static_cast<const float *>(state.data) +
                       ((slot * state.shape[1] + row) * 2 + which) * width;
    difference.addRow(std::span(got, width), wanted.floatRow(row));
  }
}

void compareCaches(Engine &engine, const GoldenSet &golden, const GoldenPrompt &prompt,
                   int64_t slot, FedReport &report) {
  Caches caches(engine, slot);
  const ModelFacts &facts = engine.facts();
  for (size_t layer = 0; layer < facts.layers.size(); ++layer) {
    LayerReport &found = report.layers[layer];
    int64_t ratio = std::max<int64_t>(facts.layers[layer].ratio, 1), n = prompt.size();
    if (const Capture *c = golden.find(prompt, layer, "window_kv", facts.layers[layer].window))
      compareWindow(caches, *c, layer, n, found.caches);
    if (const Capture *c = golden.find(prompt, layer, "main_kv", n / ratio))
      comparePaged(caches, *c, "main_kv", layer, ratio, mainRow, found.caches);
    if (const Capture *c = golden.find(prompt, layer, "index_k", n / ratio))
      comparePaged(caches, *c, "index_k", layer, ratio, indexRow, found.caches);
    if (const Capture *c = golden.find(prompt, layer, "open_kv", n % ratio))
      compareOpen(caches, *c, 0, layer, slot, found.open);
    if (const Capture *c = golden.find(prompt, layer, "open_gate", n % ratio))
      compareOpen(caches, *c, 1, layer, slot, found.open);
  }
}

} // namespace cedilla::check
