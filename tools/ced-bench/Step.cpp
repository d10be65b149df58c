//===- Step.cpp - timing whole steps and the kernels inside them --------------------------------===//

#include "tools/ced-bench/Step.h"

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "runtime/io/OutputFile.h"
#include "tools/ced-bench/Gpu.h"
#include "tools/ced-bench/TraceFile.h"
#include "tools/ced-bench/Traffic.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <tuple>

namespace cedilla::bench {

const char *const stepUsage =
    "usage: ced-bench step|layer|kernel <package> [options]\n"
    "  step: whole steps; kernel: every kernel of a step; layer: the same, and sums per kind of layer\n"
    "  what to measure is said here, or when the package was made (ced-compile --bench):\n"
    "  --batch 1,8,32     decode steps of so many sequences (1)\n"
    "  --prefill ROWS     a prefill step of one sequence instead\n"
    "  --context N        tokens each sequence holds already (decode: 4095 or what fits; prefill: 0)\n"
    "  --weights DIR      a checkpoint; without it weights are made up\n"
    "  --seed N           of weights, caches and tokens (1)\n"
    "  --repeats N        timed runs (20)\n"
    "  --device cuda:N    (cuda:0), or cpu\n"
    "  --no-graph, --no-dependent   as for ced-run\n"
    "  --each             layer: a line per dispatch, not per kernel\n"
    "  --trace FILE       a timeline of one more step of the first shape, for Perfetto (ced-compile --trace-points)\n"
    "  --json [FILE]      one JSON object instead of lines";

//===------------------------------------------------------------------------------------------===//
// Command line
//===------------------------------------------------------------------------------------------===//

int64_t parseNumber(std::string_view text, std::string_view option, int64_t low) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low)
    fail(Err::Option, option, ": expected a number of at least ", low, ", got '", text, "'");
  return value;
}

static std::vector<int64_t> parseList(std::string_view text, std::string_view option) {
  std::vector<int64_t> list;
  for (size_t comma = 0; comma != std::string_view::npos;) {
    comma = text.find(',');
    list.push_back(parseNumber(text.substr(0, comma), option, 1));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return list;
}

static StepOptions parseOptions(int argc, char **argv) {
  StepOptions o;
  for (int i = 0; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&]() -> std::string {
      if (i + 1 == argc || !*argv[i + 1])
        fail(Err::Option, argument, ": expected a value");
      return argv[++i];
    };
    if (argument == "--batch")
      o.batches = parseList(value(), argument);
    else if (argument == "--prefill")
      o.prefill = parseNumber(value(), argument, 1);
    else if (argument == "--context")
      o.context = parseNumber(value(), argument, 0);
    else if (argument == "--seed")
      o.seed = parseNumber(value(), argument, 0);
    else if (argument == "--repeats")
      o.repeats = int(std::min<int64_t>(parseNumber(value(), argument, 1), 1000000));
    else if (argument == "--weights")
      o.weights = value();
    else if (argument == "--package" && o.package.empty())
      o.package = value();
    else if (argument == "--device")
      o.device = value();
    else if (argument == "--trace")
      o.traceFile = value();
    else if (argument == "--no-graph")
      o.graph = false;
    else if (argument == "--no-dependent")
      o.dependent = false;
    else if (argument == "--each")
      o.each = true;
    else if (argument == "--json") {
      o.json = true;
      if (i + 1 < argc && argv[i + 1][0] != '-' && !o.package.empty())
        o.jsonFile = argv[++i];
    }
    else if (argument.starts_with("--") || !o.package.empty())
      fail(Err::Option, "unknown argument '", argument, "'", helpHint);
    else
      o.package = argument;
  }
  if (!o.batches.empty() && o.prefill)
    fail(Err::Option, "--batch and --prefill: expected one of the two");
  if (o.package.empty())
    fail(Err::Option, "expected a package", helpHint);
  return o;
}

//===------------------------------------------------------------------------------------------===//
// Measuring
//===------------------------------------------------------------------------------------------===//

