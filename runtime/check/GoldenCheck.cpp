//===- GoldenCheck.cpp - an engine against golden data ------------------------------------------------===//

#include "runtime/check/GoldenCheck.h"

#include "runtime/base/Error.h"
#include "runtime/check/EndToEnd.h"
#include "runtime/check/LayerFed.h"
#include "runtime/check/Tolerances.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace cedilla {
using namespace check;

namespace {
/// Collects what is beyond tolerance.
class Verdict {
public:
  void require(bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));
  bool print() const;

private:
  std::vector<std::string> failures;
};
} // namespace

void Verdict::require(bool holds, const char *format, ...) {
  if (holds)
    return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  failures.push_back(text);
}

bool Verdict::print() const {
  for (const std::string &failure : failures)
    std::printf("beyond tolerance: %s\n", failure.c_str());
  std::printf("golden check: %s\n", failures.empty() ? "passed" : "FAILED");
  return failures.empty();
}

//===------------------------------------------------------------------------------------------===//
// Layer-fed
//===------------------------------------------------------------------------------------------===//

static std::string fraction(const Lists &lists) {
  return lists.total ? std::to_string(lists.equal) + "/" + std::to_string(lists.total) : "-";
}

static std::string share(const Difference &difference) {
  char text[32] = "-";
  if (difference.elements)
    std::snprintf(text, sizeof(text), "%.2f%%", 100 * difference.equalShare());
  return text;
}

static std::string l2(const Difference &difference) {
  char text[32] = "-";
  if (difference.elements)
    std::snprintf(text, sizeof(text), "%.1e", difference.relativeL2());
  return text;
}

static void printLayers(const FedReport &report) {
  std::string names;
  for (const std::string &name : report.prompts)
    names += " " + name;
  std::printf("each layer fed with captured inputs:%s\n", names.c_str());
  std::printf("layer  x equal   ulps  rel. L2  pre max  attn L2   ffn L2  scores    caches  "
              "   lists  candidates   experts\n");
  for (size_t i = 0; i < report.layers.size(); ++i) {
    const LayerReport &l = report.layers[i];
    std::printf("%5zu  %7s  %5.2f  %7s  %7.1e  %7s  %7s  %7s  %7s  %8s  %10s  %8s\n", i,
                share(l.stream).c_str(), l.stream.worstUlps, l2(l.stream).c_str(),
                l.pre.worstAbsolute, l2(l.attn).c_str(), l2(l.ffn).c_str(), share(l.score).c_str(),
                share(l.caches).c_str(), fraction(l.index).c_str(), fraction(l.candidates).c_str(),
                fraction(l.experts).c_str());
  }
}

/// The sum of all layers, and the layer that is furthest off.
static void printWorst(const FedReport &report) {
  LayerReport sum;
  size_t worst = 0;
  for (size_t i = 0; i < report.layers.size(); ++i) {
    const LayerReport &l = report.layers[i];
    sum.stream.add(l.stream), sum.pre.add(l.pre), sum.caches.add(l.caches), sum.score.add(l.score);
    sum.index.add(l.index), sum.candidates.add(l.candidates), sum.experts.add(l.experts);
    if (l.stream.relativeL2() > report.layers[worst].stream.relativeL2())
      worst = i;
  }
  const Difference &x = report.layers[worst].stream;
  std::printf("worst layer: %zu, relative L2 %.1e, %.2f%% equal, %.2f ulps of the row's largest\n",
              worst, x.relativeL2(), 100 * x.equalShare(), x.worstUlps);
  std::printf("all layers: x %.3f%% equal, caches %s equal, scores %s equal, lists %s, candidates "
              "%s, experts %s, engram rows %s equal, logits relative L2 %s\n",
              100 * sum.stream.equalShare(), share(sum.caches).c_str(), share(sum.score).c_str(),
              fraction(sum.index).c_str(), fraction(sum.candidates).c_str(),
              fraction(sum.experts).c_str(), fraction(report.engramRows).c_str(),
              l2(report.logits).c_str());
}

static void judgeLists(Verdict &verdict, size_t layer, const char *what, const Lists &lists) {
  verdict.require(lists.unexplained() <= maxListsUnequal * lists.total,
                  "layer %zu: %" PRId64 " of %" PRId64 " %s differ, expected at most %g %%", layer,
                  lists.unexplained(), lists.total, what, 100 * maxListsUnequal);
}

/// What the limits of shares and means are meant for, see fewPositions.
static Difference usualPositions(Verdict &verdict, size_t layer, const char *what, const PositionDifference &all) {
  if (all.positions >= fewPositions)
    return all;
  verdict.require(all.worst.relativeL2() <= maxPositionL2, "layer %zu: %s: relative L2 %.1e in one position, expected at most %.1e",
                  layer, what, all.worst.relativeL2(), maxPositionL2);
  return all.withoutWorst();
}

