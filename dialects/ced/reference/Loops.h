//===- Loops.h - the dot product and the parallel loop that the ops share ------------------------===//

#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace cedilla::reference {

/// f32 dot product in one fixed order: eight partial sums by position modulo 8, then pairwise. The fixed
/// order keeps results independent of rows, threads and machine, and lets the compiler use vectors.
inline float dot(const float *a, const float *b, int64_t n) {
  float sum[8] = {};
  int64_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (int lane = 0; lane < 8; ++lane)
      sum[lane] += a[k + lane] * b[k + lane];
  for (int lane = 0; k < n; ++k, ++lane)
    sum[lane] += a[k] * b[k];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/// Calls body(i) for i in [0, count), on several threads when there is enough work. `work` is a rough
/// number of multiplications per call. Calls are independent, so their distribution changes no result.
/// What a call throws is thrown again here.
template <typename Body>
void parallelFor(int64_t count, int64_t work, const Body &body) {
  constexpr int64_t worthAThread = 1 << 20;
  int64_t threads = std::min<int64_t>({std::max(1u, std::thread::hardware_concurrency()),
                                       count * work / worthAThread, count});
  auto part = [&](int64_t p, int64_t parts) {
    for (int64_t i = count * p / parts, end = count * (p + 1) / parts; i < end; ++i)
      body(i);
  };
  if (threads <= 1)
    return part(0, 1);

  std::vector<std::exception_ptr> thrown(threads);
  auto guarded = [&](int64_t p) {
    try {
      part(p, threads);
    } catch (...) {
      thrown[p] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> pool;
    for (int64_t p = 1; p < threads; ++p)
      pool.emplace_back(guarded, p);
    guarded(0);
  }
  for (const std::exception_ptr &exception : thrown)
    if (exception)
      std::rethrow_exception(exception);
}

} // namespace cedilla::reference
