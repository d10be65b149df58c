//===- main.cpp - ced-run: runs a package ------------------------------------------------------------===//
//
// The driver over a PackageEngine. With --reference it becomes its sibling ced-reference, which links
// the compiler and this program does not.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/driver/Main.h"
#include "runtime/driver/Options.h"
#include "runtime/session/PackageEngine.h"
#include "runtime/twin/TwinEngine.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

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
  options.poison = isSet("CEDILLA_POISON");
  options.pagesFromTop = isSet("CEDILLA_PAGES_FROM_TOP");
  options.checkEachKernel = isSet("CEDILLA_CHECK_EACH_KERNEL");
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

/// Returns only when there is no such program.
static int becomeReference(char **argv) {
  std::error_code ignored;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::string sibling = (self.parent_path() / "ced-reference").string();
  execv(sibling.c_str(), argv);
  std::fprintf(stderr,
               "error: --reference: cannot start '%s': %s; build ced-reference beside ced-run\n",
               sibling.c_str(), std::strerror(errno));
  return static_cast<int>(Status::InvalidInput);
}

int main(int argc, char **argv) {
  if (asksForReference(argc, argv))
    return becomeReference(argv);
  std::shared_ptr<twin::TwinReport> report;
  auto makeEngine = [&](const EngineRequest &request) -> std::unique_ptr<Engine> {
    std::unique_ptr<PackageEngine> engine = openPackage(request);
    if (request.twin.empty())
      return engine;
    report = std::make_shared<twin::TwinReport>();
    return std::make_unique<twin::TwinEngine>(std::move(engine), openTwin(request), report);
  };
  int status = driverMain(argc, argv, makeEngine);
  return report && status == 0 && !report->print() ? static_cast<int>(Status::Internal) : status;
}
