//===- Main.cpp - the whole of ced-run and ced-reference, but the engine --------------------------===//

#include "runtime/driver/Main.h"

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "runtime/check/GoldenCheck.h"
#include "runtime/driver/Dump.h"
#include "runtime/driver/Options.h"
#include "runtime/io/OutputFile.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace cedilla {

EngineRequest requestFor(const Options &options) {
  EngineRequest request;
  request.package = options.package;
  request.modelDir = options.modelDir;
  request.device = options.device;
  request.threads = options.threads;
  request.syntheticSeed = options.syntheticSeed;
  request.graph = options.graph;
  request.dependent = options.dependent;
  request.engram = options.engram;
  request.twin = options.twin;
  request.check = options.check;
  request.record = options.recordPath;
  request.woAFP8 = options.woAFP8;
  return request;
}

//===------------------------------------------------------------------------------------------===//
// Output
//===------------------------------------------------------------------------------------------===//

static void printTokens(const SequenceResult &result, const std::string &prefix) {
  std::printf("%sgenerated: ", prefix.c_str());
  const char *separator = "";
  for (int32_t token : result.generated()) {
    std::printf("%s%d", separator, token);
    separator = ",";
  }
  std::printf("\n");
}

static void printRate(const char *name, int64_t tokens, double seconds) {
  std::printf("%s: %" PRId64 " tokens in %.3f s, %.1f tokens/s\n", name, tokens, seconds,
              seconds > 0 ? tokens / seconds : 0.0);
}

static int64_t elementSize(DType type) {
  return type == DType::Bytes ? 1 : type == DType::BF16 ? 2 : type == DType::I64 ? 8 : 4;
}

static bool isPaged(const StateView &state) {
  return state.name.starts_with("main_kv.") || state.name.starts_with("index_k.");
}

/// Bytes that grow with each token, bytes each sequence has anyway, and what is allocated in all.
static void printCacheBytes(Engine &engine) {
  const ModelFacts &facts = engine.facts();
  double perToken = 0;
  int64_t perSlot = 0, total = 0;
  for (const StateView &state : engine.stateShapes()) {
    int64_t bytes = elementSize(state.type);
    for (int64_t dim : state.shape)
      bytes *= dim;
    total += bytes;
    if (isPaged(state))
      perToken += double(bytes) / state.shape[0] / facts.page;
    else
      perSlot += bytes / state.shape[0];
  }
  std::printf("kv bytes: %g per token, %" PRId64 " per sequence, %" PRId64 " allocated\n", perToken,
              perSlot, total);
}

//===------------------------------------------------------------------------------------------===//
// Runs
//===------------------------------------------------------------------------------------------===//

std::vector<Sequence> sequencesOf(const Options &options) {
  std::vector<Sequence> sequences;
  for (const std::vector<int32_t> &prompt : options.sequences)
    sequences.push_back({prompt, options.kinds, options.continueWith});
  return sequences;
}

/// Bits are compared, so that NaN equals itself.
static bool sameResult(const SequenceResult &a, const SequenceResult &b) {
  return a.tokens == b.tokens && a.logits.size() == b.logits.size() &&
         (a.logits.empty() ||
          std::memcmp(a.logits.data(), b.logits.data(), a.logits.size() * sizeof(float)) == 0);
}

static GenerateResult runRepeated(Engine &engine, const Options &options,
                                  const std::vector<Sequence> &sequences,
                                  const GenerateSettings &settings, const RowObserver &observer) {
  GenerateResult first = generate(engine, sequences, settings, observer);
  for (int64_t run = 2; run <= options.repeat; ++run) {
    GenerateResult again = generate(engine, sequences, settings);
    for (size_t i = 0; i < sequences.size(); ++i)
      if (!sameResult(first.sequences[i], again.sequences[i]))
        failInternal(Err::Varies, "run ", run, ": sequence ", i, " differs from run 1");
    first.timing = again.timing;
  }
  return first;
}

