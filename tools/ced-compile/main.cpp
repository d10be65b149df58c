//===- main.cpp - ced-compile: a model directory in, a package out ------------------------------------===//

#include "compiler/Pipeline.h"
#include "compiler/watch/Watch.h"
#include "runtime/base/Program.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <filesystem>
#include <tuple>

using namespace cedilla;
namespace cl = llvm::cl;

static cl::OptionCategory category("ced-compile options");
static cl::opt<std::string> input(cl::Positional, cl::cat(category),
                                  cl::desc("<model-dir | config.json | IR file with --from>"));
static cl::opt<std::string> model("model", cl::cat(category), cl::value_desc("model"), cl::desc("the same as the plain argument"));
static cl::opt<std::string> bench("bench", cl::cat(category), cl::value_desc("step|layer|kernel"),
                                  cl::desc("a package for ced-bench of that name: with a kernel that measures the read rate"));
static cl::list<std::string> batches("batch", cl::cat(category), cl::CommaSeparated, cl::desc("--bench: sequences of the decode steps, as 1,8,32"));
static cl::opt<std::string> context("context", cl::cat(category), cl::value_desc("tokens"), cl::desc("--bench: tokens each sequence holds already"));
static cl::opt<std::string> prefill("prefill", cl::cat(category), cl::desc("--bench: rows of a prefill step instead of decode steps"));
static cl::opt<std::string> output("o", cl::cat(category), cl::value_desc("file.ced"),
                                   cl::desc("package to write; IR with --to ('-': standard output)"));
static cl::opt<std::string> target("target", cl::cat(category), cl::init("x86"), cl::desc("back end, as name or name:chip; several with commas, as x86:avx2,x86:avx512: a device takes the best it can run"));
static cl::opt<std::string> schedule("schedule", cl::cat(category), cl::init("auto"),
                                     cl::desc("auto, paper (the published 15 / 11 kernels of a Reuse layer, as a contract), fused (every merge that is known), split (one kernel per group), random:<seed> (merges by chance, for tests), or a file written by --to=schedule"));
static cl::opt<std::string> emitSchedule("emit-schedule", cl::cat(category), cl::value_desc("file.mlir"),
                                         cl::desc("write the schedule, too: text to edit and read back with --schedule"));
static cl::opt<std::string> emitPtx("emit-ptx", cl::cat(category), cl::value_desc("file.ptx"),
                                    cl::desc("nvptx: write the PTX, too, also where there is no ptxas to assemble it"));
static cl::opt<std::string> cache("cache", cl::cat(category), cl::value_desc("folder"),
                                  cl::desc("keep code of kernels there and take what an earlier compile has made (default: $CEDILLA_CACHE, or none)"));
static cl::opt<std::string> cacheMegabytes("cache-limit", cl::cat(category), cl::init("2048"), cl::value_desc("MiB"),
                                       cl::desc("what the cache may grow to; what was not used for longest goes first (default: 2048)"));
static cl::opt<std::string> report("report", cl::cat(category), cl::value_desc("file.json"),
                                   cl::desc("write what the compile took: seconds by phase, memory, kernels (ced-bench compile shows it)"));
static cl::opt<std::string> lineInfo("line-info", cl::cat(category), cl::value_desc("file.mlir"),
                                     cl::desc("nvptx: write the tile IR there, and let kernels say which line of it they come from, for profilers"));
static cl::opt<bool> tracePoints("trace-points", cl::cat(category), cl::desc("nvptx: kernels write down when their blocks begin, have waited and end, for ced-bench step --trace"));
static cl::opt<std::string> dumpIR("dump-ir", cl::cat(category), cl::value_desc("folder"), cl::desc("write the IR that each phase leaves, a file each"));
static cl::opt<bool> dumpPasses("dump-passes", cl::cat(category), cl::desc("--dump-ir: and the IR behind every pass that changed it"));
static cl::opt<bool> timing("timing", cl::cat(category), cl::desc("say at the end where the time went, on standard error"));
static cl::opt<std::string> reproducer("reproducer", cl::cat(category), cl::value_desc("file.mlir"),
                                       cl::desc("where a compile that fails by a fault of its own leaves the IR and the passes that failed (default: <-o>.reproducer.mlir)"));
static cl::opt<std::string> maxContext("max-context", cl::cat(category), cl::value_desc("number"),
                                   cl::desc("tokens of the longest sequence (default: 4096, or all the model allows)"));
static cl::opt<std::string> maxBatch("max-batch", cl::cat(category), cl::desc("sequences at a time (default: 8)"));
static cl::opt<std::string> maxRows("max-rows", cl::cat(category), cl::value_desc("number"),
                                cl::desc("rows of one step; longer prompts run in chunks (default: 256)"));
static cl::opt<std::string> woA("wo-a-activations", cl::cat(category), cl::init("bf16"), cl::value_desc("bf16|fp8"),
                                cl::desc("what wo_a multiplies: bf16 as the reference, or o cast to FP8 first"));
