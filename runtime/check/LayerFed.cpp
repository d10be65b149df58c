//===- LayerFed.cpp - every layer fed with the captured input ----------------------------------------===//

#include "runtime/check/LayerFed.h"

#include "runtime/base/Error.h"
#include "runtime/check/CacheCheck.h"
#include "runtime/check/CompareLists.h"
#include "runtime/check/MarkRows.h"
#include "runtime/check/RunPrompt.h"
#include "runtime/base/Progress.h"

#include <algorithm>
#include <cmath>

namespace cedilla::check {

namespace {
/// One prompt's marks.
class Feeder {
public:
  Feeder(Engine &engine, const GoldenSet &golden, const GoldenPrompt &prompt, FedReport &report)
      : facts(engine.facts()), golden(golden), prompt(prompt), report(report) {}

  void observe(const MarkView &mark, int64_t first);

private:
  const Capture *capture(const MarkView &mark, const char *name) const {
    return golden.find(prompt, mark.layer, name, prompt.size());
  }
  void compare(const MarkView &mark, int64_t first, const Capture *wanted, int64_t rowsPerPosition,
               PositionDifference &difference);
  void feed(const MarkView &mark, int64_t first, const Capture &captured);
  void index(const MarkView &mark, int64_t first, LayerReport &layer);
  void score(const MarkView &mark, int64_t first, LayerReport &layer);
  void candidates(const MarkView &mark, int64_t first, LayerReport &layer);
  void experts(const MarkView &mark, int64_t first, LayerReport &layer);
  void engramRows(const MarkView &mark, int64_t first);

