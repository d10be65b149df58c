//===- Pipeline.cpp - the one place where the order of passes is written ---------------------------------===//
//
// A phase is a row of the table: its name and what it does to the module. `--from` reads the IR that a
// phase takes, `--to` writes the IR that a phase leaves.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"

#include "compiler/CompileReport.h"
#include "compiler/cost/Passes.h"
#include "compiler/cost/Predict.h"
#include "compiler/fuse/Passes.h"
#include "compiler/import/EngramHash.h"
#include "compiler/import/BuildGraph.h"
#include "compiler/import/Origin.h"
#include "compiler/import/TensorNames.h"
#include "compiler/package/BuildPackage.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/SameModel.h"
#include "compiler/support/CheckKernels.h"
#include "compiler/target/EmitParts.h"
#include "compiler/target/Passes.h"
#include "compiler/target/Target.h"
#include "compiler/tile/LineInfo.h"
#include "compiler/tile/Passes.h"
#include "compiler/watch/Watch.h"
#include "dialects/Register.h"
#include "kernels-gen/common/Chip.h"
#include "kernels-gen/common/Signature.h"
#include "runtime/base/Error.h"
#include "runtime/io/OutputFile.h"
#include "runtime/io/Safetensors.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

using namespace mlir;

namespace cedilla {

namespace {
struct State {
  MLIRContext &context;
  const CompileOptions &options;
  const Target *target;
  std::string chip;
  OwningOpRef<ModuleOp> module;
  bool keepMisses = options.keepMisses;
  bool onTrial = false; ///< asked for what it would cost, and thrown away
  CompileReport *report = nullptr;
  std::optional<ObjectCache> cache;
  std::string programKey; ///< in the cache, of all that the target phase leaves; empty: it is not kept
  PartCounts parts;       ///< that the target phase has made code of
};

struct Phase {
  const char *name;
  void (*run)(State &);
  /// Ops that may stand at the top of the module it takes, and the one of which there must be some.
  std::vector<StringRef> takes;
  StringRef needs;
};
} // namespace

static Err phaseError(StringRef phase) {
  return phase == "target" ? Err::TargetPhase : phase == "tile" ? Err::TilePhase : Err::PlanPhase;
}

static bool readsText(const CompileOptions &options) { return !options.from.empty() || isScheduleFile(options.schedule); }

/// What is refused in IR that a user wrote is the user's to mend; in IR of the compiler's own making it is a fault of ours.
[[noreturn]] static void failPhase(const State &state, const char *phase) {
  if (readsText(state.options))
    fail(phaseError(phase), "the ", phase, " phase failed, see the messages above");
  failInternal(phaseError(phase), "internal: the ", phase, " phase failed, see the messages above");
}

static LogicalResult tryPasses(State &state, function_ref<void(OpPassManager &)> build) {
  PassManager passes(&state.context);
  passes.enableVerifier(!state.onTrial); // what is taken is made again, and verified
  build(passes);
  return runWatched(passes, *state.module);
}

static void runPasses(State &state, const char *phase, function_ref<void(OpPassManager &)> build) {
  if (failed(tryPasses(state, build)))
    failPhase(state, phase);
}

//===------------------------------------------------------------------------------------------===//
// Phases
//===------------------------------------------------------------------------------------------===//

GraphOptions withDefaults(GraphOptions graph, const ModelConfig &config) {
  auto fill = [](int64_t &limit, int64_t value) { limit = limit ? limit : value; };
  fill(graph.maxContext, std::min<int64_t>(4096, config.maxPositions));
  fill(graph.maxBatch, 8);
  fill(graph.maxRows, 256);
  return graph;
}

static OwningOpRef<ModuleOp> importModel(MLIRContext &context, const CompileOptions &options, const GraphOptions &limits) {
  const std::string &path = options.input;
  ModelConfig config = options.model ? *options.model : readModelConfig(path);
  GraphOptions graph = withDefaults(limits, config);
  checkOptions(config, graph);
  if (graph.engramRows) {
    if (std::filesystem::is_directory(path))
      fail(Err::EngramRows, "--engram-rows: expected a config.json, got the directory '", path, "': tables of a checkpoint have the rows they have");
    shortenEngram(config.engram, graph.engramRows);
  }
  if (config.eos.empty() && !options.keepMisses)
    llvm::errs() << "warning: " << config.file << ": no eos_token_id: nothing the model says ends a sequence\n";
  std::optional<Checkpoint> checkpoint;
  // A directory holds weights, and they are checked before anything else is done with it; a config.json
  // alone can be compiled, too.
  if (std::filesystem::is_directory(path)) {
    CheckpointReport report = checkCheckpoint(config, checkpoint.emplace(path));
    llvm::errs() << "checkpoint: " << report.boundTensors << " tensors, " << report.boundBytes << " bytes";
    for (const auto &[part, unused] : report.unused)
      llvm::errs() << "; not used: " << unused.tensors << " of " << part << ".*";
    llvm::errs() << "\n";
    for (const std::string &warning : report.warnings)
      llvm::errs() << "warning: " << warning << "\n";
  }
  OwningOpRef<ModuleOp> module = buildGraph(context, config, graph);
  if (!options.model) // no file says what it is
    recordOrigin(*module, config, checkpoint ? &*checkpoint : nullptr);
  return module;
}

static void runImport(State &state) {
  state.module = importModel(state.context, state.options, state.options.graph);
}

namespace {
/// Which passes of the fuse phase run.
struct FusePlan {
  bool split = false; ///< none
  bool paper = false;    ///< those of the published schedule
  bool contract = false; ///< its counts are promised
  bool expertsApart = false;
  bool endsApart = false; ///< casts and routers are no part of the kernel whose result they take
  std::optional<uint64_t> seed; ///< merges by chance in place of them
};
} // namespace

/// Of "random:<seed>".
static std::optional<uint64_t> randomSeed(StringRef schedule) {
  uint64_t seed = 0;
  if (!schedule.consume_front("random:"))
    return std::nullopt;
  if (schedule.getAsInteger(10, seed))
    fail(Err::Option, "--schedule=random:<seed>: expected a number, got '", schedule.str(), "'");
  return seed;
}

static void buildFuse(OpPassManager &passes, const FusePlan &plan) {
  passes.addPass(createCedNameValues()); // while the functions are as they were imported
  if (plan.paper)
    passes.addPass(createCedSplitAttention());
  passes.addPass(createCedFormGroups());
  if (plan.seed) {
    passes.addPass(createCedGroupRandomly({*plan.seed}));
  } else if (!plan.split) {
    passes.addPass(createCedFuseSiblings({/*branchesApart=*/plan.paper}));
    passes.addPass(createCedFuseRouter());
    if (!plan.expertsApart)
      passes.addPass(createCedFuseExperts());
    if (plan.paper)
      passes.addPass(createCedFuseGather());
    passes.addPass(createCedFuseAttention());
    passes.addPass(createCedFuseGlue({/*branchesApart=*/plan.paper}));
    if (!plan.paper && !plan.endsApart)
      passes.addPass(createCedFuseEnds());
  }
  passes.addPass(createCedExplainGroups({plan.split, plan.expertsApart}));
  if (plan.contract)
    passes.addPass(createCedAddContract());
}

/// Every function by the plan of its name.
static void fuse(State &state, function_ref<FusePlan(StringRef)> planOf) {
  for (auto function : state.module->getOps<func::FuncOp>()) {
    PassManager passes(&state.context, func::FuncOp::getOperationName());
    passes.enableVerifier(!state.onTrial);
    buildFuse(passes, planOf(function.getName()));
    if (failed(passes.run(function)))
      fail(Err::PlanPhase, "the fuse phase failed, see the messages above");
  }
}

/// Of a module of kernels: "nvptx:sm_90a", for which configs were chosen.
static constexpr const char *chipAttr = "sched.chip";

static std::string chipText(const State &state) { return (state.target->name() + ":" + state.chip).str(); }

/// Keeps the contract, if there is one, and gives scratch its places.
static void planMemory(State &state) {
  // A contract is a wish, of who chose the schedule for this model.
  if (failed(tryPasses(state, [](OpPassManager &passes) { passes.addPass(createSchedCheckContract()); })))
    fail(Err::PlanPhase, "the schedule phase failed, see the messages above");
  runPasses(state, "schedule", [](OpPassManager &passes) {
    passes.addPass(createSchedPlanWorkspace());
    passes.addPass(createSchedCheckWorkspace());
  });
}

static void runSchedule(State &state) {
  ModelFacts facts = factsOf(*state.module);
  setLimits(*state.module, {facts.maxRows, facts.maxBatch, facts.maxContext, facts.page});
  (*state.module)->setAttr(chipAttr, StringAttr::get(&state.context, chipText(state)));
  runPasses(state, "schedule", [&](OpPassManager &passes) {
    // Static shapes first: two groups are one kernel only if their types are equal.
    passes.addPass(createSchedPlanLimits());
    passes.addPass(createConvertCedToSched({/*keepMisses=*/true, /*costsOnly=*/state.onTrial}));
  });
  if (!state.onTrial) // costs do not depend on it
    planMemory(state);
  runPasses(state, "schedule", [&](OpPassManager &passes) {
    SchedSelectConfigsOptions options;
    options.keepMisses = true; // all are named, below
    options.target = state.target->name().str();
    options.chip = state.chip;
    passes.addPass(createSchedSelectConfigs(options));
    passes.addPass(createSchedAnnotateCosts());
  });
  if (!state.keepMisses && failed(refuseNotedMisses(*state.module)))
    fail(Err::Unsupported, "target ", chipText(state), " does not run this, see the messages above (ced-inspect support names fields and values)");
}

namespace {
/// What a program is expected to take with a plan.
struct Expected {
  double seconds = 0;
  int64_t kernels = 0;
  int64_t misses = 0; ///< dispatches of kernels that nothing builds
};

/// A plan that `auto` may take, and what it costs by program.
struct AutoCandidate {
  const char *name;
  FusePlan plan;
  llvm::StringMap<Expected> programs = {};
};
} // namespace

/// The step a program is chosen for: one sequence, one row of it or as many as a step may bring.
static StepSize stepOf(StringRef program, const ModelFacts &facts) {
  int64_t context = std::min<int64_t>(4096, facts.maxContext);
  return {program == "prefill" ? std::min(facts.maxRows, context) : 1, 1, context};
}

/// Whether nothing builds the kernel, or one of its phases.
static bool isMissing(SymbolTable &symbols, StringRef kernel) {
  Operation *op = symbols.lookup(kernel);
  auto phases = dyn_cast<sched::PhasesOp>(op);
  return phases ? llvm::any_of(phases.getKernels().getAsValueRange<FlatSymbolRefAttr>(),
                               [&](StringRef phase) { return symbols.lookup(phase)->hasAttr(missAttr); })
                : op->hasAttr(missAttr);
}

static void tryCandidate(State &state, AutoCandidate &candidate, const Rates &rates) {
  State trial{state.context, state.options, state.target, state.chip, state.module->clone()};
  trial.keepMisses = trial.onTrial = true;
  fuse(trial, [&](StringRef) { return candidate.plan; });
  runSchedule(trial);
  SymbolTable symbols(*trial.module);
  for (auto program : trial.module->getOps<sched::ProgramOp>()) {
    Expected &expected = candidate.programs[program.getSymName()];
    expected.seconds = expectedSeconds(program, stepOf(program.getSymName(), factsOf(*state.module)), rates);
    for (auto dispatch : program.getBody().front().getOps<sched::DispatchOp>()) {
      ++expected.kernels;
      expected.misses += isMissing(symbols, dispatch.getKernel());
    }
  }
}

/// Of each program the candidate that is expected to be fastest; of equals the first. The published plan is among them, so none is
/// expected to take longer than with that.
static llvm::StringMap<FusePlan> chooseAuto(State &state) {
  AutoCandidate candidates[] = {{"everything merged", {}},
                                {"casts and routers apart", {.endsApart = true}},
                                {"experts apart, too", {.expertsApart = true, .endsApart = true}},
                                {"as published", {.paper = true}},
                                {"nothing merged", {.split = true}}};
  llvm::StringMap<FusePlan> chosen;
  const Chip *chip = findChip(state.target->name(), state.chip);
  if (!chip || chip->rates.bytes == 0)
    return chosen;
  for (AutoCandidate &candidate : candidates)
    tryCandidate(state, candidate, chip->rates);
  for (auto function : state.module->getOps<func::FuncOp>()) {
    StringRef name = function.getName();
    auto rank = [&](const AutoCandidate &each) {
      Expected expected = each.programs.lookup(name);
      return std::pair(expected.misses, expected.seconds);
    };
    const AutoCandidate &best = *llvm::min_element(candidates, [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
    chosen[name] = best.plan;
    bool differ = llvm::any_of(candidates, [&](const AutoCandidate &each) { return rank(each) != rank(best); });
    if (state.keepMisses || !differ)
      continue;
    StepSize step = stepOf(name, factsOf(*state.module));
    llvm::errs() << "schedule auto, " << state.chip << ", " << name << " of " << step.rows << " rows of 1 sequence at " << step.context
                 << " tokens, expected: ";
    llvm::interleaveComma(candidates, llvm::errs(), [&](const AutoCandidate &each) {
      Expected expected = each.programs.lookup(name);
      llvm::errs() << each.name << llvm::format(" %.1f us in %d kernels", expected.seconds * 1e6, int(expected.kernels))
                   << (&each == &best ? " (taken)" : "");
    });
    llvm::errs() << "\n";
  }
  return chosen;
}

static void runFuse(State &state) {
  const std::string &schedule = state.options.schedule;
  if (schedule == "auto") {
    llvm::StringMap<FusePlan> plans = chooseAuto(state);
    return fuse(state, [&](StringRef function) { return plans.lookup(function); });
  }
  bool paper = schedule == "paper";
  FusePlan plan{.split = schedule == "split", .paper = paper, .contract = paper, .seed = randomSeed(schedule)};
  fuse(state, [&](StringRef) { return plan; });
}

/// A schedule may have been edited: it is checked as a whole. Offsets that were taken away are wanted anew.
static void checkSchedule(State &state) {
  runPasses(state, "tile", [&](OpPassManager &passes) {
    bool planned = llvm::all_of(state.module->getOps<sched::BufferOp>(), [](sched::BufferOp buffer) {
      return buffer.getKind() != sched::BufferKind::Workspace || buffer.getOffset();
    });
    if (!planned)
      passes.addPass(createSchedPlanWorkspace());
    passes.addPass(createSchedCheckArguments());
    passes.addPass(createSchedCheckContract());
    passes.addPass(createSchedCheckWorkspace());
    passes.addPass(createSchedAnnotateCosts());
  });
}

static void runTile(State &state) {
  checkSchedule(state);
  // Everything that is refused is refused now, and all of it, not after minutes of making code.
  if (failed(refuseMisses(*state.module, *state.target, state.chip)))
    fail(Err::Unsupported, "target ", chipText(state), " does not run this, see the messages above (ced-inspect support names fields and values)");
  runPasses(state, "tile", [&](OpPassManager &passes) {
    passes.addPass(createTileBuildKernels({/*nameOps=*/!state.options.lineInfo.empty()}));
    if (state.options.bench)
      passes.addPass(createTileAddReadProgram());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
  });
  if (!state.options.lineInfo.empty())
    attachLines(*state.module, state.options.lineInfo);
}

static void addObject(State &state, const CompiledImage &image, const std::string &name) {
  OpBuilder b = OpBuilder::atBlockEnd(state.module->getBody());
  SmallVector<NamedAttribute> kernels;
  for (const CompiledKernel &kernel : image.kernels)
    kernels.push_back(b.getNamedAttr(
        kernel.name, b.getDictionaryAttr({
                         b.getNamedAttr("symbol", b.getStringAttr(kernel.symbol)),
                         b.getNamedAttr("arena", b.getI64IntegerAttr(kernel.arenaBytes)),
                         b.getNamedAttr("threads", b.getI64IntegerAttr(kernel.threads)),
                         b.getNamedAttr("shared", b.getI64IntegerAttr(kernel.sharedBytes)),
                         b.getNamedAttr("dependent", b.getBoolAttr(kernel.dependent)),
                         b.getNamedAttr("code", b.getI64IntegerAttr(kernel.codeBytes)),
                         b.getNamedAttr("registers", b.getI64IntegerAttr(kernel.registers)),
                         b.getNamedAttr("spills", b.getI64IntegerAttr(kernel.spillBytes)),
                     })));
  auto object = sched::ObjectOp::create(b, state.module->getLoc(), name, image.target, image.chip, b.getDictionaryAttr(kernels),
                                        StringRef(image.bytes.data(), image.bytes.size()));
  if (image.toolkit)
    object->setAttr("sched.toolkit", b.getI64IntegerAttr(image.toolkit));
}

/// Kernel by kernel, or all at once where their PTX is wanted as one text, or lines of one text, which parts forget.
static FailureOr<std::vector<CompiledImage>> emit(State &state) {
  if (state.options.emitPtx.empty() && state.options.lineInfo.empty())
    return emitInParts(*state.target, *state.module, state.chip, state.cache ? &*state.cache : nullptr, state.parts);
  if (!state.options.emitPtx.empty())
    (*state.module)->setAttr(ptxFileAttr, StringAttr::get(&state.context, state.options.emitPtx));
  if (!state.options.lineInfo.empty())
    (*state.module)->setAttr(lineInfoAttr, UnitAttr::get(&state.context));
  FailureOr<CompiledImage> image = state.target->emit(*state.module, state.chip);
  (*state.module)->removeAttr(ptxFileAttr);
  (*state.module)->removeAttr(lineInfoAttr);
  if (failed(image))
    return failure();
  return std::vector<CompiledImage>{std::move(*image)};
}

static void runTarget(State &state) {
  if (state.options.tracePoints)
    (*state.module)->setAttr(tracePointsAttr, UnitAttr::get(&state.context));
  FailureOr<std::vector<CompiledImage>> images = emit(state);
  (*state.module)->removeAttr(tracePointsAttr);
  if (failed(images))
    failPhase(state, "target");
  for (auto [i, image] : llvm::enumerate(*images))
    addObject(state, image, image.target + "_" + image.chip + (images->size() > 1 ? "_" + std::to_string(i) : ""));
  if (state.report)
    state.report->addCode(*state.module, {chipText(state), 0, 0, state.parts.parts, state.parts.cached});
}

static void writeModules(ArrayRef<ModuleOp> modules, const CompileOptions &options) {
  if (failed(buildPackage(modules, options.benchShape, options.output)))
    fail(Err::PackagePhase, "the package phase failed, see the messages above");
}

static void runPackage(State &state) { writeModules(*state.module, state.options); }

static const Phase phases[] = {
    {"import", runImport, {}, ""},
    {"fuse", runFuse, {"ced.layer_table", "func.func"}, "func.func"},
    {"schedule", runSchedule, {"ced.layer_table", "func.func"}, "func.func"},
    {"tile", runTile, {"ced.layer_table", "sched.buffer", "sched.kernel", "sched.phases", "sched.program"}, "sched.program"},
    {"target", runTarget, {"ced.layer_table", "sched.buffer", "tile.kernel", "sched.phases", "sched.program"}, "tile.kernel"},
    {"package",
     runPackage,
     {"ced.layer_table", "sched.buffer", "tile.kernel", "sched.phases", "sched.program", "sched.object"},
     "sched.object"},
};

/// What a phase takes is what the one before may leave: checked for text that was read and between phases.
static void checkTakes(ModuleOp module, const Phase &phase) {
  if (phase.needs.empty())
    return;
  bool found = false;
  for (Operation &op : *module.getBody()) {
    StringRef name = op.getName().getStringRef();
    if (!llvm::is_contained(phase.takes, name)) {
      op.emitError("the ") << phase.name << " phase takes a module of " << llvm::join(phase.takes, ", ") << ", got '"
                           << name << "'";
      fail(Err::IrFile, "the input of the ", phase.name, " phase is not what it takes, see the message above");
    }
    found |= name == phase.needs;
  }
  if (!found)
    fail(Err::IrFile, "the input of the ", phase.name, " phase has no '", phase.needs.str(), "'");
}

//===------------------------------------------------------------------------------------------===//
// Driving
//===------------------------------------------------------------------------------------------===//

std::vector<std::string> phaseNames() {
  std::vector<std::string> names;
  for (const Phase &phase : phases)
    names.push_back(phase.name);
  return names;
}

void registerCompilerDialects(DialectRegistry &registry) {
  registerCedillaDialects(registry);
  registry.insert<func::FuncDialect, arith::ArithDialect, scf::SCFDialect, math::MathDialect>();
}

void registerCompilerPasses() {
  registerFusePasses();
  registerSchedulePasses();
  registerCostPasses();
  registerTilePasses();
  registerTargetPasses();
}

static std::string join(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Position of a phase; `otherwise` when the name is empty.
static size_t findPhase(const char *option, const std::string &name, size_t otherwise) {
  if (name.empty())
    return otherwise;
  for (size_t i = 0; i < std::size(phases); ++i)
    if (name == phases[i].name)
      return i;
  fail(Err::Option, option, ": expected one of ", join(phaseNames()), ", got '", name, "'");
}

static void readIR(State &state, const std::string &path) {
  if (!std::filesystem::is_regular_file(path))
    fail(Err::IrFile, path, ": expected a file of IR");
  state.module = parseSourceFile<ModuleOp>(path, &state.context);
  if (!state.module)
    fail(Err::IrFile, path, ": cannot be read, see the messages above");
}

/// The model with a kernel for each group that is one body, to compare an edited schedule with.
static void convertUnfused(MLIRContext &context, ModuleOp model, bool gathers) {
  ModelFacts facts = factsOf(model);
  setLimits(model, {facts.maxRows, facts.maxBatch, facts.maxContext, facts.page});
  PassManager passes(&context);
  if (gathers)
    passes.addNestedPass<func::FuncOp>(createCedSplitAttention());
  passes.addNestedPass<func::FuncOp>(createCedFormGroups());
  passes.addPass(createSchedPlanLimits());
  passes.addPass(createConvertCedToSched());
  if (failed(passes.run(model)))
    fail(Err::PlanPhase, "the model cannot be scheduled, see the messages above");
}

/// The limits that sizes were planned with are those of the facts that a runtime gets.
static void checkLimits(ModuleOp module, const std::string &file, const ModelFacts &facts) {
  FailureOr<Limits> limits = getLimits(module);
  if (failed(limits))
    fail(Err::IrFile, file, ": cannot be used, see the messages above");
  auto list = [](int64_t rows, int64_t batch, int64_t context, int64_t page) { return shapeText(std::vector{rows, batch, context, page}); };
  std::string expected = list(facts.maxRows, facts.maxBatch, facts.maxContext, facts.page);
  std::string found = list(limits->maxRows, limits->maxBatch, limits->maxContext, limits->page);
  if (found != expected)
    fail(Err::OtherSchedule, file, ": 'sched.limits': expected max_rows, max_batch, max_context, page ", expected, " as in its facts, got ", found);
}

/// A schedule written earlier in place of the first phases. The model is imported all the same: a schedule of
/// another one would be compiled without a complaint and compute something else.
static void readSchedule(State &state, const Phase &next) {
  const std::string &file = state.options.schedule;
  if (!std::filesystem::exists(file))
    fail(Err::Option, "--schedule: expected auto, fused, paper, split, random:<seed> or a file written by --emit-schedule, got '", file, "'");
  readIR(state, file);
  checkTakes(*state.module, next);
  if (auto chip = (*state.module)->getAttrOfType<StringAttr>(chipAttr); chip && chip.getValue() != chipText(state))
    fail(Err::OtherSchedule, file, ": the schedule's configs are for ", chip.str(), ", the target is ", chipText(state));
  ModelFacts facts = factsOf(*state.module);
  GraphOptions graph = state.options.graph;
  for (auto [limit, scheduled] : {std::pair(&graph.maxContext, facts.maxContext), {&graph.maxBatch, facts.maxBatch},
                                  {&graph.maxRows, facts.maxRows}})
    if (*limit == 0)
      *limit = scheduled;
  OwningOpRef<ModuleOp> model = importModel(state.context, state.options, graph);
  adoptOrigin(*state.module, file, *model);
  checkLimits(*state.module, file, facts);
  bool gathers = false;
  state.module->walk([&](ced::AttendOp) { gathers = true; });
  convertUnfused(state.context, *model, gathers);
  if (std::string difference = differenceOfSchedules(*state.module, *model); !difference.empty())
    fail(Err::OtherSchedule, file, ": the schedule does not compute the model: ", difference);
}

/// Whether text is written past a file of its own: standard output, a device, a pipe.
static bool isStream(const std::string &path) {
  std::error_code ignored;
  std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
}

static void writeIR(State &state, const std::string &path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // Names of values are locations until the schedule phase writes them on buffers.
  OpPrintingFlags flags;
  if (state.options.to == "fuse")
    flags.enableDebugInfo();
  state.module->print(stream, flags);
  text += "\n";
  if (path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout); // flushed and checked at the program's end
  } else if (isStream(path)) {
    if (!(std::ofstream(path) << text).flush())
      fail(Err::WriteFile, path, ": cannot be written");
  } else {
    OutputFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.keep();
  }
}

const Target *getTarget(const TargetChoice &choice, std::string &chip) {
  const Target *target = findTarget(choice.name);
  if (!target)
    fail(Err::Target, "--target: expected one of ", join(targetNames()), ", got '", choice.name, "'");
  chip = choice.chip.empty() ? target->defaultChip().str() : choice.chip;
  std::vector<std::string> chips = target->chips();
  if (!llvm::is_contained(chips, chip))
    fail(Err::Target, "--chip: expected one of ", join(chips), " for target ", choice.name, ", got '", chip, "'");
  return target;
}

//===------------------------------------------------------------------------------------------===//
// Programs that were compiled before
//===------------------------------------------------------------------------------------------===//

/// On a kept program: of how many parts its code was made.
static constexpr StringLiteral partsAttr = "cedilla.parts";

/// What an import has left says, with these options, what the target phase leaves.
static std::string programKey(State &state) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  state.module->print(stream);
  return ObjectCache::keyOf({"program", chipText(state), state.target->tools(), state.options.schedule,
                             state.options.bench ? "bench" : "", state.options.tracePoints ? "trace points" : "", text});
}

/// Takes the place of all phases up to the target's, where the cache has what they left.
static bool findProgram(State &state) {
  if (!state.cache || state.options.backEnd || !state.options.emitPtx.empty() || !state.options.emitSchedule.empty() ||
      !state.options.lineInfo.empty() || (currentWatch() && currentWatch()->dumps()))
    return false;
  Clock start = Clock::now();
  state.programKey = programKey(state);
  FailureOr<std::string> bytecode = state.cache->findModule(state.programKey);
  if (failed(bytecode))
    return false;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(*bytecode, &state.context);
  if (!module)
    return false;
  state.module = std::move(module);
  state.cache->trim(); // the limit may be a smaller one
  auto parts = cast<IntegerAttr>((*state.module)->removeAttr(partsAttr)).getInt();
  if (Clock end = Clock::now(); state.report) {
    state.report->phases.push_back({"cached", chipText(state), end.wall - start.wall, end.cpu - start.cpu});
    state.report->addCode(*state.module, {chipText(state), 0, 0, parts, parts});
  }
  return true;
}

static void keepProgram(State &state) {
  if (!state.cache)
    return;
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  (*state.module)->setAttr(partsAttr, Builder(&state.context).getI64IntegerAttr(state.parts.parts));
  if (!state.programKey.empty() && succeeded(writeBytecodeToFile(*state.module, stream)))
    state.cache->addModule(state.programKey, std::move(bytecode));
  (*state.module)->removeAttr(partsAttr);
  state.cache->trim();
}

/// `variant` tells apart what a phase does for several chips.
static void runPhase(State &state, size_t i, const std::string &variant = "") {
  Clock start = Clock::now();
  if (i > 0)
    checkTakes(*state.module, phases[i]);
  Watch *watch = currentWatch();
  if (watch)
    watch->enter(i, phases[i].name, variant);
  phases[i].run(state);
  if (watch) // the last phase leaves a file and no IR
    watch->leave(i + 1 < std::size(phases) ? *state.module : ModuleOp());
  if (Clock end = Clock::now(); state.report)
    state.report->phases.push_back({phases[i].name, chipText(state), end.wall - start.wall, end.cpu - start.cpu});
}

bool isScheduleFile(const std::string &schedule) {
  return !StringRef(schedule).starts_with("random:") &&
         !llvm::is_contained({"auto", "fused", "paper", "split"}, StringRef(schedule));
}

static bool hasScheduleFile(const CompileOptions &options) { return isScheduleFile(options.schedule); }

/// The phase a compile begins with.
static size_t firstPhase(const CompileOptions &options) {
  return findPhase("--from", hasScheduleFile(options) ? "tile" : options.from, 0);
}

static void run(State &state, size_t first, size_t last) {
  bool file = hasScheduleFile(state.options);
  if (file && first > last + 1)
    fail(Err::Option, "--schedule: expected --to=schedule or a later phase with a file, got --to=", phases[last].name);
  if (!file && first > last)
    fail(Err::Option, "--from=", phases[first].name, " comes after --to=", phases[last].name);
  // A phase may create ops of a dialect that the text it reads does not use.
  state.context.loadAllAvailableDialects();
  if (file)
    readSchedule(state, phases[first]);
  else if (first > 0)
    readIR(state, state.options.input);
  if (first > last) // otherwise the phases below check it
    checkSchedule(state);
  size_t fuse = findPhase("", "fuse", 0), target = findPhase("", "target", 0);
  for (size_t i = first; i <= last; ++i) {
    if (first == 0 && i == fuse && last >= target && findProgram(state))
      i = target + 1;
    if (i > last)
      break;
    runPhase(state, i);
    if (i == target)
      keepProgram(state);
    if (StringRef(phases[i].name) == "schedule" && !state.options.emitSchedule.empty())
      writeIR(state, state.options.emitSchedule);
  }
}

static State begin(MLIRContext &context, const CompileOptions &options, const TargetChoice &choice) {
  State state{.context = context, .options = options, .target = nullptr, .chip = "", .module = {}};
  state.target = getTarget(choice, state.chip);
  if (options.backEnd)
    state.target = options.backEnd;
  if (!options.cache.empty())
    state.cache.emplace(options.cache, options.cacheBytes);
  return state;
}

static const TargetChoice &onlyTarget(const CompileOptions &options) {
  if (options.targets.size() != 1)
    fail(Err::Target, "--target: expected one back end with --from, --to and --schedule <file>, got ", options.targets.size());
  return options.targets.front();
}

OwningOpRef<ModuleOp> runPhases(MLIRContext &context, const CompileOptions &options) {
  State state = begin(context, options, onlyTarget(options));
  run(state, firstPhase(options), findPhase("--to", options.to, std::size(phases) - 2));
  return std::move(state.module);
}

/// Whether two choices stand for the same code.
static void checkDistinct(ArrayRef<State> states) {
  for (const State &a : states)
    for (const State &b : states)
      if (&a < &b && a.target == b.target && a.chip == b.chip)
        fail(Err::Target, "--target: ", a.target->name().str(), ":", a.chip, " is given twice");
}

/// One package for several chips: the graph is built once, everything behind it once per chip, because
/// schedules depend on the chip.
static void compileForAll(MLIRContext &context, const CompileOptions &options, CompileReport &report) {
  size_t fuse = findPhase("", "fuse", 0), package = std::size(phases) - 1;
  std::vector<State> states;
  for (const TargetChoice &choice : options.targets)
    states.push_back(begin(context, options, choice)), states.back().report = &report;
  checkDistinct(states);
  run(states[0], 0, fuse - 1);
  for (State &state : llvm::drop_begin(states))
    state.module = states[0].module->clone();
  SmallVector<ModuleOp> modules;
  for (State &state : states) {
    if (!findProgram(state)) {
      for (size_t i = fuse; i < package; ++i)
        runPhase(state, i, chipText(state));
      keepProgram(state);
    }
    modules.push_back(*state.module);
  }
  Clock start = Clock::now();
  if (Watch *watch = currentWatch())
    watch->enter(package, phases[package].name, "");
  writeModules(modules, options);
  Clock end = Clock::now();
  report.phases.push_back({"package", "", end.wall - start.wall, end.cpu - start.cpu});
}

void compile(MLIRContext &context, const CompileOptions &options) {
  size_t first = firstPhase(options);
  size_t last = findPhase("--to", options.to, std::size(phases) - 1);
  bool package = last + 1 == std::size(phases);
  if (package && (options.output.empty() || options.output == "-"))
    fail(Err::Option, "-o: expected a file for the package");
  std::string output = options.output.empty() ? "-" : options.output;
  if (package || !isStream(output))
    checkWritable(output);
  for (const std::string &file : {options.emitPtx, options.lineInfo, options.emitSchedule})
    if (!file.empty() && !isStream(file))
      checkWritable(file);
  if (last >= findPhase("", "target", 0) && options.emitPtx.empty())
    for (const TargetChoice &choice : options.targets)
      if (std::string missing = begin(context, options, choice).target->findMissing(); !missing.empty())
        fail(Err::Assembler, "--target ", choice.name, ": ", missing, " (--emit-ptx=<file> writes the PTX all the same)");
  if (!options.report.empty())
    checkWritable(options.report);
  CompileReport report;
  if (package && first == 0 && options.targets.size() > 1) {
    compileForAll(context, options, report);
  } else {
    State state = begin(context, options, onlyTarget(options));
    state.report = &report;
    run(state, first, last);
    if (!package)
      writeIR(state, output);
  }
  if (!options.report.empty())
    report.write(options.report);
}

} // namespace cedilla
