//===- Schedules.cpp - two schedules of a model side by side ------------------------------------===//

#include "tools/ced-bench/Step.h"

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "runtime/package/Package.h"
#include "runtime/session/PackageCode.h"

#include <algorithm>
#include <cstdio>

namespace cedilla::bench {

const char *const schedulesUsage =
    "usage: ced-bench schedules <a.ced> <b.ced> [--device cuda:N | cpu] [--repeats N]\n"
    "  two packages that ced-compile --bench=step made of one model for the same steps: kernels, predicted and measured\n"
    "  time of each step";

namespace {
/// A package's programs for the device.
struct Side {
  std::string path;
  Manifest manifest;
  nlohmann::json steps;

  Side(const std::string &path, const StepOptions &shared);
  const ProgramInfo &program(const std::string &name) const;
  int64_t kernels(const std::string &name) const;

  std::string target;
};
} // namespace

Side::Side(const std::string &path, const StepOptions &shared) : path(path), manifest(Package(path).manifest()) {
  if (manifest.bench.batches.empty())
    fail(Err::NotToMeasure, path, ": expected a package of 'ced-compile --bench=step', which says what to measure");
  target = shared.device.starts_with("cuda") ? "nvptx" : "x86";
  StepOptions options = shared;
  options.package = path;
  steps = measure("step", options)["steps"];
}

const ProgramInfo &Side::program(const std::string &name) const {
  for (const ProgramInfo &program : manifest.programs)
    if (program.name == name && codeOf(manifest, program).target == target)
      return program;
  fail(Err::NoProgram, path, ": expected a program '", name, "' of target '", target, "', got none");
}

int64_t Side::kernels(const std::string &name) const {
  int64_t count = 0;
  for (const StepInfo &step : program(name).steps)
    count += step.op == "dispatch";
  return count;
}

static std::string timeText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds > 0 ? "%.1f us" : "not said", seconds * 1e6);
  return text;
}

static void compareSteps(const Side &a, const Side &b) {
  for (size_t i = 0; i < a.steps.size(); ++i) {
    const nlohmann::json &x = a.steps[i], &y = b.steps[i];
    std::string name = x["program"];
    std::printf("%s, %lld sequences, %lld rows, context %lld:\n", name.c_str(), x["batch"].get<long long>(),
                x["rows"].get<long long>(), x["context"].get<long long>());
    double measured[2] = {x["seconds"], y["seconds"]}, predicted[2] = {};
    const Side *sides[2] = {&a, &b};
    for (int side : {0, 1}) {
      const std::vector<double> &known = sides[side]->program(name).predicted;
      predicted[side] = i < known.size() ? known[i] : 0;
      std::printf("  %-24s %5lld kernels, predicted %12s, measured %12s\n", sides[side]->path.c_str(),
                  static_cast<long long>(sides[side]->kernels(name)), timeText(predicted[side]).c_str(),
                  timeText(measured[side]).c_str());
    }
    if (predicted[0] > 0 && predicted[1] > 0)
      std::printf("  second over first: predicted %.3f, measured %.3f\n", predicted[1] / predicted[0], measured[1] / measured[0]);
    else
      std::printf("  second over first: measured %.3f\n", measured[1] / measured[0]);
  }
}

int schedulesMain(int argc, char **argv) {
  StepOptions shared;
  shared.json = true; // quiet
  std::vector<std::string> paths;
  for (int i = 0; i < argc; ++i) {
    std::string argument = argv[i];
    if ((argument == "--device" || argument == "--repeats") && i + 1 < argc) {
      std::string value = argv[++i];
      if (argument == "--device")
        shared.device = value;
      else
        shared.repeats = int(std::min<int64_t>(parseNumber(value, argument, 1), 1000000));
    } else if (argument.starts_with("--")) {
      fail(Err::Option, "unknown argument '", argument, "'", helpHint);
    } else {
      paths.push_back(argument);
    }
  }
  if (paths.size() != 2)
    fail(Err::Option, "expected two packages, got ", paths.size(), helpHint);
  Side a(paths[0], shared), b(paths[1], shared);
  auto sameSteps = [&](const BenchInfo &x, const BenchInfo &y) {
    return x.batches == y.batches && x.context == y.context && x.prefill == y.prefill;
  };
  if (!sameSteps(a.manifest.bench, b.manifest.bench))
    fail(Err::NotToMeasure, b.path, ": was made to measure other steps than ", a.path);
  if (a.manifest.facts.layers.size() != b.manifest.facts.layers.size() || a.manifest.facts.hidden != b.manifest.facts.hidden)
    fail(Err::NotToMeasure, b.path, ": is of another model than ", a.path);
  compareSteps(a, b);
  return 0;
}

} // namespace cedilla::bench
