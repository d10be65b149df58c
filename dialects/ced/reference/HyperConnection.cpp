//===- HyperConnection.cpp - ced.hc_expand, hc_mix, hc_collapse, hc_post -------------------------===//

#include "dialects/ced/reference/HyperConnection.h"
#include "dialects/ced/reference/Loops.h"
#include "dialects/ced/reference/Norm.h"
#include "dialects/ced/reference/Quantize.h"

#include <cmath>

namespace cedilla::reference {

Expanded hcExpand(const Array<BF16> &x, int64_t streams) {
  int64_t rows = x.dim(0), d = x.cols();
  Expanded result{Array<BF16>({rows, streams, d}), Array<float>({rows, streams})};
  BF16 *stream = result.stream.mutableData();
  float *pre = result.pre.mutableData();
  for (int64_t t = 0; t < rows; ++t) {
    for (int64_t j = 0; j < streams; ++j)
      std::copy_n(x(t), d, stream + (t * streams + j) * d);
    pre[t * streams] = 1.0f;
  }
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Mixing coefficients
//===------------------------------------------------------------------------------------------===//

static float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

/// Row softmax with the row's maximum subtracted, plus eps.
static void softmaxRow(float *row, int64_t n, float eps) {
  float largest = *std::max_element(row, row + n), sum = 0.0f;
  for (int64_t j = 0; j < n; ++j)
    sum += row[j] = std::exp(row[j] - largest);
  for (int64_t j = 0; j < n; ++j)
    row[j] = row[j] / sum + eps;
}

static void normalizeRows(float *c, int64_t n, float eps) {
  for (int64_t i = 0; i < n; ++i) {
    float sum = 0.0f;
    for (int64_t j = 0; j < n; ++j)
      sum += c[i * n + j];
    for (int64_t j = 0; j < n; ++j)
      c[i * n + j] /= sum + eps;
  }
}

static void normalizeColumns(float *c, int64_t n, float eps) {
  for (int64_t j = 0; j < n; ++j) {
    float sum = 0.0f;
    for (int64_t i = 0; i < n; ++i)
      sum += c[i * n + j];
    for (int64_t i = 0; i < n; ++i)
      c[i * n + j] /= sum + eps;
  }
}

/// The softmax and the first column step count as one iteration; the last step is over columns.
static void sinkhorn(float *c, int64_t n, int64_t iters, float eps) {
  for (int64_t i = 0; i < n; ++i)
    softmaxRow(c + i * n, n, eps);
  normalizeColumns(c, n, eps);
  for (int64_t step = 1; step < iters; ++step) {
    normalizeRows(c, n, eps);
    normalizeColumns(c, n, eps);
  }
}

Mix splitMix(const Array<float> &g, const Array<float> &scale, const Array<float> &base, int64_t n,
             const MixParameters &parameters) {
  int64_t rows = g.dim(0);
  Mix mix{Array<float>({rows, n}), Array<float>({rows, n}), Array<float>({rows, n, n})};
  float *pre = mix.pre.mutableData(), *post = mix.post.mutableData(),
        *comb = mix.comb.mutableData();
  for (int64_t t = 0; t < rows; ++t) {
    const float *row = g(t);
    for (int64_t j = 0; j < n; ++j) {
      pre[t * n + j] = sigmoid(row[j] * scale[0] + base[j]) + parameters.eps;
      post[t * n + j] = 2.0f * sigmoid(row[n + j] * scale[1] + base[n + j]);
    }
    for (int64_t k = 0; k < n * n; ++k)
      comb[t * n * n + k] = row[2 * n + k] * scale[2] + base[2 * n + k];
    sinkhorn(comb + t * n * n, n, parameters.iters, parameters.eps);
  }
  return mix;
}

Mix hcMix(const Array<BF16> &stream, const Array<float> &fn, const Array<float> &scale,
          const Array<float> &base, const MixParameters &parameters) {
  int64_t rows = stream.dim(0), inputs = fn.cols(), outputs = fn.dim(0);
  std::vector<float> values = widen(stream);
  Array<float> g({rows, outputs});
  float *out = g.mutableData();
  parallelFor(rows, inputs * outputs, [&](int64_t t) {
    const float *v = &values[t * inputs];
    float inverse = inverseRms(v, inputs, parameters.normEps); // one statistic over all n*d values
    for (int64_t o = 0; o < outputs; ++o)
      out[t * outputs + o] = dot(v, fn(o), inputs) * inverse;
  });
  return splitMix(g, scale, base, stream.dim(1), parameters);
}

//===------------------------------------------------------------------------------------------===//
// Applying them
//===------------------------------------------------------------------------------------------===//

Array<BF16> hcCollapse(const Array<BF16> &stream, const Array<float> &pre) {
  int64_t rows = stream.dim(0), n = stream.dim(1), d = stream.dim(2);
  Array<BF16> result({rows, d});
  BF16 *out = result.mutableData();
  for (int64_t t = 0; t < rows; ++t)
    for (int64_t k = 0; k < d; ++k) {
      float sum = 0.0f;
      for (int64_t j = 0; j < n; ++j)
        sum += pre(t)[j] * toFloat(stream(t)[j * d + k]);
      out[t * d + k] = toBF16(sum);
    }
  return result;
}

Array<BF16> hcPost(const Array<BF16> &y, const Array<BF16> &stream, const Array<float> &post,
                   const Array<float> &comb) {
  int64_t rows = stream.dim(0), n = stream.dim(1), d = stream.dim(2);
  Array<BF16> result(stream.shape());
  BF16 *out = result.mutableData();
  for (int64_t t = 0; t < rows; ++t)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t k = 0; k < d; ++k) {
        float sum = 0.0f;
        for (int64_t i = 0; i < n; ++i)
          sum += comb(t)[i * n + j] * toFloat(stream(t)[i * d + k]);
        out[(t * n + j) * d + k] = toBF16(post(t)[j] * toFloat(y(t)[k]) + sum);
      }
  return result;
}

} // namespace cedilla::reference
