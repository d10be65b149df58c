//===- ReadSchedule.cpp - a schedule of a package or a model, with its costs --------------------------===//

#include "compiler/Pipeline.h"
#include "compiler/cost/DispatchCost.h"
#include "compiler/import/BuildGraph.h"
#include "compiler/schedule/Passes.h"
#include "runtime/base/Error.h"
#include "runtime/package/Package.h"
#include "tools/ced-inspect/ScheduleReport.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;

namespace cedilla::inspect {

namespace {
struct Step {
  int64_t layer;
  KernelRow kernel;
};

struct Program {
  std::string name;
  std::vector<Step> steps;
  std::map<std::string, int64_t> contract; ///< kernels by mode
};

struct Schedule {
  ModelFacts facts;
  std::string target;
  std::vector<Program> programs;
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// From a package
//===------------------------------------------------------------------------------------------===//

/// "linear_3" -> "linear".
static std::string familyOf(const std::string &kernel) { return kernel.substr(0, kernel.rfind('_')); }

static std::vector<std::string> split(StringRef what) {
  std::vector<std::string> ops;
  SmallVector<StringRef> pieces;
  what.split(pieces, ',');
  for (StringRef piece : pieces) {
    SmallVector<StringRef> phases;
    piece.split(phases, ';');
    for (StringRef op : phases)
      ops.push_back(op.trim().str());
  }
  return ops;
}

static Schedule readPackage(const std::string &path) {
  Package package(path);
  const Manifest &manifest = package.manifest();
  Schedule schedule{manifest.facts, "", {}};
  for (const ProgramInfo &info : manifest.programs) {
    CodeKind code = codeOf(manifest, info);
    Program program{info.name, {}, info.contract};
    if (schedule.target.empty())
      schedule.target = code.target + ":" + code.chip;
    else if (schedule.target != code.target + ":" + code.chip)
      program.name += " " + code.target + ":" + code.chip;
    for (const StepInfo &step : info.steps) {
      if (step.op != "dispatch")
        continue;
      KernelRow row;
      row.name = manifest.kernels[step.kernel].name;
      row.family = familyOf(row.name);
      row.fuses = split(step.name);
      row.cost = step.cost;
      for (int64_t buffer : step.buffers)
        row.buffers.push_back(manifest.buffers[buffer].name);
      program.steps.push_back({step.layer, row});
    }
    schedule.programs.push_back(program);
  }
  return schedule;
}

//===------------------------------------------------------------------------------------------===//
// From a model
//===------------------------------------------------------------------------------------------===//

static KernelRow rowOf(DispatchCost &each) {
  KernelRow row;
  row.name = each.dispatch.getKernel().str();
  row.family = each.phases.size() > 1 ? "phases" : each.phases[0].family;
  for (PhaseCost &phase : each.phases) {
    row.fuses.insert(row.fuses.end(), phase.ops.begin(), phase.ops.end());
    row.parts.push_back({phase.family, phase.ops, phase.reads, phase.writes, phase.cost});
  }
  for (Attribute buffer : each.dispatch.getBuffers())
    row.buffers.push_back(cast<FlatSymbolRefAttr>(buffer).getValue().str());
  if (auto reason = each.dispatch->getAttrOfType<StringAttr>("sched.not_fused"))
    row.notFused = reason.getValue().str();
  row.cost = each.cost;
  return row;
}

static Schedule scheduleModel(const Arguments &arguments, int64_t context, int64_t batch, int64_t rows) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext mlir(registry);
  CompileOptions options;
  options.input = arguments.path;
  options.to = "schedule";
  options.schedule = arguments.text("schedule", "auto");
  std::string where = arguments.text("target", "x86"); // the parts below lie in it
  auto [target, chip] = StringRef(where).split(':');
  options.targets = {{target.str(), chip.str()}};
  if (!isScheduleFile(options.schedule)) { // a file says its own limits
    options.graph.maxContext = context, options.graph.maxBatch = batch;
    options.graph.maxRows = std::max(rows, batch);
  }
  OwningOpRef<ModuleOp> module = runPhases(mlir, options);
  FailureOr<Limits> limits = getLimits(*module);
  Schedule schedule{factsOf(*module), arguments.text("target", "x86"), {}};
  ProgramCosts costs(*module, *limits);
  for (auto op : module->getOps<sched::ProgramOp>()) {
    Program program{op.getSymName().str(), {}, {}};
    if (auto contract = op->getAttrOfType<DictionaryAttr>(contractAttr))
      for (NamedAttribute mode : contract)
        if (auto list = dyn_cast<ArrayAttr>(mode.getValue()))
          program.contract[mode.getName().str()] = list.size();
    for (DispatchCost &each : costs.of(op))
      program.steps.push_back({int64_t(each.dispatch.getLayer()), rowOf(each)});
    schedule.programs.push_back(program);
  }
  return schedule;
}

//===------------------------------------------------------------------------------------------===//
// Layers of a kind
//===------------------------------------------------------------------------------------------===//

static std::string kindOf(const ModelFacts &facts, int64_t layer) {
  if (layer < 0 || layer >= int64_t(facts.layers.size()))
    return "head";
  const LayerFacts &row = facts.layers[layer];
  std::string kind = row.mode;
  if (row.ratio > 0)
    kind += " m=" + std::to_string(row.ratio);
  return kind + (row.engram ? " engram" : "");
}

/// The same kernels on the same kind of layer.
static bool isSame(const LayerKind &known, const std::string &kind, const std::vector<KernelRow> &kernels) {
  return known.kind == kind && std::equal(known.kernels.begin(), known.kernels.end(), kernels.begin(), kernels.end(),
                                          [](const KernelRow &a, const KernelRow &b) {
                                            return a.name == b.name && a.fuses == b.fuses && a.time.bytes == b.time.bytes;
                                          });
}

static std::vector<LayerKind> groupLayers(const ModelFacts &facts, const Program &program) {
  std::vector<LayerKind> kinds;
  for (size_t i = 0; i < program.steps.size();) {
    int64_t layer = program.steps[i].layer;
    std::vector<KernelRow> kernels;
    for (; i < program.steps.size() && program.steps[i].layer == layer; ++i)
      kernels.push_back(program.steps[i].kernel);
    std::string kind = kindOf(facts, layer);
    auto known = std::find_if(kinds.begin(), kinds.end(), [&](const LayerKind &each) { return isSame(each, kind, kernels); });
    if (known == kinds.end())
      kinds.push_back({kind, {layer}, kernels});
    else
      known->layers.push_back(layer);
  }
  return kinds;
}

static PhaseReport reportOf(const ModelFacts &facts, Program &program, const StepSize &step, const Rates &rates) {
  for (Step &each : program.steps)
    each.kernel.time = predict(each.kernel.cost, step, rates);
  return {program.name, step, int64_t(program.steps.size()), groupLayers(facts, program)};
}

static void checkAtMost(const Arguments &arguments, const char *option, int64_t most, const char *what) {
  if (int64_t asked = arguments.number(option, 1); asked > most)
    fail(Err::Option, "--", option, ": expected at most ", most, " (", what, "), got ", asked);
}

/// The step to show is one that what was planned can run.
static void checkStep(const Arguments &arguments, const ModelFacts &facts, int64_t context) {
  checkAtMost(arguments, "batch", facts.maxBatch, "sequences it was planned for");
  checkAtMost(arguments, "context", facts.maxContext, "tokens it was planned for");
  checkAtMost(arguments, "rows", facts.maxRows, "rows it was planned for");
  checkAtMost(arguments, "rows", context, "tokens of the sequence, --context");
}

ScheduleReport readSchedule(const Arguments &arguments) {
  bool package = isPackage(arguments.path);
  if (arguments.has("json") && arguments.has("html"))
    fail(Err::Option, "--json and --html: expected one of the two");
  if (package && (arguments.has("target") || arguments.has("schedule")))
    fail(Err::Option, "--target, --schedule: a package is compiled already");
  int64_t batch = arguments.number("batch", 1), context = arguments.number("context", 0), rows = arguments.number("rows", 0);
  if (!package && context == 0)
    context = std::min<int64_t>(4096, readModelConfig(arguments.path).maxPositions);
  if (!package && !isScheduleFile(arguments.text("schedule", "auto")))
    checkAtMost(arguments, "rows", context, "tokens of the sequence, --context");
  ScheduleReport report;
  report.ratesOf = arguments.text("rates", "nvptx:sm_90a");
  auto [target, name] = StringRef(report.ratesOf).split(':');
  const Chip *chip = findChip(target, name);
  if (!chip || chip->rates.bytes == 0)
    fail(Err::Target, "--rates: expected a chip whose rates are known, such as nvptx:sm_90a, got '", report.ratesOf, "'");
  Schedule schedule = package ? readPackage(arguments.path) : scheduleModel(arguments, context, batch, rows ? rows : 256);
  const ModelFacts &facts = schedule.facts;
  context = arguments.has("context") ? context : std::min<int64_t>(4096, facts.maxContext);
  checkStep(arguments, facts, context);
  rows = std::min(rows ? rows : 256, std::min(facts.maxRows, context));
  report.model = facts.arch, report.target = schedule.target, report.layers = facts.layers;
  report.rates = chip->rates;
  for (Program &program : schedule.programs) {
    bool prefill = program.name.starts_with("prefill"); // the others have a row of each sequence
    if (!program.contract.empty())
      report.contract[program.name] = program.contract;
    report.phases.push_back(reportOf(facts, program, {prefill ? rows : batch, prefill ? 1 : batch, context, -1}, report.rates));
  }
  return report;
}

//===------------------------------------------------------------------------------------------===//
// Sums
//===------------------------------------------------------------------------------------------===//

double LayerKind::seconds() const {
  double sum = 0;
  for (const KernelRow &kernel : kernels)
    sum += kernel.time.seconds();
  return sum;
}

double LayerKind::launches() const {
  double sum = 0;
  for (const KernelRow &kernel : kernels)
    sum += kernel.time.launch;
  return sum;
}

double LayerKind::expected() const {
  double sum = 0;
  for (const KernelRow &kernel : kernels)
    sum += kernel.time.expected;
  return sum;
}

template <typename F>
static double sumOf(const PhaseReport &phase, F value) {
  double sum = 0;
  for (const LayerKind &kind : phase.kinds)
    for (const KernelRow &kernel : kind.kernels)
      sum += value(kernel.time) * double(kind.layers.size());
  return sum;
}

double PhaseReport::seconds() const { return sumOf(*this, [](const Prediction &time) { return time.seconds(); }); }
double PhaseReport::expected() const { return sumOf(*this, [](const Prediction &time) { return time.expected; }); }
double PhaseReport::launches() const { return sumOf(*this, [](const Prediction &time) { return time.launch; }); }
double PhaseReport::bytes() const { return sumOf(*this, [](const Prediction &time) { return time.bytes; }); }
double PhaseReport::flops() const { return sumOf(*this, [](const Prediction &time) { return time.flops; }); }

} // namespace cedilla::inspect
