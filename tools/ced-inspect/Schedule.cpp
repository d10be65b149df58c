//===- Schedule.cpp - every program: its kernels per layer, in order ---------------------------------===//
//
// Of a package, as its manifest has it; of a model or config.json, by running the compiler up to the
// schedule phase. Both become the same list of steps first.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"
#include "dialects/sched/Sched.h"
#include "runtime/package/Package.h"
#include "tools/ced-inspect/Commands.h"

#include "mlir/IR/MLIRContext.h"

#include <iostream>
#include <map>

using namespace mlir;

namespace cedilla::inspect {

namespace {
struct Step {
  int64_t layer;
  std::string kernel, what;
  std::vector<std::string> buffers;
};

struct Program {
  std::string name;
  std::vector<Step> steps;
};
} // namespace

static std::vector<Program> readPackage(const std::string &path) {
  Package package(path);
  const Manifest &manifest = package.manifest();
  std::vector<Program> programs;
  for (const ProgramInfo &info : manifest.programs) {
    Program program{info.name, {}};
    for (const StepInfo &step : info.steps) {
      if (step.op != "dispatch")
        continue;
      Step row{step.layer, manifest.kernels[step.kernel].name, step.name, {}};
      for (int64_t buffer : step.buffers)
        row.buffers.push_back(manifest.buffers[buffer].name);
      program.steps.push_back(row);
    }
    programs.push_back(program);
  }
  return programs;
}

static std::vector<Program> scheduleModel(const std::string &path) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  CompileOptions options;
  options.input = path;
  options.to = "schedule";
  OwningOpRef<ModuleOp> module = runPhases(context, options);
  std::vector<Program> programs;
  for (auto op : module->getOps<sched::ProgramOp>()) {
    Program program{op.getSymName().str(), {}};
    for (auto dispatch : op.getBody().front().getOps<sched::DispatchOp>()) {
      Step row{static_cast<int64_t>(dispatch.getLayer()), dispatch.getKernel().str(), dispatch.getWhat().str(), {}};
      for (Attribute buffer : dispatch.getBuffers())
        row.buffers.push_back(cast<FlatSymbolRefAttr>(buffer).getValue().str());
      program.steps.push_back(row);
    }
    programs.push_back(program);
  }
  return programs;
}

static void showProgram(const Program &program) {
  std::map<int64_t, int64_t> perLayer;
  for (const Step &step : program.steps)
    ++perLayer[step.layer];
  std::cout << "@" << program.name << ": " << program.steps.size() << " kernels\n";
  int64_t layer = -1;
  for (const Step &step : program.steps) {
    if (step.layer != layer)
      std::cout << "  layer " << step.layer << ": " << perLayer[step.layer] << " kernels\n";
    layer = step.layer;
    std::cout << "    " << step.kernel << "  [" << step.what << "]  ";
    for (const std::string &buffer : step.buffers)
      std::cout << " " << buffer;
    std::cout << "\n";
  }
}

void showSchedule(const std::string &path) {
  for (const Program &program : isPackage(path) ? readPackage(path) : scheduleModel(path))
    showProgram(program);
}

} // namespace cedilla::inspect
