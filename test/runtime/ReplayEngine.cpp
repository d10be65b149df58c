//===- ReplayEngine.cpp - an engine that answers with captured values -------------------------------===//

#include "test/runtime/ReplayEngine.h"

#include "runtime/base/Error.h"
#include "runtime/check/Numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cedilla::test {
using namespace check;

/// tiny-six-role's sizes and table; the limits are chosen to split p129 and p300 into several steps.
static ModelFacts sixRoleFacts() {
  ModelFacts f;
  f.arch = "DeepseekV41ForCausalLM";
  f.vocab = 512, f.hidden = 256, f.streams = 4, f.headDim = 64, f.indexHeadDim = 64;
  f.indexTopk = 8, f.candidateBlocks = 3, f.candidateBlockSize = 4, f.expertsPerToken = 2;
  f.slack = 3, f.page = 16, f.maxRows = 128, f.maxContext = 320, f.maxBatch = 2;
  f.layers = {{"swa", 16, 0, -1, -1, -1, true},  {"full", 16, 2, 1, 1, -1, true},
              {"reuse", 16, 2, 1, 1, -1, false}, {"full", 16, 1, 3, 3, 3, false},
              {"reuse", 16, 1, 3, 3, -1, false}, {"reindex", 16, 1, 3, 5, 3, false}};
  return f;
}

ReplayEngine::ReplayEngine(const GoldenSet &golden, Fault fault)
    : golden(golden), fault(std::move(fault)), modelFacts(sixRoleFacts()), check(modelFacts) {
  auto add = [&](std::string name, std::vector<int64_t> shape, DType type) {
    int64_t size = type == DType::F32 ? 4 : 1;
    for (int64_t dim : shape)
      size *= dim;
    bytes[name].resize(size);
    views.push_back({name, std::move(shape), type, bytes[name].data()});
  };
  int64_t slots = modelFacts.maxBatch, pages = slots * modelFacts.pagesPerSlot();
  for (size_t l = 0; l < modelFacts.layers.size(); ++l) {
    std::string layer = "." + std::to_string(l);
    add("window" + layer, {slots, 16 + 3, 64 + 2}, DType::Bytes);
    if (modelFacts.layers[l].mode != "full")
      continue;
    add("main_kv" + layer, {pages, 16 / modelFacts.layers[l].ratio, 32 + 4}, DType::Bytes);
    add("index_k" + layer, {pages, 16 / modelFacts.layers[l].ratio, 32 + 2}, DType::Bytes);
    add("open" + layer, {slots, 1, 2, 64}, DType::F32);
  }
}

/// From the last page down, so that the check cannot do without asking.
int64_t ReplayEngine::pageOf(int64_t slot, int64_t n) const {
  return modelFacts.maxBatch * modelFacts.pagesPerSlot() - 1 -
         (slot * modelFacts.pagesPerSlot() + n);
}

std::vector<StateView> ReplayEngine::states() {
  for (const auto &[slot, running] : running)
    for (size_t layer = 0; layer < modelFacts.layers.size(); ++layer)
      fillCaches(slot, layer);
  return views;
}

//===------------------------------------------------------------------------------------------===//
// Steps
//===------------------------------------------------------------------------------------------===//

const GoldenPrompt &ReplayEngine::promptOf(const StepRows &rows) const {
  for (const GoldenPrompt &prompt : golden.prompts())
    if (rows.size() == std::min(prompt.size(), modelFacts.maxRows) &&
        std::equal(rows.tokens.begin(), rows.tokens.end(), prompt.tokens.begin()))
      return prompt;
  failInternal("no captured prompt begins with these tokens");
}

void ReplayEngine::step(const StepRows &rows, bool decode, std::span<float> logits,
                        const Observer &observer) {
  check.check(rows, decode);
  if (rows.positions[0] == 0)
    running[rows.slots[0]] = &promptOf(rows);
  prompt = running.at(rows.slots[0]);
  for (int64_t row = 0; row < rows.size(); ++row) {
    int64_t position = rows.positions[row];
    std::span<const float> captured = position < prompt->size()
                                          ? prompt->logits.floatRow(position)
                                          : prompt->decodeLogits.floatRow(position - prompt->size());
    std::copy(captured.begin(), captured.end(), logits.begin() + row * modelFacts.vocab);
    if (fault.name == "logits")
      logits[row * modelFacts.vocab] += 20;
  }
  if (observer) {
    mark(observer, rows, "engram_rows", -1, "engram_rows", DType::I64, {2, 6});
    for (size_t layer = 0; layer < modelFacts.layers.size(); ++layer)
      markLayer(observer, rows, layer);
  }
  check.advance(rows);
}

