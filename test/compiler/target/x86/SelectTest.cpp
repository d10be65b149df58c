//===- SelectTest.cpp - select_topk against a sort --------------------------------------------===//

#include "Harness.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

using namespace x86test;

static const char *body = R"(
tile.kernel @select grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%s: memref<2x$Nxbf16>, %o: memref<2x$Kxi32>, %p: memref<1xi64>, %rows: index, %b: index):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pt = tile.load %p[%c0] : memref<1xi64> -> !tile.tile<1x1xi64>
  %e = tile.extract %pt[%c0, %c0] : !tile.tile<1x1xi64> -> i64
  %n = arith.index_cast %e : i64 to index
  tile.select_topk $K of %s[%c1, %c0] count %n into %o[%c1, %c0] $drop : memref<2x$Nxbf16>, memref<2x$Kxi32>
  tile.return
}
)";

namespace {
class Selector {
public:
  Selector(int64_t n, int64_t k, bool drop)
      : n(n), k(k), drop(drop), image(fill(body, {{"N", std::to_string(n)},
                                                  {"K", std::to_string(k)},
                                                  {"drop", drop ? "drop_lowest" : ""}})),
        scores(2 * n), out(2 * k), count(1) {}

  uint16_t &score(int64_t i) { return scores[n + i]; }
  void fillWith(const std::function<float(int64_t)> &value) {
    for (int64_t i = 0; i < n; ++i)
      score(i) = bf16Of(value(i));
  }

  void select(int64_t c) {
    count[0] = c;
    out.poison();
    image.run("select", {scores, out, count}, 1, {1});
  }

  void test(const std::string &what, int64_t c) {
    select(c);
    std::vector<int32_t> order(std::max<int64_t>(c, 0));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      float x = floatOf(score(a)), y = floatOf(score(b));
      return x != y ? x > y : a < b;
    });
    if (drop)
      std::erase_if(order, [&](int32_t i) { return floatOf(score(i)) == -INFINITY; });
    order.resize(std::min<int64_t>(order.size(), k));
    std::sort(order.begin(), order.end());
    order.resize(k, -1);
    for (int64_t i = 0; i < k; ++i)
      check(out[k + i] == order[i], what, ", count ", c, ", k ", k, ", slot ", i, ": expected ",
            order[i], ", got ", out[k + i]);
    for (int64_t i = 0; i < k; ++i)
      check(out[i] == -1, what, ": the row before was written");
  }

private:
  int64_t n, k;
  bool drop;
  Image image;
  Buffer<uint16_t> scores;
  Buffer<int32_t> out;
  Buffer<int64_t> count;
};
} // namespace

static void testSize(int64_t n, int64_t k, bool drop) {
  Selector s(n, k, drop);
  std::vector<int64_t> counts = {-5, 0, 1, k - 1, k, k + 1, n / 2, n - 1, n};
  auto all = [&](const char *what, const std::function<float(int64_t)> &value) {
    s.fillWith(value);
    for (int64_t c : counts)
      if (c <= n)
        s.test(what, c);
  };
  all("random", [](int64_t i) { return normal(i); });
  all("rectified", [](int64_t i) { return std::max(0.0f, normal(i)); });
  all("all equal", [](int64_t) { return 0.375f; });
  all("zeros of both signs", [](int64_t i) { return hash(i) & 1 ? 0.0f : -0.0f; });
  all("all -inf", [](int64_t) { return -INFINITY; });
  all("some -inf", [](int64_t i) { return hash(i) % 3 ? -INFINITY : normal(i); });
  all("few values", [](int64_t i) { return float(hash(i) % 5) - 2; });
  all("rising", [](int64_t i) { return float(i); });
  all("falling", [](int64_t i) { return -float(i); });
  all("all bit patterns", [](int64_t i) {
    float x = floatOf(uint16_t(hash(i)));
    return std::isnan(x) ? 0 : x;
  });
  all("one low byte", [](int64_t i) { return floatOf(uint16_t(0x3F00 + hash(i) % 256)); });
}

static Register selection("select_topk", [] {
  for (bool drop : {false, true}) {
    testSize(4096, 512, drop);
    testSize(100, 8, drop);
    testSize(37, 1, drop);
    testSize(24, 64, drop);
  }
  testSize(70000, 2048, true);
  testSize(1 << 20, 512, false);
});

/// Ties at the cut resolve to the lower position, again and again.
static Register ties("select_topk ties", [] {
  Selector s(4096, 16, true);
  s.fillWith([](int64_t i) { return i % 7 == 3 ? 2.0f : 1.0f; });
  for (int i = 0; i < 20; ++i)
    s.test("ties", 60 + i);
});

static Register speed(
    "speed select_topk",
    [] {
      for (int64_t n : {4096, 65536, 1 << 20}) {
        Selector s(n, 512, false);
        for (bool equal : {false, true}) {
          s.fillWith([&](int64_t i) { return equal ? 1.0f : normal(i); });
          double best = 1e9;
          for (int i = 0; i < 5; ++i) {
            auto start = std::chrono::steady_clock::now();
            s.select(n);
            best = std::min(
                best,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
          }
          note(std::to_string(n) + (equal ? " equal" : " random") +
               " scores: " + std::to_string(best * 1e6) + " us");
        }
      }
    },
    true);
