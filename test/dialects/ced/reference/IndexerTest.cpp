//===- IndexerTest.cpp - candidates ------------------------------------------------------------------===//

#include "dialects/ced/reference/Indexer.h"
#include "test/dialects/ced/reference/Golden.h"

namespace cedilla::reference {

/// Kept blocks as a mask over visible entries, as captured.
static Array<uint8_t> maskOf(const Array<int32_t> &blocks, const Array<int32_t> &visible,
                             int64_t blockSize, const Shape &shape) {
  Array<uint8_t> mask(shape);
  for (int64_t t = 0; t < shape[0]; ++t)
    for (int64_t j = 0; j < shape[1]; ++j)
      for (int64_t b = 0; b < blocks.cols(); ++b)
        if (blocks(t)[b] == j / blockSize)
          mask.mutableData()[t * shape[1] + j] = 1;
  return mask;
}

void checkIndexer(const Golden &golden, Report &report) {
  for (const auto &[kind, parameters] : golden.cases()["candidates"].items()) {
    std::string name = "candidates." + kind;
    Array<BF16> score = golden.bf16(name + ".score");
    Array<int32_t> visible = golden.i32(name + ".visible");
    Array<int32_t> positions(visible.shape());
    for (int64_t t = 0; t < visible.size(); ++t)
      positions.mutableData()[t] = visible[t] - 1; // ratio 1: entries up to its own
    int64_t blockSize = parameters["block_size"];
    Array<int32_t> blocks = candidateBlocks(score, positions, parameters["blocks"], blockSize, 1);
    report.exact("candidates", name + ".keep", maskOf(blocks, visible, blockSize, score.shape()),
                 golden.boolean(name + ".keep"));
  }
}

} // namespace cedilla::reference