  const ModelFacts &facts;
  const GoldenSet &golden;
  const GoldenPrompt &prompt;
  FedReport &report;
};
} // namespace

/// A stream's rows are compared one by one: the tolerance is in ulps of the row's largest value.
void Feeder::compare(const MarkView &mark, int64_t first, const Capture *wanted,
                     int64_t rowsPerPosition, PositionDifference &difference) {
  if (!wanted)
    return;
  checkWidth(mark, wanted->width());
  int64_t width = wanted->width() / rowsPerPosition;
  for (int64_t row = 0; row < mark.shape[0]; ++row) {
    std::vector<float> got = floatRow(mark, row);
    Difference position;
    for (int64_t part = 0; part < rowsPerPosition; ++part)
      position.addRow(std::span(got).subspan(part * width, width),
                      wanted->floatRow(first + row).subspan(part * width, width));
    difference.addPosition(position);
  }
}

void Feeder::feed(const MarkView &mark, int64_t first, const Capture &captured) {
  for (int64_t row = 0; row < mark.shape[0]; ++row)
    writeRow(mark, row, captured.floatRow(first + row));
}

void Feeder::index(const MarkView &mark, int64_t first, LayerReport &layer) {
  const Capture *wanted = capture(mark, "index"), *scores = capture(mark, "index_score");
  if (!wanted)
    return;
  for (int64_t row = 0; row < mark.shape[0]; ++row)
    compareIndex(layer.index, intRow(mark, row), wanted->intRow(first + row),
                 scores ? scores->floatRow(first + row) : std::span<const float>());
}

/// Only entries that the reference scored: behind them an engine may have any number of columns.
void Feeder::score(const MarkView &mark, int64_t first, LayerReport &layer) {
  const Capture *wanted = capture(mark, "index_score");
  if (!wanted)
    return;
  for (int64_t row = 0; row < mark.shape[0]; ++row) {
    std::vector<float> got = floatRow(mark, row), gotPart, wantedPart;
    std::span<const float> all = wanted->floatRow(first + row);
    for (size_t j = 0; j < all.size(); ++j) {
      if (std::isinf(all[j]))
        continue;
      gotPart.push_back(j < got.size() ? got[j] : -INFINITY);
      wantedPart.push_back(all[j]);
    }
    layer.score.addRow(gotPart, wantedPart);
  }
}

void Feeder::candidates(const MarkView &mark, int64_t first, LayerReport &layer) {
  const Capture *wanted = capture(mark, "candidates");
  for (int64_t row = 0; wanted && row < mark.shape[0]; ++row)
    compareCandidates(layer.candidates, intRow(mark, row), wanted->intRow(first + row), first + row,
                      facts.layers[mark.layer], facts.candidateBlockSize);
}

void Feeder::experts(const MarkView &mark, int64_t first, LayerReport &layer) {
  const Capture *wanted = capture(mark, "route_id");
  for (int64_t row = 0; wanted && row < mark.shape[0]; ++row)
    compareExperts(layer.experts, intRow(mark, row), wanted->intRow(first + row));
}

void Feeder::engramRows(const MarkView &mark, int64_t first) {
  const Capture *wanted = golden.find(prompt, "engram_rows", prompt.size());
  for (int64_t row = 0; wanted && row < mark.shape[0]; ++row) {
    std::vector<int32_t> got = intRow(mark, row);
    std::span<const int32_t> expected = wanted->intRow(first + row);
    report.engramRows.add(std::equal(got.begin(), got.end(), expected.begin(), expected.end()));
  }
}

void Feeder::observe(const MarkView &mark, int64_t first) {
  if (mark.name == "engram_rows")
    return engramRows(mark, first);
  if (mark.layer < 0 || mark.layer >= int64_t(report.layers.size()))
    return;
  LayerReport &layer = report.layers[mark.layer];
  if (mark.name == "stream" || mark.name == "pre") {
    bool stream = mark.name == "stream";
    const Capture *captured = capture(mark, stream ? "x" : "pre");
    compare(mark, first, captured, stream ? facts.streams : 1, stream ? layer.stream : layer.pre);
    feed(mark, first, *captured);
    (stream ? layer.sawStream : layer.sawPre) = true;
  } else if (mark.name == "engram_x") {
    compare(mark, first, capture(mark, "engram_x"), facts.streams, layer.engram);
  } else if (mark.name == "attn") {
    compare(mark, first, capture(mark, "attn"), 1, layer.attn);
  } else if (mark.name == "ffn") {
    compare(mark, first, capture(mark, "ffn"), 1, layer.ffn);
  } else if (mark.name == "route_w") {
    compare(mark, first, capture(mark, "route_w"), 1, layer.weights);
  } else if (mark.name == "route_id") {
    experts(mark, first, layer);
  } else if (mark.name == "index") {
    index(mark, first, layer);
  } else if (mark.name == "index_score") {
    score(mark, first, layer);
  } else if (mark.name == "candidates") {
    candidates(mark, first, layer);
  }
}

FedReport checkLayerFed(Engine &engine, const GoldenSet &golden) {
  FedReport report;
  report.layers.resize(engine.facts().layers.size());
  Progress progress;
  int64_t slot = 0;
  for (const GoldenPrompt &prompt : golden.prompts()) {
    if (!prompt.hasAllRows())
      continue;
    Feeder feeder(engine, golden, prompt, report);
    std::vector<float> logits = runPrefill(engine, prompt, slot, [&](const MarkView &mark,
                                                                     int64_t first) {
      feeder.observe(mark, first);
      progress.show([&] {
        return "layer-fed, " + prompt.name + ": layer " + std::to_string(mark.layer);
      });
    });
    for (int64_t row = 0, vocab = engine.facts().vocab; row < prompt.size(); ++row)
      report.logits.addRow(std::span(logits).subspan(row * vocab, vocab),
                           prompt.logits.floatRow(row));
    compareCaches(engine, golden, prompt, slot, report);
    report.prompts.push_back(prompt.name);
    slot = (slot + 1) % engine.facts().maxBatch;
  }
  if (report.prompts.empty())
    fail(Err::GoldenData, golden.path(), ": expected at least one prompt whose rows are all captured");
  for (size_t i = 0; i < report.layers.size(); ++i)
    if (!report.layers[i].sawStream || !report.layers[i].sawPre)
      failInternal("the engine does not mark 'stream' and 'pre' of layer ", i);
  return report;
}

} // namespace cedilla::check