static cl::opt<std::string> engramRows("engram-rows", cl::cat(category), cl::value_desc("number"),
                                   cl::desc("a config.json's Engram tables with about that many rows each, so that they fit; for made-up weights"));
static cl::opt<std::string> to("to", cl::cat(category), cl::value_desc("phase"), cl::desc("stop after this phase and write its IR"));
static cl::opt<std::string> from("from", cl::cat(category), cl::value_desc("phase"), cl::desc("read the IR this phase takes and go on"));

/// "x86,nvptx:sm_90a"
static std::vector<TargetChoice> readTargets(llvm::StringRef text) {
  std::vector<TargetChoice> targets;
  for (llvm::StringRef each : llvm::split(text, ',')) {
    auto [name, chip] = each.split(':');
    targets.push_back({name.str(), chip.str()});
  }
  return targets;
}

/// Given with nothing behind it is not the same as not given.
static void checkGiven(const cl::opt<std::string> &option) {
  if (option.getNumOccurrences() && option.empty())
    fail(Err::Option, "--", option.ArgStr.str(), ": expected a value, got nothing");
}

/// Numbers are text to LLVM, which says in another form what is wrong with one.
static int64_t number(llvm::StringRef option, llvm::StringRef text, int64_t low) {
  int64_t value = 0;
  if (text.getAsInteger(10, value))
    fail(Err::Option, "--", option.str(), ": expected a number, got '", text.str(), "'");
  if (value < low)
    fail(Err::Option, "--", option.str(), ": expected at least ", low, ", got ", value);
  return value;
}

/// 0 stands for a limit that was not given.
static int64_t limit(const cl::opt<std::string> &option) {
  return option.getNumOccurrences() ? number(option.ArgStr, option, 1) : 0;
}

/// What --bench wants to measure, and limits that are just large enough for it where none were given.
static void readBench(CompileOptions &options) {
  if (bench.empty()) {
    if (!batches.empty() || context.getNumOccurrences() || prefill.getNumOccurrences())
      fail(Err::Option, "--batch, --context, --prefill: expected --bench with them");
    return;
  }
  if (bench != "step" && bench != "layer" && bench != "kernel")
    fail(Err::Option, "--bench: expected step, layer or kernel, got '", bench.getValue(), "'");
  if (!batches.empty() && prefill.getNumOccurrences())
    fail(Err::Option, "--batch and --prefill: expected one of the two");
  options.bench = true;
  BenchInfo &shape = options.benchShape;
  for (const std::string &batch : batches)
    shape.batches.push_back(number("batch", batch, 1));
  if (shape.batches.empty())
    shape.batches = {1};
  shape.context = context.getNumOccurrences() ? number("context", context, 0) : 0, shape.prefill = limit(prefill);
  GraphOptions &graph = options.graph;
  int64_t most = *llvm::max_element(shape.batches), rows = std::max(shape.prefill, most);
  graph.maxBatch = graph.maxBatch ? graph.maxBatch : most;
  graph.maxRows = graph.maxRows ? graph.maxRows : rows;
  int64_t tokens = shape.context + std::max<int64_t>(shape.prefill, 1);
  graph.maxContext = graph.maxContext ? graph.maxContext : tokens;
  // A package that cannot run what it is made to measure would say so on the device.
  for (auto [option, limit, needed] : {std::tuple("--max-batch", graph.maxBatch, most), {"--max-rows", graph.maxRows, rows},
                                       {"--max-context", graph.maxContext, tokens}})
    if (limit < needed)
      fail(Err::Option, option, ": expected at least ", needed, " for what --bench is to measure, got ", limit);
}

/// The environment's folder is for those who never want to say it.
static void readCache(CompileOptions &options) {
  options.cache = cache;
  if (const char *folder = std::getenv("CEDILLA_CACHE"); folder && options.cache.empty())
    options.cache = folder;
  int64_t megabytes = 0;
  if (llvm::StringRef(cacheMegabytes).getAsInteger(10, megabytes) || megabytes < 1 || megabytes > int64_t(1) << 30)
    fail(Err::Option, "--cache-limit: expected 1 to ", int64_t(1) << 30, " MiB, got '", cacheMegabytes.getValue(), "'");
  options.cacheBytes = uint64_t(megabytes) << 20;
}

/// Two outputs in one file would be one.
static void checkFiles(const CompileOptions &options) {
  std::pair<const char *, std::string> files[] = {{"-o", options.output},           {"--emit-schedule", options.emitSchedule},
                                                  {"--emit-ptx", options.emitPtx},  {"--line-info", options.lineInfo},
                                                  {"--report", options.report},     {"--reproducer", reproducer}};
  for (auto &a : files)
    for (auto &b : files) {
      std::error_code error;
      auto place = [&](const std::string &file) { return std::filesystem::weakly_canonical(std::filesystem::absolute(file), error); };
      bool named = &a < &b && !a.second.empty() && !b.second.empty() && a.second != "-" && a.second.find("/dev/") != 0;
      if (named && place(a.second) == place(b.second))
        fail(Err::Option, a.first, " and ", b.first, ": expected two files, got '", b.second, "' for both");
    }
}

