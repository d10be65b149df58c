//===- main.cpp - ced-bench: check and time the kernels of a bench package on a GPU -----------===//
//
// Links no LLVM. What it measures and how is in README.md.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Program.h"
#include "tools/ced-bench/Case.h"
#include "tools/ced-bench/CompileTime.h"
#include "tools/ced-bench/Replay.h"
#include "tools/ced-bench/Step.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>

using namespace cedilla;
using namespace cedilla::bench;

namespace {
struct Options {
  std::string package, filter, device = "cuda";
  std::vector<int64_t> rows = {1};
  bool verify = false, time = true, replay = false;
  InputRange range = InputRange::Usual;
  uint64_t seed = 0;
};
} // namespace

static const char *const usage =
    "usage: ced-bench <package> [options]\n"
    "  --rows 1,8,128    row counts to run with (1)\n"
    "  --verify          compare with the x86 twin in the same package, on fresh inputs\n"
    "  --replay          run the cases of a package that ced-conformance --save wrote\n"
    "  --no-time         do not time\n"
    "  --all-codes       input bytes of every value, NaN and extreme scales too: for kernels that "
    "only decode\n"
    "  --wide-scales     scales from 2^-107 to 2^20\n"
    "  --seed N          of the inputs (from the clock)\n"
    "  --filter TEXT     only programs whose name contains it\n"
    "  --device cuda:N   (cuda:0); cpu runs and compares the x86 programs with each other\n";

static int64_t parseNumber(std::string_view text, std::string_view option) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    fail(Err::Option, option, ": expected a number, got '", text, "'");
  return value;
}

static std::vector<int64_t> parseRows(std::string_view text) {
  std::vector<int64_t> rows;
  while (true) {
    size_t comma = text.find(',');
    rows.push_back(parseNumber(text.substr(0, comma), "--rows"));
    if (rows.back() == 0)
      fail(Err::Option, "--rows: expected at least 1, got 0");
    if (comma == std::string_view::npos)
      return rows;
    text.remove_prefix(comma + 1);
  }
}

static Options parseOptions(int argc, char **argv) {
  Options options;
  options.seed = std::chrono::system_clock::now().time_since_epoch().count() & 0xFFFFFF;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&]() -> std::string {
      if (i + 1 == argc || !*argv[i + 1])
        fail(Err::Option, argument, ": expected a value");
      return argv[++i];
    };
    if (argument == "--rows")
      options.rows = parseRows(value());
    else if (argument == "--verify")
      options.verify = true;
    else if (argument == "--replay")
      options.replay = true;
    else if (argument == "--no-time")
      options.time = false;
    else if (argument == "--all-codes")
      options.range = InputRange::AllCodes;
    else if (argument == "--wide-scales")
      options.range = InputRange::WideScales;
    else if (argument == "--seed")
      options.seed = parseNumber(value(), argument);
    else if (argument == "--filter")
      options.filter = value();
    else if (argument == "--device")
      options.device = value();
    else if (argument.starts_with("--") || !options.package.empty())
      fail(Err::Option, "unknown argument '", argument, "'", helpHint);
    else
      options.package = argument;
  }
  if (options.package.empty())
    fail(Err::Option, "expected a package", helpHint);
  return options;
}

static int ordinalOf(const std::string &device) {
  if (device == "cuda" || device == "cpu")
    return 0;
  if (!device.starts_with("cuda:"))
    fail(Err::DeviceName, "--device: expected cuda, cuda:N or cpu, got '", device, "'");
  return static_cast<int>(parseNumber(std::string_view(device).substr(5), "--device"));
}

/// The x86 program of the same problem; another one than `bench` itself.
static const Case *findTwin(const std::vector<Case> &cases, const Case &bench) {
  for (const Case &other : cases)
    if (other.problem == bench.problem && other.target == "x86" && &other != &bench)
      return &other;
  return nullptr;
}

namespace {
/// Everything the loop over cases needs.
struct Bench {
  const Options &options;
  const Package &package;
  std::vector<Case> cases;
  std::optional<Gpu> gpu;
  std::optional<Device> cpu;
  double copyRate = 0;
  bool good = true;
  HostBuffers inputs;
  std::string inputsOf; ///< the problem `inputs` belong to
  std::map<std::pair<std::string, int64_t>, HostBuffers>
      twins; ///< results of the twin by problem and rows

