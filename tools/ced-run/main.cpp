//===- main.cpp - ced-run: runs a package ------------------------------------------------------------===//
//
// The driver over a PackageEngine. With --reference it becomes its sibling ced-reference, which links
// the compiler and this program does not.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "runtime/debug/Watch.h"
#include "runtime/driver/Main.h"
#include "runtime/driver/Options.h"
#include "runtime/io/OutputFile.h"
#include "runtime/session/PackageEngine.h"
#include "runtime/twin/TwinEngine.h"
#include "tools/ced-run/Ab.h"
#include "tools/ced-run/Compare.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace cedilla;

/// Hooks for tests, kept off the command line.
static bool isSet(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value && std::strcmp(value, "0") != 0;
}

static EngramMode engramMode(const std::string &name) {
  return name == "device"        ? EngramMode::Device
         : name == "zero-copy"   ? EngramMode::ZeroCopy
         : name == "host-gather" ? EngramMode::HostGather
                                 : EngramMode::Auto;
}

static std::unique_ptr<PackageEngine> openPackage(const EngineRequest &request) {
  EngineOptions options;
  // An interpreter that follows a recording begins with zeroes, and has pages in order.
  options.poison = (request.check || isSet("CEDILLA_POISON")) && request.record.empty();
  options.pagesFromTop = isSet("CEDILLA_PAGES_FROM_TOP") && request.record.empty();
  options.checkEachKernel = request.check || isSet("CEDILLA_CHECK_EACH_KERNEL");
  options.recordings = request.graph;
  options.syntheticSeed = request.syntheticSeed;
  options.engram = engramMode(request.engram);
  DeviceOptions deviceOptions;
  deviceOptions.dependent = request.dependent;
  deviceOptions.threads = request.threads;
  deviceOptions.poison = options.poison;

  auto package = std::make_shared<const Package>(request.package);
  Device device = openDevice(request.device, deviceOptions);
  auto engine = std::make_unique<PackageEngine>(std::move(package), std::move(device),
                                                request.modelDir, options);
  if (!engine->runsOn().hostMemory() || engine->memory().gathered)
    std::fprintf(stderr, "%s: %s\n", request.device.c_str(), engine->describeMemory().c_str());
  return engine;
}

static std::unique_ptr<PackageEngine> openTwin(EngineRequest request) {
  request.package = request.twin;
  request.device = "cpu";
  request.engram = "auto";
  return openPackage(request);
}

static int runPack(const Options &options) {
  checkWritable(options.packPath);
  Package package(options.package);
  uint64_t bytes = packWeights(package.manifest(), options.modelDir, options.packPath);
  std::printf("%s: weights of %llu bytes in layout %s\n", options.packPath.c_str(), static_cast<unsigned long long>(bytes),
              package.manifest().weightLayout.c_str());
  return 0;
}

int main(int argc, char **argv) {
  if (asksForReference(argc, argv))
    return becomeReference(argv);
  if (asksFor("--ab", argc, argv))
    return runProgram([&] { return runAb(parseOptions(argc, argv), openPackage); });
  if (asksFor("--pack", argc, argv))
    return runProgram([&] { return runPack(parseOptions(argc, argv)); });
  if (asksFor("--compare", argc, argv))
    return runProgram([&] { return runCompare(argc, argv, openPackage); });
  std::shared_ptr<twin::TwinReport> report;
  debug::Watch watch;
  auto makeEngine = [&](const EngineRequest &request) -> std::unique_ptr<Engine> {
    std::unique_ptr<PackageEngine> engine = openPackage(request);
    if (request.twin.empty())
      return watch.around(std::move(engine), request.check, request.record);
    report = std::make_shared<twin::TwinReport>();
    return std::make_unique<twin::TwinEngine>(std::move(engine), openTwin(request), report);
  };
  int status = watch.finish(driverMain(argc, argv, makeEngine));
  return report && status == 0 && !report->print() ? static_cast<int>(Status::Internal) : status;
}
