//===- Dump.cpp - what a run computed, as a safetensors file ----------------------------------------===//

#include "runtime/driver/Dump.h"

#include "runtime/check/Numbers.h"
#include "runtime/io/Safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace cedilla {

namespace {
struct MarkName {
  std::string_view mark, name;
};
struct TypeName {
  DType type;
  const char *dtype;
  size_t bytes;
};
} // namespace

static constexpr MarkName keptMarks[] = {{"stream", "x"},          {"pre", "pre"},
                                         {"index", "index"},       {"route_id", "route_id"},
                                         {"route_w", "route_w"},   {"candidates", "candidates"}};
static constexpr MarkName goldenMarks[] = {{"attn", "attn"},
                                           {"ffn", "ffn"},
                                           {"engram_x", "engram_x"},
                                           {"index_score", "index_score"}};
static constexpr TypeName typeNames[] = {{DType::F32, "F32", 4}, {DType::BF16, "BF16", 2},
                                         {DType::I32, "I32", 4}, {DType::I64, "I64", 8},
                                         {DType::Bytes, "U8", 1}};

static const MarkName *findKept(std::string_view mark, bool golden) {
  for (const MarkName &kept : keptMarks)
    if (kept.mark == mark)
      return &kept;
  for (const MarkName &kept : goldenMarks)
    if (golden && kept.mark == mark)
      return &kept;
  return nullptr;
}

void Dump::observe(const MarkView &mark, const StepRows &rows,
                   std::span<const size_t> sequenceOfRow) {
  const MarkName *kept = findKept(mark.name, golden);
  if (!kept)
    return;
  const TypeName &type = typeNames[static_cast<int>(mark.type)];
  std::vector<int64_t> rowShape(mark.shape.begin() + 1, mark.shape.end());
  size_t bytes = type.bytes;
  for (int64_t dim : rowShape)
    bytes *= dim;
  std::string name = "l" + std::to_string(mark.layer) + "." + std::string(kept->name);
  for (int64_t row = 0; row < rows.size(); ++row) {
    Column &column = perSequence[sequenceOfRow[row]][name];
    column.dtype = type.dtype, column.rowShape = rowShape;
    auto *from = static_cast<const std::byte *>(mark.data) + row * bytes;
    column.bytes.insert(column.bytes.end(), from, from + bytes);
    column.rowEnds.push_back(column.bytes.size());
  }
}

/// Kept block numbers of each row → one byte per entry.
static std::vector<std::byte> candidateMask(std::span<const std::byte> blockBytes, int64_t rows,
                                            int64_t blocks, int64_t entries, int64_t ratio,
                                            int64_t blockSize) {
  std::vector<std::byte> mask(rows * entries, std::byte(0));
  std::vector<int32_t> list(blocks);
  for (int64_t row = 0; row < rows; ++row) {
    std::memcpy(list.data(), blockBytes.data() + row * blocks * 4, blocks * 4);
    int64_t visible = std::min((row + 1) / ratio, entries);
    for (int32_t block : list)
      for (int64_t j = block * blockSize; block >= 0 && j < (block + 1) * blockSize; ++j)
        if (j < visible)
          mask[row * entries + j] = std::byte(1);
  }
  return mask;
}

static std::vector<float> toFloats(std::span<const std::byte> bytes, std::string_view dtype) {
  std::vector<float> values(bytes.size() / (dtype == "BF16" ? 2 : 4));
  if (dtype == "F32")
    std::memcpy(values.data(), bytes.data(), bytes.size());
  for (size_t i = 0; dtype == "BF16" && i < values.size(); ++i) {
    uint16_t bits;
    std::memcpy(&bits, bytes.data() + 2 * i, 2);
    values[i] = check::bf16ToFloat(bits);
  }
  return values;
}

/// Scores of the entries that a sequence of `rows` has; an engine may have any number of columns, in each step others.
static std::vector<float> visibleScores(std::span<const std::byte> bytes, std::string_view dtype,
                                        std::span<const size_t> rowEnds, int64_t entries, int64_t ratio) {
  int64_t rows = rowEnds.size();
  std::vector<float> scores(rows * entries, -INFINITY);
  for (int64_t row = 0; row < rows; ++row) {
    size_t begin = row ? rowEnds[row - 1] : 0;
    std::vector<float> all = toFloats(bytes.subspan(begin, rowEnds[row] - begin), dtype);
    std::copy_n(all.begin(), std::min({(row + 1) / ratio, entries, int64_t(all.size())}), scores.begin() + row * entries);
  }
  return scores;
}

void Dump::writeLayers(SafetensorsWriter &writer, const std::string &prefix, const Columns &columns,
                       int64_t n) const {
  for (const auto &[name, column] : columns) {
    int64_t layer = std::stoll(name.substr(1)), ratio = std::max<int64_t>(facts.layers[layer].ratio, 1);
    std::vector<int64_t> shape = {n, n / ratio};
    if (name.ends_with(".candidates")) {
      writer.add(prefix + name, "BOOL", shape,
                 candidateMask(column.bytes, n, column.rowShape[0], n / ratio, ratio, facts.candidateBlockSize));
    } else if (name.ends_with(".index_score")) {
      std::vector<float> scores = visibleScores(column.bytes, column.dtype, column.rowEnds, n / ratio, ratio);
      writer.add(prefix + name, "F32", shape, std::as_bytes(std::span(scores)));
    } else {
      shape = {n};
      shape.insert(shape.end(), column.rowShape.begin(), column.rowShape.end());
      writer.add(prefix + name, column.dtype, shape, column.bytes);
    }
  }
}

void Dump::write(const std::string &path, const std::vector<SequenceResult> &results,
                 bool manySequences) const {
  SafetensorsWriter writer(path);
  for (size_t i = 0; i < results.size(); ++i) {
    const SequenceResult &result = results[i];
    std::string number = std::to_string(i);
    std::string prefix = golden ? "p" + number + "." : manySequences ? "seq." + number + "." : "";
    int64_t n = result.tokens.size();
    writer.add(prefix + "tokens", "I32", {n}, std::as_bytes(std::span(result.tokens)));
    writer.add(prefix + "logits", "F32", {n, facts.vocab},
               std::as_bytes(std::span(result.logits)));
    std::vector<int32_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    if (golden)
      writer.add(prefix + "rows", "I32", {n}, std::as_bytes(std::span(rows)));
    writeLayers(writer, prefix, perSequence[i], n);
  }
  writer.write();
}

} // namespace cedilla