  void run(const Case &bench);
  void verify(const Case &bench, int64_t rows);
  void time(const Case &bench, int64_t rows);
};
} // namespace

void Bench::verify(const Case &bench, int64_t rows) {
  const Case *twin = findTwin(cases, bench);
  if (!twin)
    fail(Err::NotToMeasure, package.path(), ": problem '", bench.problem,
         "' has no other x86 program to compare with");
  HostBuffers &expected = twins[{bench.problem, rows}];
  if (expected.bytes.empty())
    expected = runOnCpu(package, *twin, inputs, rows, *cpu);
  HostBuffers ours = gpu ? runOnGpu(package, bench, inputs, rows, *gpu)
                         : runOnCpu(package, bench, inputs, rows, *cpu);
  Comparison comparison = compareResults(package, bench, ours, expected, rows);
  good &= comparison.good();
  std::printf("verify %s/%s/%s rows %lld: %s\n", bench.problem.c_str(), bench.target.c_str(),
              bench.config.c_str(), static_cast<long long>(rows), comparison.describe().c_str());
}

void Bench::time(const Case &bench, int64_t rows) {
  double seconds = timeOnGpu(package, bench, inputs, rows, *gpu);
  Work work = workOf(package, bench, rows);
  std::printf("time %s/%s/%s rows %lld: %.2f us, %.1f MB, %.3f TB/s (%.0f %% of the copy rate), "
              "%.2f TFLOP/s\n",
              bench.problem.c_str(), bench.target.c_str(), bench.config.c_str(),
              static_cast<long long>(rows), seconds * 1e6, work.bytes / 1e6,
              work.bytes / seconds / 1e12, 100 * work.bytes / seconds / copyRate,
              work.flops / seconds / 1e12);
}

void Bench::run(const Case &bench) {
  if (inputsOf != bench.problem) {
    twins.clear();
    inputs = makeBuffers(package, bench, options.range, options.seed);
    inputsOf = bench.problem;
  }
  for (int64_t rows : options.rows) {
    if (rows > package.manifest().facts.maxRows)
      fail(Err::Option, "--rows: ", package.path(), " is for at most ", package.manifest().facts.maxRows,
           " rows, got ", rows);
    if (options.verify)
      verify(bench, rows);
    if (options.time && gpu)
      time(bench, rows);
    std::fflush(stdout);
  }
}

static int benchMain(int argc, char **argv) {
  Options options = parseOptions(argc, argv);
  Package package(options.package);
  if (options.replay)
    return replay(package, options.device, options.filter) ? 0 : static_cast<int>(Status::Internal);
  Bench bench{options, package, readCases(package), {}, {}, 0, true, {}, {}, {}};
  int ordinal = ordinalOf(options.device);
  bench.cpu.emplace(openDevice("cpu"));
  if (options.device != "cpu") {
    bench.gpu.emplace(ordinal);
    std::printf("device: %s\n", bench.gpu->describe().c_str());
    if (options.time) {
      bench.copyRate = bench.gpu->measureCopyRate();
      std::printf("copy rate: %.2f TB/s, read and written\n", bench.copyRate / 1e12);
    }
  }
  std::printf("seed: %llu\n", static_cast<unsigned long long>(options.seed));
  std::string target = bench.gpu ? "nvptx" : "x86";
  int run = 0;
  for (const Case &each : bench.cases) {
    std::string name = each.problem + "/" + each.target + "/" + each.config;
    if (each.target != target || name.find(options.filter) == std::string::npos)
      continue;
    bench.run(each);
    ++run;
  }
  if (run == 0)
    fail(Err::NotToMeasure, options.package, ": no program of target '", target, "' matches '", options.filter, "'");
  return bench.good ? 0 : static_cast<int>(Status::Internal);
}

int main(int argc, char **argv) {
  std::string_view command = argc > 1 ? argv[1] : "";
  return runProgram([&] {
    if (command == "--help" || (argc > 2 && argv[2] == std::string_view("--help"))) {
      std::printf("%s\n%s\n%s\n%s\n", usage, stepUsage, schedulesUsage, compileUsage);
      return 0;
    }
    if (command == "step" || command == "layer" || command == "kernel")
      return stepMain(command, argc - 2, argv + 2);
    if (command == "schedules")
      return schedulesMain(argc - 2, argv + 2);
    if (command == "compile")
      return compileMain(argc - 2, argv + 2);
    return benchMain(argc, argv);
  });
}
