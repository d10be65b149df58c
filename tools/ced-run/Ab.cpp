//===- Ab.cpp - one input, two ways, the first bit that differs ------------------------------------===//
//
// The second way is given the tokens that the first one chose: it is the same input to the last step, and the first
// value that differs is where the two part.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/ced-run/Ab.h"

#include "runtime/base/Error.h"
#include "runtime/debug/StepLog.h"
#include "runtime/debug/Trace.h"

#include <cinttypes>
#include <cstdio>

namespace cedilla {

using namespace debug;

//===------------------------------------------------------------------------------------------===//
// Ways
//===------------------------------------------------------------------------------------------===//

static GenerateSettings settingsOf(const Options &options) {
  GenerateSettings settings;
  settings.maxNew = options.maxNew;
  settings.chunk = options.chunk;
  settings.keepLogits = true; // the last token is run, too, and nothing runs ahead
  settings.sampler = options.sampler;
  return settings;
}

static std::vector<Sequence> again(const std::vector<Sequence> &sequences, const GenerateResult &result) {
  std::vector<Sequence> same = sequences;
  for (size_t i = 0; i < same.size(); ++i) {
    std::span<const int32_t> tokens = result.sequences[i].generated();
    same[i].forced.assign(tokens.begin(), tokens.end());
    same[i].maxNew = tokens.size(); // one that ended at a stop token goes no further
  }
  return same;
}

static void runAlone(TraceEngine &engine, const std::vector<Sequence> &sequences, const GenerateSettings &settings) {
  for (size_t i = 0; i < sequences.size(); ++i) {
    engine.beginSequences(i);
    generate(engine, {sequences[i]}, settings);
  }
}

/// The prompt but for its first token is given to the decode program, one token a step.
static std::vector<Sequence> decoded(std::vector<Sequence> sequences) {
  for (Sequence &sequence : sequences) {
    if (!sequence.kinds.empty())
      fail(Err::Option, "--ab decode: not with --kinds: a decoded token is text");
    sequence.forced.insert(sequence.forced.begin(), sequence.prompt.begin() + 1, sequence.prompt.end());
    sequence.maxNew += sequence.prompt.size() - 1;
    sequence.prompt.resize(1);
  }
  return sequences;
}

//===------------------------------------------------------------------------------------------===//
// What was found
//===------------------------------------------------------------------------------------------===//

/// Whether the kernel's class (DESIGN: run, batch, phase) says that the two ways give the same.
static bool promises(const std::string &promise, const std::string &way) {
  if (way == "again" || way == "graph" || promise == "phase")
    return way.find(".ced") == std::string::npos;
  return way == "alone" && promise == "batch";
}

static void printFirst(const TraceComparison &comparison, const std::string &way) {
  const TraceComparison::Difference &d = *comparison.first;
  std::printf("first difference: %s step %" PRId64 ", %s: '%s' of sequence %" PRId64 ", position %" PRId64
              ": %zu of %zu elements, the first is %zu: %s, got %s\n",
              d.itemA->decode ? "decode" : "prefill", d.itemA->step, d.a->where.c_str(), d.a->value.c_str(), d.itemA->sequence,
              d.itemA->position, d.different, d.elements, d.first, d.foundA.c_str(), d.foundB.c_str());
  if (d.a->where != d.b->where)
    std::printf("the other way: %s step %" PRId64 ", %s\n", d.itemB->decode ? "decode" : "prefill", d.itemB->step, d.b->where.c_str());
  std::printf("its class is '%s', which %s this\n", d.a->promise.c_str(), promises(d.a->promise, way) ? "promises" : "does not promise");
}

static int report(const Trace &a, const Trace &b, const std::string &way) {
  TraceComparison comparison = compareTraces(a, b);
  if (comparison.compared == 0)
    fail(Err::NotToMeasure, "--ab ", way, ": the two ways have no value in common: expected packages that name their values");
  std::printf("ab %s: %zu rows of values compared, %zu different, %zu on one side only\n", way.c_str(), comparison.compared,
              comparison.different, comparison.unmatched);
  if (!comparison.first) {
    std::printf("all bits are equal\n");
    return 0;
  }
  printFirst(comparison, way);
  return static_cast<int>(Status::Internal);
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

static int runGraph(EngineRequest request, const Options &options, const OpenPackage &open) {
  std::vector<Sequence> sequences = sequencesOf(options);
  request.graph = true;
  std::unique_ptr<PackageEngine> engine = open(request);
  if (!engine->runsOn().records())
    fail(Err::Option, "--ab graph: expected a device that records steps, got '", request.device, "'");
  StepLog replayed(std::move(engine));
  GenerateResult result = generate(replayed, sequences, settingsOf(options));
  request.graph = false;
  StepLog launched(open(request));
  generate(launched, again(sequences, result), settingsOf(options));
  std::string found = differenceOfLogs(launched, replayed, launched.stateShapes());
  std::printf("ab graph: logits, caches and states of %zu steps compared\n", launched.steps.size());
  std::printf("%s\n", found.empty() ? "all bits are equal" : ("first difference: " + found).c_str());
  return found.empty() ? 0 : static_cast<int>(Status::Internal);
}

int runAb(const Options &options, const OpenPackage &open) {
  EngineRequest request = requestFor(options);
  const std::string &way = options.ab;
  if (way == "graph")
    return runGraph(request, options, open);

  Trace a, b;
  bool other = way.ends_with(".ced");
  std::vector<Sequence> sequences = sequencesOf(options);
  GenerateSettings settings = settingsOf(options);
  auto engine = std::make_unique<TraceEngine>(open(request), a, /*unnamed=*/way == "again");
  std::vector<Sequence> same = again(sequences, generate(*engine, sequences, settings));

  if (other) {
    engine.reset(); // two models may not fit
    request.package = way;
    engine = std::make_unique<TraceEngine>(open(request), b, /*unnamed=*/false);
  } else {
    engine->traceInto(b);
  }
  engine->beginSequences(0);
  if (way == "alone") {
    runAlone(*engine, same, settings);
  } else if (way == "decode") {
    same = decoded(std::move(same));
    runAlone(*engine, same, settings);
  } else {
    settings.chunk = options.abChunk ? options.abChunk : settings.chunk;
    generate(*engine, same, settings);
  }
  return report(a, b, way);
}

} // namespace cedilla