static int runSequences(const Options &options, const EngineFactory &makeEngine) {
  if (!options.dumpPath.empty())
    checkWritable(options.dumpPath);
  std::vector<Sequence> sequences = sequencesOf(options);
  EngineRequest request = requestFor(options);
  request.batch = sequences.size();
  for (const Sequence &sequence : sequences) {
    int64_t size = sequence.prompt.size();
    request.rows += size;
    request.context = std::max(request.context, size + options.maxNew);
  }
  std::unique_ptr<Engine> engine = makeEngine(request);

  GenerateSettings settings{options.maxNew, options.chunk, !options.dumpPath.empty(),
                            options.stepsAhead, options.sampler};
  Dump dump(engine->facts(), sequences.size(), options.dumpGolden);
  RowObserver observer;
  if (options.dumpAll)
    observer = [&](const MarkView &mark, const StepRows &rows, std::span<const size_t> of) {
      dump.observe(mark, rows, of);
    };
  GenerateResult result = runRepeated(*engine, options, sequences, settings, observer);

  for (size_t i = 0; i < result.sequences.size(); ++i)
    printTokens(result.sequences[i],
                options.manySequences ? "seq." + std::to_string(i) + " " : "");
  const Timing &timing = result.timing;
  printRate("prefill", timing.prefillTokens, timing.prefillSeconds);
  if (timing.decodeTokens)
    printRate("decode", timing.decodeTokens, timing.decodeSeconds);
  if (options.repeat > 1)
    std::printf("repeat: %" PRId64 " runs, all the same\n", options.repeat);
  printCacheBytes(*engine);
  if (!options.dumpPath.empty())
    dump.write(options.dumpPath, result.sequences, options.manySequences);
  return 0;
}

static int runGolden(const Options &options, const EngineFactory &makeEngine) {
  GoldenSet golden(options.goldenDir);
  EngineRequest request = requestFor(options);
  request.rows = request.context = golden.longest();
  std::unique_ptr<Engine> engine = makeEngine(request);
  return checkGolden(*engine, golden, options.maxMedian) ? 0 : 1;
}

/// One line for layers in a row that are alike.
static void printCounts(const std::vector<LayerKernels> &counts, const ModelFacts &facts, const char *program) {
  auto same = [&](const LayerKernels &a, const LayerKernels &b) {
    const LayerFacts &x = facts.layers[a.layer], &y = facts.layers[b.layer];
    return a.listed == b.listed && a.recorded == b.recorded && x.mode == y.mode && x.engram == y.engram;
  };
  for (size_t i = 0, end; i < counts.size(); i = end) {
    for (end = i + 1; end < counts.size() && same(counts[i], counts[end]);)
      ++end;
    const LayerKernels &count = counts[i];
    std::string layers = end - i > 1 ? "layers " + std::to_string(i) + " to " + std::to_string(end - 1) : "layer " + std::to_string(i);
    std::printf("%s: %s (%s%s): %" PRId64 " kernels in the list", program, layers.c_str(), facts.layers[i].mode.c_str(),
                facts.layers[i].engram ? ", Engram" : "", count.listed);
    if (count.recorded >= 0)
      std::printf(", %" PRId64 " nodes recorded", count.recorded);
    if (count.promised)
      std::printf(", contract %" PRId64, count.promised);
    std::printf("\n");
  }
}

static int runCount(const Options &options, const EngineFactory &makeEngine) {
  std::unique_ptr<Engine> engine = makeEngine(requestFor(options));
  int64_t promised = 0, broken = 0;
  for (bool decode : {false, true}) {
    std::vector<LayerKernels> counts = engine->countKernels(decode);
    printCounts(counts, engine->facts(), decode ? "decode" : "prefill");
    for (const LayerKernels &count : counts) {
      promised += count.promised != 0;
      broken += count.promised && (count.listed != count.promised || (count.recorded >= 0 && count.recorded != count.promised));
    }
  }
  if (!promised)
    std::printf("contract: none (compile with --schedule=paper for one)\n");
  else
    std::printf("contract: %s, %" PRId64 " of %" PRId64 " layers keep it\n", broken ? "broken" : "kept", promised - broken, promised);
  return broken ? static_cast<int>(Status::Internal) : 0;
}

static int runDriver(int argc, char **argv, const EngineFactory &makeEngine) {
  Options options = parseOptions(argc, argv);
  if (options.help) {
    std::string_view program(argv[0]);
    std::fputs(usage(program.substr(program.rfind('/') + 1)).c_str(), stdout);
    return 0;
  }
  if (options.count)
    return runCount(options, makeEngine);
  return options.goldenDir.empty() ? runSequences(options, makeEngine)
                                   : runGolden(options, makeEngine);
}

int driverMain(int argc, char **argv, const EngineFactory &makeEngine) {
  return runProgram([&] { return runDriver(argc, argv, makeEngine); });
}

} // namespace cedilla
