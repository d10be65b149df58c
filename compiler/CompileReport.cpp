//===- CompileReport.cpp - what a compile took -------------------------------------------------===//

#include "compiler/CompileReport.h"

#include "dialects/sched/Sched.h"
#include "runtime/io/OutputFile.h"

#include "llvm/ADT/StringSet.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <span>
#include <sys/resource.h>

using namespace mlir;

namespace cedilla {

static double seconds(const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; }

Clock Clock::now() {
  Clock clock;
  clock.wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage;
    getrusage(who, &usage);
    clock.cpu += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return clock;
}

static int64_t largestBytes(int who) {
  rusage usage;
  getrusage(who, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

void CompileReport::addCode(ModuleOp module, CodeReport code) {
  llvm::StringSet<> kernels;
  module.walk([&](sched::DispatchOp dispatch) {
    kernels.insert(dispatch.getKernel());
    ++code.dispatches;
  });
  for (auto object : module.getOps<sched::ObjectOp>())
    code.bytes += object.getData().size();
  code.kernels = kernels.size();
  codes.push_back(code);
}

void CompileReport::write(const std::string &path) const {
  nlohmann::json report = {{"memory", largestBytes(RUSAGE_SELF)}, {"memory_of_programs", largestBytes(RUSAGE_CHILDREN)}};
  for (const PhaseReport &phase : phases)
    report["phases"].push_back({{"name", phase.name}, {"target", phase.target}, {"seconds", phase.wall}, {"cpu_seconds", phase.cpu}});
  for (const CodeReport &code : codes)
    report["codes"].push_back({{"target", code.target}, {"kernels", code.kernels}, {"dispatches", code.dispatches},
                               {"objects", code.objects}, {"cached", code.cached}, {"bytes", code.bytes}});
  std::string text = report.dump(1) + "\n";
  OutputFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.keep();
}

} // namespace cedilla
