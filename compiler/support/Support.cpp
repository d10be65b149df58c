//===- Support.cpp - will this model run there, and why not? ---------------------------------------------===//

#include "compiler/support/Support.h"

#include "compiler/import/ReadConfig.h"
#include "compiler/support/Nearest.h"
#include "kernels-gen/common/ChipMemory.h"
#include "kernels-gen/common/Signature.h"
#include "runtime/base/Error.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace cedilla {

std::string Miss::line() const {
  std::string text = why;
  if (!field.empty() && why.find(field) == std::string::npos)
    text += "; decided by " + field + " = " + value;
  if (!works.empty())
    text += "; the nearest that works: " + works;
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

static MemoryNeed memoryOf(ModuleOp module, const Target &target, StringRef chip) {
  MemoryNeed need;
  need.chip = memoryBytes(target.name(), chip);
  FailureOr<Limits> limits = getLimits(module);
  for (auto buffer : module.getOps<sched::BufferOp>()) {
    uint64_t bytes = sched::getBufferBytes(cast<MemRefType>(buffer.getType()), limits->maxRows);
    if (buffer.getKind() == sched::BufferKind::Weight)
      (buffer->hasAttr("sched.by_row") ? need.tables : need.weights) += bytes;
    else if (buffer.getKind() == sched::BufferKind::State)
      need.caches += bytes;
    else if (buffer.getKind() != sched::BufferKind::Workspace)
      need.other += bytes;
  }
  if (auto bytes = module->getAttrOfType<IntegerAttr>("sched.workspace_bytes"))
    need.workspace = bytes.getInt();
  return need;
}

static Miss memoryMiss(const MemoryNeed &need, const std::string &target) {
  auto number = [](uint64_t value) { return std::to_string(value); };
  return {"memory: needs " + number(need.needed()) + " bytes (weights " + number(need.weights) + ", caches " + number(need.caches) +
          ", workspace " + number(need.workspace) + ", other " + number(need.other) + "), " + target + " has " + number(need.chip)};
}

//===------------------------------------------------------------------------------------------===//
// The plan
//===------------------------------------------------------------------------------------------===//

static Miss kernelMiss(const KernelNeed &need) {
  Miss miss{"kernel " + need.name + " (" + need.family + ": " + need.ops + "): " + need.miss};
  miss.kernel = need.name;
  return miss;
}

/// The module that the schedule phase leaves, or why there is none. `said` is what passes said.
static OwningOpRef<ModuleOp> plan(MLIRContext &context, const SupportRequest &request, const ModelConfig &config,
                                  std::string &said) {
  CompileOptions options;
  options.input = request.file;
  options.model = &config;
  options.to = "schedule";
  options.schedule = request.schedule;
  options.targets = {request.target};
  options.graph = request.limits;
  options.keepMisses = true;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      said += (said.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  return runPhases(context, options);
}

/// Without looking for other values.
SupportReport lookOnce(MLIRContext &context, const SupportRequest &request, const std::set<std::string> *only) {
  SupportReport report;
  std::string chip, said;
  const Target *target = getTarget(request.target, chip);
  report.target = (target->name() + ":" + chip).str();
  report.limits = request.limits;
  try {
    ModelConfig config = readModelConfig(request.file, request.document);
    report.limits = withDefaults(request.limits, config);
    report.layers = config.layerCount();
    OwningOpRef<ModuleOp> module = plan(context, request, config, said);
    report.kernels = checkKernels(*module, *target, chip, [&](const KernelNeed &need) {
      return !only || only->contains(need.family + ": " + need.ops);
    });
    report.memory = memoryOf(*module, *target, chip);
  } catch (const Error &error) {
    if (error.status() != Status::InvalidInput)
      throw;
    report.misses.push_back({said.empty() ? std::string(error.what()) : StringRef(said).split('\n').first.str()});
  }
  for (const KernelNeed &need : report.kernels)
    if (!need.miss.empty())
      report.misses.push_back(kernelMiss(need));
  if (report.memory && !report.memory->fits())
    report.misses.push_back(memoryMiss(*report.memory, report.target));
  return report;
}

SupportReport checkSupport(MLIRContext &context, const SupportRequest &request) {
  SupportReport report = lookOnce(context, request);
  if (request.nearest)
    findNearest(context, request, report);
  return report;
}

} // namespace cedilla