namespace {
struct Bench {
  const StepOptions &options;
  const Manifest &manifest;
  PackageEngine &engine;
  double copyRate, readRate; ///< bytes per second; 0: not measured
  nlohmann::json report;

  void prepare(const StepShape &shape);
  ExpertCounts countExperts(const StepShape &shape, const StepRows &rows);
  void timeStep(const StepShape &shape);
  void printStep(const StepShape &shape, const nlohmann::json &step) const;
  void timeKernels(const StepShape &shape);
  void printLayerKinds(const nlohmann::json &dispatches);
  /// "85 % of the read rate"; of the copy rate where no other was measured; or nothing.
  std::string share(double bytes, double seconds) const;
};

/// A line of `layer`: dispatches of one kernel that do the same.
struct Line {
  std::string kernel, what;
  int64_t count = 0;
  double seconds = 0, bytes = 0;
};
} // namespace

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void Bench::prepare(const StepShape &shape) {
  for (int64_t slot = 0; slot < shape.sequences; ++slot)
    engine.pretendLength(slot, shape.context);
}

/// Runs the step once, watched.
ExpertCounts Bench::countExperts(const StepShape &shape, const StepRows &rows) {
  std::map<int64_t, std::set<int32_t>> chosen;
  std::vector<float> logits(rows.size() * manifest.facts.vocab);
  engine.step(rows, shape.decode, logits, [&](const MarkView &mark) {
    if (mark.name != "route_id")
      return;
    auto *ids = static_cast<const int32_t *>(mark.data);
    chosen[mark.layer].insert(ids, ids + mark.shape[0] * mark.shape[1]);
  });
  prepare(shape); // the step moved the sequences on
  ExpertCounts counts;
  for (const auto &[layer, ids] : chosen)
    counts[layer] = int64_t(ids.size());
  return counts;
}

std::string Bench::share(double bytes, double seconds) const {
  double rate = readRate != 0 ? readRate : copyRate;
  if (rate == 0 || seconds <= 0)
    return "";
  char text[64];
  std::snprintf(text, sizeof text, ", %.0f %% of the %s rate", 100 * bytes / seconds / rate,
                readRate != 0 ? "read" : "copy");
  return text;
}

static const char *nameOf(const StepShape &shape) { return shape.decode ? "decode" : "prefill"; }

static nlohmann::json describe(const StepShape &shape) {
  return {{"program", nameOf(shape)}, {"batch", shape.sequences}, {"rows", shape.rows()},
          {"context", shape.context}};
}

void Bench::timeStep(const StepShape &shape) {
  prepare(shape);
  StepRows rows = rowsOf(shape, manifest.facts, options.seed);
  ExpertCounts experts = countExperts(shape, rows);
  double bytes = 0;
  for (const StepInfo &step : engine.program(shape.decode).steps)
    if (step.op == "dispatch")
      bytes += bytesOf(manifest, step, shape, experts);
  engine.timeStep(rows, shape.decode, 3); // warms up, records
  std::vector<double> seconds = engine.timeStep(rows, shape.decode, options.repeats);
  auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  double middle = median(seconds);
  RecordedWork work = options.graph ? engine.countWork(shape.rows(), shape.decode) : RecordedWork();
  nlohmann::json entry = describe(shape);
  entry.update({{"seconds", middle}, {"least", *least}, {"most", *most}, {"bytes", bytes},
                {"kernels", work.kernels}, {"copies", work.copies}, {"fills", work.fills}});
  report["steps"].push_back(entry);
  if (!options.json)
    printStep(shape, entry);
}

