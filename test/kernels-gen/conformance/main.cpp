//===- main.cpp - ced-conformance: compiled kernels against the reference interpreter -----------------------===//
//
// For every function of some files, several numbers of rows and several seeds: random arguments, the reference
// interpreter's results, the kernels' results, the worst difference of each result. Blocks run in descending
// order with even seeds. Exit code 1 when a difference is beyond its tolerance. See Case.h for what a file
// may say. With --save nothing is run: kernels, arguments and right results go into a package for ced-bench,
// those of the x86 target as well.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/Register.h"
#include "runtime/base/Program.h"
#include "test/emulator/Emulator.h"
#include "test/kernels-gen/conformance/Case.h"
#include "test/kernels-gen/conformance/Check.h"
#include "test/kernels-gen/conformance/Save.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::conformance;
namespace cl = llvm::cl;

static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore, cl::desc("<case.mlir>.."));
static cl::list<int64_t> rowCounts("rows", cl::CommaSeparated, cl::desc("rows of a step (1,2,7,33)"));
static cl::opt<uint64_t> firstSeed("seed", cl::init(1), cl::desc("first seed"));
static cl::opt<uint64_t> seeds("seeds", cl::init(3), cl::desc("seeds per number of rows"));
static cl::opt<std::string> targetName("target", cl::init("x86"), cl::desc("back end, or back end:chip"));
static cl::opt<std::string> deviceName("device", cl::desc("cpu, emulator, cuda, ...; what runs the target here when empty"));
static cl::opt<std::string> package("save", cl::desc("write the cases into a package for ced-bench --replay, run nothing"));
static cl::opt<bool> racecheck("racecheck", cl::desc("emulator: report accesses of two threads with no barrier in between"));
static cl::opt<bool> printCode("print-code", cl::desc("emulator: print the LLVM IR that it runs"));
static cl::opt<std::string> only("only", cl::desc("the one function to check"));
static cl::opt<bool> printTile("print-tile", cl::desc("print the tile kernels"));
static cl::opt<bool> verbose("v", cl::desc("print every comparison"));

//===------------------------------------------------------------------------------------------===//
// Targets and devices
//===------------------------------------------------------------------------------------------===//

namespace {
struct Chosen {
  const Target *target;
  std::string chip;
};
} // namespace

static Chosen chooseTarget(StringRef text, bool emulated) {
  auto [name, chip] = text.split(':');
  const Target *target = emulated ? &emulator::emulatedNvptx() : findTarget(name);
  if (!target || target->name() != name)
    fail(Err::Unnumbered, "--target: expected ", emulated ? "nvptx" : llvm::join(targetNames(), ", "), ", got '", name.str(), "'");
  if (chip.empty())
    chip = target->defaultChip();
  if (!llvm::is_contained(target->chips(), chip.str()))
    fail(Err::Unnumbered, "--target: expected a chip of ", name.str(), " (", llvm::join(target->chips(), ", "), "), got '", chip.str(), "'");
  return {target, chip.str()};
}

static std::string chooseDevice() {
  bool emulated = StringRef(targetName).starts_with("nvptx");
  return !deviceName.empty() ? deviceName.getValue() : emulated ? "emulator" : "cpu";
}

static Device open(const std::string &name) {
  DeviceOptions options;
  options.poison = true;
  emulator::options() = {racecheck, guardBytes, printCode};
  return name == "emulator" ? Device(emulator::emulatorDevice, options) : openDevice(name, options);
}

//===------------------------------------------------------------------------------------------===//
// Files and functions
//===------------------------------------------------------------------------------------------===//

/// What is done with every function.
using Visit = llvm::function_ref<bool(func::FuncOp, const Limits &, const std::string &file)>;

static bool forEachFunction(Visit visit) {
  DialectRegistry registry;
  registerCedillaDialects(registry);
  registry.insert<func::FuncDialect, arith::ArithDialect, scf::SCFDialect, math::MathDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects(); // the check.* attributes
  bool passed = true;
  for (const std::string &file : inputs) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
    FailureOr<Limits> limits = failure();
    if (module)
      limits = getLimits(*module);
    if (failed(limits))
      fail(Err::Unnumbered, file, ": expected a module of ced functions with sched.limits");
    for (auto function : module->getOps<func::FuncOp>())
      if (only.empty() || function.getName() == only)
        passed &= visit(function, *limits, file);
  }
  return passed;
}

static Plan makePlan() {
  Plan plan{{rowCounts.begin(), rowCounts.end()}, firstSeed, seeds, verbose};
  if (plan.rows.empty())
    plan.rows = {1, 2, 7, 33};
  return plan;
}

static bool check() {
  std::string where = chooseDevice();
  Chosen chosen = chooseTarget(targetName, where == "emulator");
  Device device = open(where);
  Plan plan = makePlan();
  return forEachFunction([&](func::FuncOp function, const Limits &limits, const std::string &) {
    for (int64_t rows : plan.rows)
      if (rows < 1 || rows > limits.maxRows)
        fail(Err::Unnumbered, "--rows: expected 1 to ", limits.maxRows, " rows, got ", rows);
    Kernels kernels(function, *chosen.target, chosen.chip, limits, printTile);
    std::optional<Kernels> alone;
    if (Limits single = limits; function->hasAttr("check.alone") && llvm::any_of(plan.rows, [](int64_t n) { return n > 1; })) {
      single.maxRows = 1; // as a program whose steps have one row: it may have other configs
      alone.emplace(function, *chosen.target, chosen.chip, single, false);
    }
    return checkFunction(function, kernels, alone ? &*alone : nullptr, device, limits, plan);
  });
}

/// What cannot be built is said and left out.
static bool save() {
  std::vector<Chosen> targets{chooseTarget(targetName, false)};
  if (targets.front().target->name() != "x86")
    targets.push_back(chooseTarget("x86", false));
  Plan plan = makePlan();
  Saver saver;
  bool complete = forEachFunction([&](func::FuncOp function, const Limits &limits, const std::string &file) {
    std::vector<std::unique_ptr<Kernels>> compiled;
    for (const Chosen &chosen : targets) {
      try {
        compiled.push_back(std::make_unique<Kernels>(function, *chosen.target, chosen.chip, limits, printTile));
      } catch (const Error &error) {
        llvm::outs() << file << ": @" << function.getName() << " left out for " << chosen.target->name() << ": "
                     << error.what() << "\n";
      }
    }
    saver.addFunction(file, function, compiled, limits, plan);
    return compiled.size() == targets.size();
  });
  saver.write(package);
  llvm::outs() << package << ": " << saver.cases() << " cases\n";
  return complete;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (!cl::ParseCommandLineOptions(argc, argv, "ced-conformance: compiled kernels against the reference interpreter\n",
                                   &llvm::errs()))
    return 2;
  return runProgram([] { return (package.empty() ? check() : save()) ? 0 : 1; });
}
