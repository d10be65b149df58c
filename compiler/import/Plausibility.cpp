//===- Plausibility.cpp - do the experts' weights have the size of weights?
//-------------------------------===//
//
// Shapes and dtypes cannot show that an exporter applied the exponent's bias twice, or that scales
// are of another format: everything loads and the model talks nonsense. The root mean square of a
// projection times the root of its fan-in is near 1.5 in every layer of the released model; a
// factor of four is worth a line.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/TensorNames.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cedilla {

static constexpr double kLowest = 0.5, kHighest = 4.0;
static constexpr int64_t kSampledRows = 64;

/// Gain of the first rows of an FP4 weight; the scale bytes are exponents, biased by 127.
static double sampledGain(const TensorView &codes, const TensorView &scales) {
  static constexpr double squares[] = {0, 0.25, 1, 2.25, 4, 9, 16, 36}; // of the E2M1 values
  int64_t rows = std::min(codes.shape[0], kSampledRows);
  int64_t bytes = codes.shape[1], blocks = scales.shape[1];
  double sum = 0;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < bytes; ++i) {
      unsigned pair = std::to_integer<unsigned>(codes.data[row * bytes + i]);
      int exponent = std::to_integer<int>(scales.data[row * blocks + i / 16]) - 127;
      sum += (squares[pair & 7] + squares[pair >> 4 & 7]) * std::ldexp(1.0, 2 * exponent);
    }
  // rms * sqrt(fan-in) = sqrt(sum / (rows * columns) * columns)
  return std::sqrt(sum / rows);
}

void warnIfImplausible(const ModelConfig &config, const Checkpoint &checkpoint,
                       CheckpointReport &report) {
  for (int64_t layer = 0; layer < config.layerCount(); ++layer) {
    std::string name = "layers." + std::to_string(layer) + ".ffn.experts.0.w1";
    double gain = sampledGain(checkpoint.get(name + ".weight"), checkpoint.get(name + ".scale"));
    if (gain >= kLowest && gain <= kHighest)
      continue;
    char text[160];
    std::snprintf(
        text, sizeof text,
        ": rms * sqrt(fan-in) is %.3g, expected about 1.5: are the scales' exponents right?", gain);
    report.warnings.push_back(name + text);
  }
}

} // namespace cedilla