void Bench::printStep(const StepShape &shape, const nlohmann::json &step) const {
  double middle = step["seconds"], least = step["least"], most = step["most"], bytes = step["bytes"];
  std::printf("step %s, %lld sequences, %lld rows, context %lld: %.1f us (%.1f to %.1f), %.1f "
              "tokens/s, %.1f MB%s\n",
              nameOf(shape), static_cast<long long>(shape.sequences),
              static_cast<long long>(shape.rows()), static_cast<long long>(shape.context),
              middle * 1e6, least * 1e6, most * 1e6, double(shape.rows()) / middle, bytes / 1e6,
              share(bytes, middle).c_str());
  if (step["kernels"] != 0)
    std::printf("  graph: %lld kernels, %lld copies, %lld fills\n", step["kernels"].get<long long>(), step["copies"].get<long long>(),
                step["fills"].get<long long>());
}

static void print(const Line &line, const std::string &share, int64_t layer) {
  std::printf("  %-22s %4lld x %8.2f us = %9.1f us, %9.2f MB each%s  %s", line.kernel.c_str(),
              static_cast<long long>(line.count), line.seconds / double(line.count) * 1e6,
              line.seconds * 1e6, line.bytes / double(line.count) / 1e6, share.c_str(),
              line.what.c_str());
  if (layer >= 0)
    std::printf(", layer %lld", static_cast<long long>(layer));
  std::printf("\n");
}

void Bench::timeKernels(const StepShape &shape) {
  prepare(shape);
  StepRows rows = rowsOf(shape, manifest.facts, options.seed);
  ExpertCounts experts = countExperts(shape, rows);
  std::vector<double> seconds = engine.timeDispatches(rows, shape.decode, options.repeats);
  double overhead = seconds[0], sum = 0;
  nlohmann::json entry = describe(shape);
  entry["overhead"] = overhead;
  std::vector<Line> lines;
  size_t next = 1;
  if (!options.json)
    std::printf("kernels of %s, %lld sequences, %lld rows, context %lld (taking a time costs %.2f us, "
                "subtracted; one kernel at a time, none begins early):\n",
                nameOf(shape), static_cast<long long>(shape.sequences),
                static_cast<long long>(shape.rows()), static_cast<long long>(shape.context),
                overhead * 1e6);
  for (const StepInfo &step : engine.program(shape.decode).steps) {
    if (step.op != "dispatch")
      continue;
    Line line{manifest.kernels[step.kernel].name, step.name, 1,
              std::max(seconds[next++] - overhead, 0.0), bytesOf(manifest, step, shape, experts)};
    sum += line.seconds;
    entry["dispatches"].push_back({{"kernel", line.kernel}, {"what", line.what},
                                   {"layer", step.layer}, {"seconds", line.seconds},
                                   {"bytes", line.bytes}});
    if (options.each && !options.json)
      print(line, share(line.bytes, line.seconds), step.layer);
    auto same = std::find_if(lines.begin(), lines.end(), [&](const Line &other) {
      return other.kernel == line.kernel && other.what == line.what;
    });
    if (same == lines.end())
      lines.push_back(line);
    else
      ++same->count, same->seconds += line.seconds, same->bytes += line.bytes;
  }
  entry["sum"] = sum;
  report["layers"].push_back(entry);
  if (options.json)
    return;
  std::sort(lines.begin(), lines.end(), [](const Line &a, const Line &b) {
    return std::tie(b.seconds, a.kernel, a.what) < std::tie(a.seconds, b.kernel, b.what);
  });
  for (const Line &line : lines)
    if (!options.each)
      print(line, share(line.bytes, line.seconds), -1);
  std::printf("  sum %.1f us\n", sum * 1e6);
  if (options.layers)
    printLayerKinds(entry["dispatches"]);
}