void ReplayEngine::markLayer(const Observer &observer, const StepRows &rows, int64_t layer) {
  mark(observer, rows, "engram_x", layer, "engram_x", DType::BF16, {4, 256});
  mark(observer, rows, "attn", layer, "attn", DType::BF16, {256});
  mark(observer, rows, "index_score", layer, "index_score", DType::BF16, {320});
  markCandidates(observer, rows, layer);
  mark(observer, rows, "index", layer, "index", DType::I32, {8});
  mark(observer, rows, "route_id", layer, "route_id", DType::I32, {2});
  mark(observer, rows, "route_w", layer, "route_w", DType::F32, {2});
  mark(observer, rows, "ffn", layer, "ffn", DType::BF16, {256});
  mark(observer, rows, "stream", layer, "x", DType::BF16, {4, 256});
  mark(observer, rows, "pre", layer, "pre", DType::F32, {4});
}

/// The captured row of a position, or -1: of all positions, of some, or of decode steps.
static int64_t capturedRow(const GoldenPrompt &prompt, const Capture &capture, int64_t position) {
  if (position >= prompt.size())
    return position - prompt.size();
  if (capture.rows() == prompt.size())
    return position;
  auto it = std::find(prompt.rows.begin(), prompt.rows.end(), position);
  return it == prompt.rows.end() ? -1 : it - prompt.rows.begin();
}

void ReplayEngine::mark(const Observer &observer, const StepRows &rows, const char *name,
                        int64_t layer, const char *captured, DType type,
                        std::vector<int64_t> rowShape) {
  bool decode = rows.positions[0] >= prompt->size();
  std::string key = std::string(decode ? "dec." : "") +
                    (layer < 0 ? "" : "l" + std::to_string(layer) + ".") + captured;
  const Capture *capture = golden.find(*prompt, key, -1);
  if (!capture)
    return;
  int64_t width = 1;
  for (int64_t dim : rowShape)
    width *= dim;
  bool off = fault.name == name && fault.layer == layer;
  std::vector<uint16_t> bf16(type == DType::BF16 ? rows.size() * width : 0);
  std::vector<float> f32(type == DType::F32 ? rows.size() * width : 0);
  std::vector<int32_t> i32(type == DType::I32 ? rows.size() * width : 0);
  std::vector<int64_t> i64(type == DType::I64 ? rows.size() * width : 0);
  for (int64_t row = 0; row < rows.size(); ++row) {
    int64_t from = capturedRow(*prompt, *capture, rows.positions[row]);
    for (int64_t i = 0; from >= 0 && i < std::min(width, capture->width()); ++i) {
      int64_t at = row * width + i;
      if (type == DType::BF16)
        bf16[at] = floatToBf16(capture->floatRow(from)[i] * (off ? 1.0625f : 1));
      else if (type == DType::F32)
        f32[at] = capture->floatRow(from)[i] + (off ? 0.01f : 0);
      else if (type == DType::I32)
        i32[at] = capture->intRow(from)[i] + off;
      else
        i64[at] = capture->intRow(from)[i] + off;
    }
  }
  rowShape.insert(rowShape.begin(), rows.size());
  void *data = type == DType::BF16  ? static_cast<void *>(bf16.data())
               : type == DType::F32 ? static_cast<void *>(f32.data())
               : type == DType::I32 ? static_cast<void *>(i32.data())
                                    : static_cast<void *>(i64.data());
  observer({name, layer, type, rowShape, data});
}

