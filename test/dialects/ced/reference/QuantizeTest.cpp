//===- QuantizeTest.cpp - q8, q4i, q4m: codes, scales and values, bit for bit --------------------===//

#include "dialects/ced/reference/Quantize.h"
#include "dialects/ced/reference/Cache.h"
#include "test/dialects/ced/reference/Golden.h"

namespace cedilla::reference {

void checkQuantize(const Golden &golden, Report &report) {
  const std::pair<const char *, ScaledFormat> formats[] = {
      {"q8", formatQ8}, {"q4i", formatQ4i}, {"q4m", formatQ4m}};
  for (const auto &[group, format] : formats)
    for (const char *rows : {".edge", ".huge", ".random"}) {
      std::string name = std::string(group) + rows;
      ScaledArray quantized = quantize(golden.bf16(name + ".x"), format);
      report.exact(group, name + ".q", quantized.codes, golden.bytes(name + ".q"));
      report.exact(group, name + ".s", quantized.scales, golden.bytes(name + ".s"));
      report.exact(group, name + ".qdq", dequantize(quantized), golden.bf16(name + ".qdq"));
      ScaledArray restored = unpackRows(packRows(quantized), format, quantized.shape);
      report.exact(group, name + " packed", dequantize(restored), golden.bf16(name + ".qdq"));
    }
}

} // namespace cedilla::reference
