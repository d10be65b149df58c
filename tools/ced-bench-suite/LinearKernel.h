//===- LinearKernel.h - block-scaled products for the bench, as tile text ---------------------===//

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cedilla::bench {

/// y[t, n] = sum_k x[t, k] w[n, k]; x is E4M3 with a scale per 1x32, w E4M3 (scale per 32x32) or
/// E2M1 (per 1x32).
struct LinearProblem {
  int64_t n = 0, k = 0;
  bool fp4 = false;
  std::string name() const; ///< "linear_e4m3_5120x8192"
};

/// One way to build it. Keys of `extra` go into the kernel's config as they are.
struct LinearConfig {
  int64_t blockN = 32, blockM = 8, blockK = 128, warps = 4, stages = 3;
  std::vector<std::pair<std::string, int64_t>> extra;
  std::string instruction; ///< empty: the target chooses
  bool dependent =
      false; ///< weights are marked as constants, so it may begin before its predecessor ends
  std::string name() const; ///< "32x8x128w4s3"
};

/// A tile.kernel of that name, the body of kernels-gen/linear for full tiles.
std::string writeLinearKernel(const std::string &name, const LinearProblem &problem,
                              const LinearConfig &config);

} // namespace cedilla::bench
