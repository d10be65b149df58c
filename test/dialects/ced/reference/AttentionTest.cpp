//===- AttentionTest.cpp - attn, rope ------------------------------------------------------------------===//

#include "dialects/ced/reference/Attention.h"
#include "dialects/ced/reference/Quantize.h"
#include "dialects/ced/reference/Rotary.h"
#include "test/dialects/ced/reference/Golden.h"

namespace cedilla::reference {

/// The list arithmetic on plain bf16 vectors and an index list, as captured.
static Array<BF16> attendIndexed(const Array<BF16> &q, const Array<BF16> &kv,
                                 const Array<float> &sink, const Array<int32_t> &index) {
  int64_t heads = q.dim(1), cols = q.dim(2);
  std::vector<float> query = widen(q), vectors = widen(kv);
  Array<BF16> result(q.shape());
  for (int64_t t = 0; t < q.dim(0); ++t) {
    std::vector<const float *> list;
    for (int64_t i = 0; i < index.cols(); ++i)
      list.push_back(index(t)[i] < 0 ? nullptr : &vectors[index(t)[i] * cols]);
    attendList(&query[t * heads * cols], heads, cols, sink.data(), list,
               result.mutableData() + t * heads * cols);
  }
  return result;
}

static void checkRope(const Golden &golden, Report &report, const std::string &name) {
  Array<int32_t> positions = golden.i32(name + ".positions");
  Array<float> frequencies = golden.f32(name + ".freqs");
  std::span<const float> table(frequencies.data(), frequencies.size());
  Array<float> cosines(golden.f32(name + ".cos").shape()), sines(cosines.shape());
  for (int64_t t = 0; t < positions.size(); ++t)
    for (size_t p = 0; p < table.size(); ++p) {
      Rotation rotation = rotationAt(positions[t], table[p]);
      cosines.mutableData()[t * table.size() + p] = rotation.cos;
      sines.mutableData()[t * table.size() + p] = rotation.sin;
    }
  report.absolute("rope", name + ".cos", cosines, golden.f32(name + ".cos"), 1e-7);
  report.absolute("rope", name + ".sin", sines, golden.f32(name + ".sin"), 1e-7);
  Array<BF16> x = golden.bf16(name + ".x");
  report.ulps("rope", name + ".y", rope(x, positions, table, 1, false), golden.bf16(name + ".y"), 1);
  report.ulps("rope", name + ".y_inverse", rope(x, positions, table, 1, true),
              golden.bf16(name + ".y_inverse"), 1);
}

void checkAttention(const Golden &golden, Report &report) {
  for (const char *kind : {"k1", "k63", "k64", "k65", "k130", "dead", "sink_extreme", "wide",
                           "rising"}) {
    std::string name = std::string("attn.") + kind;
    Array<BF16> o = attendIndexed(golden.bf16(name + ".q"), golden.bf16(name + ".kv"),
                                  golden.f32(name + ".sink"), golden.i32(name + ".idx"));
    Array<BF16> captured = golden.bf16(name + ".o");
    report.rowUlps("attn", name + ".o", o, captured, 1);
    // Where e is rounded, and to what maximum, moves fewer bits than an ulp of the row's largest value; it
    // shows in how many elements are equal.
    report.unequalShare("attn", name + ".o", o, captured, 0.01);
  }
  for (const char *table : {"swa", "main", "tiny_swa", "tiny_main", "tiny40_main"})
    checkRope(golden, report, std::string("rope.") + table);
}

} // namespace cedilla::reference
