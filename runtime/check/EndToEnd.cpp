//===- EndToEnd.cpp - whole prompts, prefill and decode, without feeding anything -----------------===//

#include "runtime/check/EndToEnd.h"

#include "runtime/check/CompareLists.h"
#include "runtime/check/MarkRows.h"
#include "runtime/check/RunPrompt.h"
#include "runtime/base/Progress.h"

#include <algorithm>
#include <cmath>

namespace cedilla::check {

/// max |difference| of each position; counts equal best tokens.
static std::vector<double> distances(std::span<const float> got, const Capture &wanted,
                                     int64_t &argmaxEqual) {
  std::vector<double> result;
  int64_t vocab = wanted.width();
  for (int64_t row = 0; row < wanted.rows(); ++row) {
    std::span<const float> a = got.subspan(row * vocab, vocab), b = wanted.floatRow(row);
    double worst = 0;
    for (int64_t i = 0; i < vocab; ++i) {
      double distance = std::fabs(double(a[i]) - b[i]);
      worst = std::max(worst, std::isnan(distance) ? INFINITY : distance);
    }
    result.push_back(worst);
    auto best = [](std::span<const float> v) { return std::max_element(v.begin(), v.end()) - v.begin(); };
    argmaxEqual += best(a) == best(b);
  }
  return result;
}

static double medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Index lists of the prompt, whose captures have all positions (`rowOffset` 0), or of the decode steps
/// (`dec.`, one row a step).
static PositionObserver listObserver(const GoldenSet &golden, const GoldenPrompt &prompt,
                                     bool decode, Lists &lists) {
  return [&golden, &prompt, decode, &lists](const MarkView &mark, int64_t first) {
    if (mark.name != "index")
      return;
    std::string name =
        (decode ? "dec.l" : "l") + std::to_string(mark.layer) + ".index";
    int64_t rows = decode ? prompt.decodeTokens.size() : prompt.size();
    const Capture *wanted = golden.find(prompt, name, rows);
    int64_t offset = decode ? first - prompt.size() : first;
    for (int64_t row = 0; wanted && row < mark.shape[0]; ++row)
      compareIndex(lists, intRow(mark, row), wanted->intRow(offset + row), {});
  };
}

static EndReport checkPrompt(Engine &engine, const GoldenSet &golden, const GoldenPrompt &prompt,
                             int64_t slot) {
  EndReport report;
  report.prompt = prompt.name, report.size = prompt.size();
  std::vector<float> logits =
      runPrefill(engine, prompt, slot, listObserver(golden, prompt, false, report.lists));
  std::vector<double> all = distances(logits, prompt.logits, report.argmaxEqual);
  if (!prompt.decodeTokens.empty()) {
    logits = runDecode(engine, prompt, slot, listObserver(golden, prompt, true, report.decodeLists));
    std::vector<double> decode = distances(logits, prompt.decodeLogits, report.argmaxEqual);
    report.decodeMedian = medianOf(decode);
    all.insert(all.end(), decode.begin(), decode.end());
  }
  report.positions = all.size();
  report.median = medianOf(all);
  report.worst = *std::max_element(all.begin(), all.end());
  return report;
}

std::vector<EndReport> checkEndToEnd(Engine &engine, const GoldenSet &golden) {
  std::vector<EndReport> reports;
  Progress progress;
  // Another slot each time: results may not depend on where a sequence lies.
  for (const GoldenPrompt &prompt : golden.prompts()) {
    int64_t slot = reports.size() % engine.facts().maxBatch;
    progress.show([&] { return "end to end, " + prompt.name; });
    reports.push_back(checkPrompt(engine, golden, prompt, slot));
  }
  return reports;
}

} // namespace cedilla::check