static void judgeLayer(Verdict &verdict, size_t i, const LayerReport &l) {
  for (const auto &[name, stream] : {std::pair{"x", &l.stream}, {"engram_x", &l.engram}}) {
    Difference usual = usualPositions(verdict, i, name, *stream), *x = &usual;
    verdict.require(x->equalShare() >= minStreamEqual,
                    "layer %zu: %s: %.2f %% equal, expected at least %g %%", i, name,
                    100 * x->equalShare(), 100 * minStreamEqual);
    verdict.require(x->worstUlps <= maxStreamUlps,
                    "layer %zu: %s: %.2f ulps of the row's largest, expected at most %g", i, name,
                    x->worstUlps, maxStreamUlps);
    verdict.require(x->relativeL2() <= maxStreamL2,
                    "layer %zu: %s: relative L2 %.1e, expected at most %.1e", i, name,
                    x->relativeL2(), maxStreamL2);
  }
  verdict.require(l.pre.worstAbsolute <= maxPre, "layer %zu: pre: %.1e off, expected at most %.1e",
                  i, l.pre.worstAbsolute, maxPre);
  for (const auto &[name, sublayer] : {std::pair{"attn", &l.attn}, {"ffn", &l.ffn}}) {
    Difference y = usualPositions(verdict, i, name, *sublayer);
    verdict.require(y.relativeL2() <= maxSublayerL2, "layer %zu: %s: relative L2 %.1e, expected at most %.1e", i, name,
                    y.relativeL2(), maxSublayerL2);
  }
  verdict.require(l.weights.worstAbsolute <= maxWeights,
                  "layer %zu: expert weights: %.1e off, expected at most %.1e", i,
                  l.weights.worstAbsolute, maxWeights);
  verdict.require(l.caches.equalShare() >= minCacheEqual,
                  "layer %zu: caches: %.2f %% equal, expected at least %g %%", i,
                  100 * l.caches.equalShare(), 100 * minCacheEqual);
  verdict.require(l.open.relativeL2() <= maxOpenL2,
                  "layer %zu: open group: relative L2 %.1e, expected at most %.1e", i,
                  l.open.relativeL2(), maxOpenL2);
  judgeLists(verdict, i, "index lists", l.index);
  judgeLists(verdict, i, "candidate masks", l.candidates);
  judgeLists(verdict, i, "expert lists", l.experts);
}

//===------------------------------------------------------------------------------------------===//
// End to end
//===------------------------------------------------------------------------------------------===//

namespace {
struct Mean {
  double sum = 0;
  int64_t count = 0;
  void add(double value) { sum += value, ++count; }
  double value() const { return count ? sum / count : 0; }
};
} // namespace

static double limitFor(const ModelFacts &facts) {
  for (const MedianLimit &entry : medianLimits)
    if (int64_t(facts.layers.size()) <= entry.layers)
      return entry.limit;
  return 0;
}

static void printAndJudgeEnd(Verdict &verdict, const ModelFacts &facts,
                             const std::vector<EndReport> &reports, double limit) {
  std::printf("\nend to end (|dlogit|: the largest of a position)\n");
  std::printf("prompt   positions  median |dlogit|  in decode    worst  argmax equal        lists  "
              "decode lists\n");
  int64_t window = 0;
  for (const LayerFacts &layer : facts.layers)
    window = std::max(window, layer.window);
  Mean all, longer;
  int64_t positions = 0, argmaxEqual = 0;
  for (const EndReport &r : reports) {
    std::printf("%-8s %9" PRId64 "  %15.4f  %9.4f  %7.3f  %11.1f%%  %11s  %12s\n", r.prompt.c_str(),
                r.positions, r.median, r.decodeMedian, r.worst,
                100.0 * r.argmaxEqual / r.positions, fraction(r.lists).c_str(),
                fraction(r.decodeLists).c_str());
    all.add(r.median);
    if (r.size > window)
      longer.add(r.median);
    positions += r.positions, argmaxEqual += r.argmaxEqual;
  }
  std::printf("mean of medians: %.4f (limit %g), of prompts longer than the window: %.4f, argmax "
              "equal: %.1f%%\n",
              all.value(), limit, longer.value(), 100.0 * argmaxEqual / positions);
  verdict.require(all.value() <= limit, "mean of medians of max |dlogit|: %.4f, expected at most %g",
                  all.value(), limit);
}

bool checkGolden(Engine &engine, const GoldenSet &golden, std::optional<double> maxMedian) {
  if (std::string how = engine.departs(); !how.empty())
    fail(Err::Option, "--check-golden: the numbers are not the reference's: ", how);
  golden.checkAgainst(engine.facts());
  Verdict verdict;

  FedReport fed = checkLayerFed(engine, golden);
  printLayers(fed);
  printWorst(fed);
  for (size_t i = 0; i < fed.layers.size(); ++i)
    judgeLayer(verdict, i, fed.layers[i]);
  verdict.require(fed.engramRows.equal == fed.engramRows.total,
                  "%" PRId64 " of %" PRId64 " rows of Engram indices differ",
                  fed.engramRows.total - fed.engramRows.equal, fed.engramRows.total);
  verdict.require(fed.logits.relativeL2() <= maxLogitsL2,
                  "logits of the captured last layer: relative L2 %.1e, expected at most %.1e",
                  fed.logits.relativeL2(), maxLogitsL2);
  std::fflush(stdout);

  printAndJudgeEnd(verdict, engine.facts(), checkEndToEnd(engine, golden),
                   maxMedian.value_or(limitFor(engine.facts())));
  return verdict.print();
}

} // namespace cedilla
