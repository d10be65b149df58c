//===- Dump.cpp - what a run computed, as a safetensors file ----------------------------------------===//

#include "runtime/driver/Dump.h"

#include "runtime/io/Safetensors.h"

#include <algorithm>
#include <cstring>

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
static constexpr TypeName typeNames[] = {{DType::F32, "F32", 4}, {DType::BF16, "BF16", 2},
                                         {DType::I32, "I32", 4}, {DType::I64, "I64", 8},
                                         {DType::Bytes, "U8", 1}};

void Dump::observe(const MarkView &mark, const StepRows &rows,
                   std::span<const size_t> sequenceOfRow) {
  for (const MarkName &kept : keptMarks) {
    if (kept.mark != mark.name)
      continue;
    const TypeName &type = typeNames[static_cast<int>(mark.type)];
    std::vector<int64_t> rowShape(mark.shape.begin() + 1, mark.shape.end());
    size_t bytes = type.bytes;
    for (int64_t dim : rowShape)
      bytes *= dim;
    std::string name = "l" + std::to_string(mark.layer) + "." + std::string(kept.name);
    for (int64_t row = 0; row < rows.size(); ++row) {
      Column &column = perSequence[sequenceOfRow[row]][name];
      column.dtype = type.dtype, column.rowShape = rowShape;
      auto *from = static_cast<const std::byte *>(mark.data) + row * bytes;
      column.bytes.insert(column.bytes.end(), from, from + bytes);
    }
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

void Dump::write(const std::string &path, const std::vector<SequenceResult> &results,
                 bool manySequences) const {
  SafetensorsWriter writer(path);
  for (size_t i = 0; i < results.size(); ++i) {
    const SequenceResult &result = results[i];
    std::string prefix = manySequences ? "seq." + std::to_string(i) + "." : "";
    int64_t n = result.tokens.size();
    writer.add(prefix + "tokens", "I32", {n}, std::as_bytes(std::span(result.tokens)));
    writer.add(prefix + "logits", "F32", {n, facts.vocab},
               std::as_bytes(std::span(result.logits)));
    for (const auto &[name, column] : perSequence[i]) {
      std::vector<int64_t> shape = {n};
      if (!name.ends_with(".candidates")) {
        shape.insert(shape.end(), column.rowShape.begin(), column.rowShape.end());
        writer.add(prefix + name, column.dtype, shape, column.bytes);
        continue;
      }
      int64_t layer = std::stoll(name.substr(1));
      int64_t ratio = std::max<int64_t>(facts.layers[layer].ratio, 1);
      shape.push_back(n / ratio);
      writer.add(prefix + name, "BOOL", shape,
                 candidateMask(column.bytes, n, column.rowShape[0], n / ratio, ratio,
                               facts.candidateBlockSize));
    }
  }
  writer.write();
}

} // namespace cedilla