/// The command line as options of the compiler.
static CompileOptions readOptions() {
  for (const cl::opt<std::string> *option : {&output, &target, &schedule, &emitSchedule, &emitPtx, &lineInfo, &dumpIR, &reproducer, &cache, &report, &to, &from, &model, &bench})
    checkGiven(*option);
  CompileOptions options;
  if (input.empty() == model.empty())
    fail(Err::Option, "expected a model, as an argument or with --model, got ", input.empty() ? "none" : "both");
  options.input = input.empty() ? model : input;
  options.output = output;
  options.targets = readTargets(target);
  options.from = from;
  options.to = to;
  options.graph.maxContext = limit(maxContext);
  options.graph.maxBatch = limit(maxBatch);
  options.graph.maxRows = limit(maxRows);
  options.graph.engramRows = limit(engramRows);
  if (woA != "bf16" && woA != "fp8")
    fail(Err::Option, "--wo-a-activations: expected bf16 or fp8, got '", woA.getValue(), "'");
  options.graph.woAFP8 = woA == "fp8";
  options.schedule = schedule;
  options.emitSchedule = emitSchedule;
  options.emitPtx = emitPtx;
  options.lineInfo = lineInfo;
  options.tracePoints = tracePoints;
  readCache(options);
  options.report = report;
  if (!options.emitPtx.empty() && (options.targets.size() > 1 || options.targets[0].name != "nvptx"))
    fail(Err::Option, "--emit-ptx: expected target nvptx alone");
  if (!options.lineInfo.empty() && (options.targets.size() > 1 || options.targets[0].name != "nvptx"))
    fail(Err::Option, "--line-info: expected target nvptx alone");
  if (options.tracePoints && (options.targets.size() > 1 || options.targets[0].name != "nvptx"))
    fail(Err::Option, "--trace-points: expected target nvptx alone");
  if (!options.emitSchedule.empty() && (options.targets.size() > 1 || isScheduleFile(schedule)))
    fail(Err::Option, "--emit-schedule: expected one target, and a schedule by name");
  if (isScheduleFile(schedule) && !options.from.empty())
    fail(Err::Option, "--schedule and --from cannot both name a file");
  readBench(options);
  checkFiles(options);
  return options;
}

static WatchOptions readWatchOptions(int argc, char **argv) {
  if (dumpPasses && dumpIR.empty())
    fail(Err::Option, "--dump-passes: expected --dump-ir with it");
  WatchOptions watch;
  for (int i = 0; i < argc; ++i)
    watch.command += (i ? " " : "") + std::string(argv[i]);
  bool file = !output.empty() && output != "-";
  watch.reproducer = !reproducer.empty() ? reproducer : file ? output + ".reproducer.mlir" : "ced-compile.reproducer.mlir";
  watch.dumpFolder = dumpIR, watch.dumpPasses = dumpPasses, watch.timing = timing;
  return watch;
}

/// A fault of ours leaves a reproducer; a user's mistake does not.
static void compileWatched(mlir::MLIRContext &context, const CompileOptions &options, const WatchOptions &watchOptions) {
  Watch watch(context, watchOptions);
  try {
    compile(context, options);
  } catch (...) {
    Error error = currentError();
    if (error.status() != Status::Internal)
      throw;
    std::string why, file = watch.writeReproducer(error.what(), why), text = error.what() + (" (" + watch.place() + ")");
    if (!file.empty())
      text += "; reproducer: " + file + " (ced-opt --run-reproducer)";
    else if (!why.empty())
      text += "; no reproducer: " + why;
    throw Error(error.number(), Status::Internal, text);
  }
}

/// A wrong command line is a user's mistake like every other one: what LLVM says of it, in our form.
static void parseCommandLine(int argc, char **argv) {
  std::string said;
  llvm::raw_string_ostream stream(said);
  if (cl::ParseCommandLineOptions(argc, argv, "ced-compile: compile a model to a package\n", &stream))
    return;
  llvm::StringRef first = llvm::StringRef(said).split('\n').first;
  first.consume_front(llvm::sys::path::filename(argv[0]).str() + ": ");
  fail(Err::Option, first.split(".  Try: ").first.str(), helpHint);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  return runProgram([&] {
    parseCommandLine(argc, argv);
    CompileOptions options = readOptions();
    WatchOptions watch = readWatchOptions(argc, argv);
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    mlir::MLIRContext context(registry);
    compileWatched(context, options, watch);
    return 0;
  });
}