/// Mean over the layers of each mode; layers with an Engram are a kind of their own.
void Bench::printLayerKinds(const nlohmann::json &dispatches) {
  struct Kind {
    std::set<int64_t> layers;
    int64_t kernels = 0;
    double seconds = 0, bytes = 0;
  };
  std::map<std::string, Kind> kinds;
  for (const nlohmann::json &each : dispatches) {
    int64_t layer = each["layer"];
    if (layer < 0 || layer >= int64_t(manifest.facts.layers.size()))
      continue;
    const LayerFacts &facts = manifest.facts.layers[layer];
    std::string name = facts.mode + (facts.ratio > 1 ? " ratio " + std::to_string(facts.ratio) : "");
    Kind &kind = kinds[name + (facts.engram ? " with Engram" : "")];
    kind.layers.insert(layer);
    ++kind.kernels;
    kind.seconds += each["seconds"].get<double>(), kind.bytes += each["bytes"].get<double>();
  }
  for (const auto &[name, kind] : kinds) {
    double count = double(kind.layers.size());
    std::printf("  layers %-22s %3.0f x %8.1f us, %.0f kernels, %8.2f MB each%s\n", name.c_str(), count,
                kind.seconds / count * 1e6, double(kind.kernels) / count, kind.bytes / count / 1e6,
                share(kind.bytes, kind.seconds).c_str());
  }
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

/// Before the package takes its memory: the measurement needs some itself.
static double measureCopyRate(const std::string &device) {
  if (!device.starts_with("cuda"))
    return 0;
  size_t colon = device.find(':');
  int ordinal = colon == std::string::npos ? 0 : std::atoi(device.c_str() + colon + 1);
  return Gpu(ordinal).measureCopyRate();
}

/// What nobody said is what the package was made for.
static void adoptShape(StepOptions &options, const BenchInfo &made) {
  if (made.batches.empty() || !options.batches.empty() || options.prefill || options.context)
    return;
  options.batches = made.batches, options.prefill = made.prefill, options.context = made.context;
}

nlohmann::json measure(std::string_view command, StepOptions options) {
  auto package = std::make_shared<const Package>(options.package);
  const Manifest &manifest = package->manifest();
  options.layers = command == "layer";
  adoptShape(options, manifest.bench);
  std::vector<StepShape> shapes = shapesOf(options, manifest.facts);
  DeviceOptions deviceOptions;
  deviceOptions.dependent = options.dependent;
  Device device = openDevice(options.device, deviceOptions);
  std::string found = device.describe();
  double copyRate = measureCopyRate(options.device);
  EngineOptions engineOptions;
  engineOptions.recordings = options.graph;
  if (options.weights.empty())
    engineOptions.syntheticSeed = options.seed;
  PackageEngine engine(package, std::move(device), options.weights, engineOptions);
  std::vector<std::string> empty = fillCaches(engine, manifest, options.seed);

  double readRate = engine.measureReadRate(options.repeats);
  Bench bench{options, manifest, engine, copyRate, readRate, {}};
  bench.report = {{"device", found}, {"copy_rate", copyRate}, {"read_rate", readRate}, {"memory", engine.describeMemory()},
                  {"package", options.package}};
  if (!options.json) {
    std::printf("device: %s\n", found.c_str());
    if (copyRate != 0)
      std::printf("copy rate: %.2f TB/s, read and written\n", copyRate / 1e12);
    if (readRate != 0)
      std::printf("read rate: %.2f TB/s\n", readRate / 1e12);
    std::printf("memory: %s\n", engine.describeMemory().c_str());
    for (const std::string &name : empty)
      std::printf("state '%s' stays zero: its format is not known\n", name.c_str());
  }
  for (const StepShape &shape : shapes)
    command == "step" ? bench.timeStep(shape) : bench.timeKernels(shape);
  if (!options.traceFile.empty()) {
    bench.prepare(shapes.front());
    writeTrace(engine, rowsOf(shapes.front(), manifest.facts, options.seed), shapes.front().decode, options.traceFile, options.json);
  }
  return bench.report;
}

int stepMain(std::string_view command, int argc, char **argv) {
  StepOptions options = parseOptions(argc, argv);
  nlohmann::json report = measure(command, options);
  if (options.json && options.jsonFile.empty())
    std::printf("%s\n", report.dump(1).c_str());
  if (!options.jsonFile.empty()) {
    OutputFile file(options.jsonFile);
    std::string text = report.dump(1) + "\n";
    file.write(std::as_bytes(std::span(text)));
    file.keep();
  }
  return 0;
}

} // namespace cedilla::bench