/// Captured as a mask of entries, marked as numbers of blocks.
void ReplayEngine::markCandidates(const Observer &observer, const StepRows &rows, int64_t layer) {
  const Capture *capture =
      golden.find(*prompt, "l" + std::to_string(layer) + ".candidates", -1);
  if (!capture || rows.positions[0] >= prompt->size())
    return;
  std::vector<int32_t> blocks(rows.size() * 3, -1);
  for (int64_t row = 0; row < rows.size(); ++row) {
    int64_t from = capturedRow(*prompt, *capture, rows.positions[row]), count = 0;
    for (int64_t j = 0; from >= 0 && j < capture->width() && count < 3; j += 4)
      if (capture->intRow(from)[j])
        blocks[row * 3 + count++] = j / 4;
    if (fault.name == "candidates" && fault.layer == layer)
      blocks[row * 3] = -1;
  }
  observer({"candidates", layer, DType::I32, {rows.size(), 3}, blocks.data()});
}

//===------------------------------------------------------------------------------------------===//
// Caches
//===------------------------------------------------------------------------------------------===//

/// Codes and scale of one group: the first scale that represents every value exactly.
static void encodeGroup(std::span<const float> values, uint8_t *codes, uint8_t &scale, bool fp4,
                        float (*decodeScale)(uint8_t), int lastScale) {
  int codeCount = fp4 ? 16 : 256;
  for (int s = lastScale; s >= 0; --s) {
    std::vector<int> found;
    for (float value : values) {
      int code = 0;
      while (code < codeCount && (fp4 ? e2m1ToFloat(code) : e4m3ToFloat(code)) * decodeScale(s) != value)
        ++code;
      if (code == codeCount)
        break;
      found.push_back(code);
    }
    if (found.size() != values.size())
      continue;
    scale = s;
    for (size_t i = 0; i < found.size(); ++i)
      fp4 ? codes[i / 2] |= found[i] << (i % 2 * 4) : codes[i] = found[i];
    return;
  }
  failInternal("a captured cache row is not of its format");
}

static void encodeRow(std::span<const float> values, uint8_t *row, bool fp4, int64_t group,
                      float (*decodeScale)(uint8_t), int lastScale) {
  int64_t codeBytes = values.size() / (fp4 ? 2 : 1);
  std::memset(row, 0, codeBytes);
  for (size_t i = 0; i < values.size(); i += group)
    encodeGroup(values.subspan(i, group), row + i / (fp4 ? 2 : 1), row[codeBytes + i / group], fp4,
                decodeScale, lastScale);
}

void ReplayEngine::fillCaches(int64_t slot, int64_t layer) {
  const GoldenPrompt &prompt = *running.at(slot);
  std::string suffix = "." + std::to_string(layer);
  int64_t ratio = std::max<int64_t>(modelFacts.layers[layer].ratio, 1), n = prompt.size();
  auto isOff = [&](const char *name) { return fault.name == name && fault.layer == layer; };
  if (const Capture *ring = golden.find(prompt, layer, "window_kv", -1))
    for (int64_t p = std::max<int64_t>(0, n - 16); p < n; ++p) {
      uint8_t *row = &bytes["window" + suffix][(slot * 19 + p % 19) * 66];
      encodeRow(ring->floatRow(p % 16), row, false, 32, e8m0ToFloat, 254);
      row[0] ^= isOff("window") ? 0x80 : 0;
    }
  struct Format {
    const char *name;
    int64_t group;
    float (*scale)(uint8_t);
    int lastScale;
  };
  for (auto [name, group, scale, lastScale] :
       {Format{"main_kv", 16, e4m3ToFloat, 126}, {"index_k", 32, e8m0ToFloat, 254}}) {
    const Capture *entries = golden.find(prompt, layer, name, -1);
    for (int64_t j = 0; entries && j < entries->rows(); ++j) {
      int64_t perPage = 16 / ratio, rowBytes = 32 + 64 / group;
      int64_t page = pageOf(slot, j * ratio / 16);
      uint8_t *row = &bytes[name + suffix][(page * perPage + j % perPage) * rowBytes];
      encodeRow(entries->floatRow(j), row, true, group, scale, lastScale);
      row[32] ^= isOff(name) ? 1 : 0;
    }
  }
  for (auto [name, which] : {std::pair{"open_kv", 0}, {"open_gate", 1}})
    if (const Capture *open = golden.find(prompt, layer, name, -1); open && open->rows()) {
      float *row = reinterpret_cast<float *>(bytes["open" + suffix].data()) + (slot * 2 + which) * 64;
      std::copy_n(open->floats.begin(), 64, row);
      row[0] += isOff("open") ? 0.5f : 0;
    }
}

} // namespace cedilla::test
