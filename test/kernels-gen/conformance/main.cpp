//===- main.cpp - ced-conformance: compiled kernels against the reference interpreter -----------------------===//
//
// For every function of a file, several numbers of rows and several seeds: random arguments, the reference
// interpreter's results, the kernels' results, the worst difference of each result. Blocks run in descending
// order with even seeds. Exit code 1 when a difference is beyond its tolerance. See Case.h for what a file
// may say.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/Register.h"
#include "dialects/ced/reference/Interpreter.h"
#include "runtime/base/Error.h"
#include "test/emulator/Emulator.h"
#include "test/kernels-gen/conformance/Case.h"
#include "test/kernels-gen/conformance/Compare.h"
#include "test/kernels-gen/conformance/Kernels.h"
#include "test/kernels-gen/conformance/Memory.h"
#include "test/kernels-gen/conformance/Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::conformance;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<case.mlir>"));
static cl::list<int64_t> rowCounts("rows", cl::CommaSeparated, cl::desc("rows of a step (1,2,7,33)"));
static cl::opt<uint64_t> firstSeed("seed", cl::init(1), cl::desc("first seed"));
static cl::opt<uint64_t> seeds("seeds", cl::init(3), cl::desc("seeds per number of rows"));
static cl::opt<std::string> targetName("target", cl::init("x86"), cl::desc("back end, or back end:chip"));
static cl::opt<std::string> deviceName("device", cl::desc("cpu, emulator, cuda, ...; what runs the target here when empty"));
static cl::opt<bool> racecheck("racecheck", cl::desc("emulator: report accesses of two threads with no barrier in between"));
static cl::opt<bool> printCode("print-code", cl::desc("emulator: print the LLVM IR that it runs"));
static cl::opt<std::string> only("only", cl::desc("the one function to check"));
static cl::opt<bool> printTile("print-tile", cl::desc("print the tile kernels"));
static cl::opt<bool> verbose("v", cl::desc("print every comparison"));

/// Which rows of results are compared: all but padding rows. Results that have no row per row of the step
/// are compared whole.
static std::vector<bool> countedRows(Type type, const Step &step) {
  if (!isPerRow(type))
    return {};
  std::vector<bool> counted;
  for (int32_t position : step.positions)
    counted.push_back(position >= 0);
  return counted;
}

/// A function that is not told positions computes every row.
static bool knowsPositions(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto name = function.getArgAttrOfType<StringAttr>(i, "ced.name"))
      if (name.getValue() == "positions")
        return true;
  return false;
}

namespace {
struct Summary {
  std::vector<Difference> worst; ///< by result
  bool passed = true;
};
} // namespace

/// Kernels of class `batch` and `phase`: nothing about a row may depend on how many there are.
static bool checkAlone(func::FuncOp function, Kernels &kernels, Device &device,
                       const std::vector<reference::HostValue> &arguments,
                       const std::vector<reference::HostValue> &found, int64_t row) {
  std::vector<reference::HostValue> given, expected;
  for (auto [type, value] : llvm::zip_equal(function.getArgumentTypes(), arguments))
    given.push_back(isPerRow(type) ? rowOf(value, row) : value);
  for (const reference::HostValue &value : found)
    expected.push_back(rowOf(value, row));
  std::vector<reference::HostValue> alone = kernels.run(device, given, expected, 1, /*descending=*/false);
  for (unsigned i = 0; i < alone.size(); ++i)
    if (partsOf(alone[i]) != partsOf(expected[i])) {
      llvm::outs() << "@" << function.getName() << " result " << i << ": row " << row << " alone has other bits\n";
      return false;
    }
  return true;
}

static void checkOnce(func::FuncOp function, Kernels &kernels, Device &device, const Limits &limits, int64_t rows,
                      uint64_t seed, Summary &summary) {
  std::mt19937_64 random(seed * 1000003 + rows);
  Step step = makeStep(rows, limits, random);
  if (!knowsPositions(function))
    std::fill(step.positions.begin(), step.positions.end(), 0);
  std::vector<reference::HostValue> arguments = makeArguments(function, step, limits, seed);
  std::vector<reference::HostValue> right = reference::interpret(function, arguments, {});
  std::vector<reference::HostValue> found = kernels.run(device, arguments, right, rows, /*descending=*/seed % 2 == 0);
  summary.worst.resize(right.size());
  for (unsigned i = 0; i < right.size(); ++i) {
    Difference difference = compare(right[i], found[i], getTolerance(function, i),
                                    countedRows(function.getResultTypes()[i], step));
    if (verbose || !difference.where.empty())
      llvm::outs() << "@" << function.getName() << " rows " << rows << " seed " << seed << " result " << i << ": worst "
                   << llvm::format("%g ", difference.worst) << difference.unit
                   << (difference.where.empty() ? "" : ": " + difference.where) << "\n";
    summary.passed &= difference.where.empty();
    if (!(difference.worst <= summary.worst[i].worst) || !*summary.worst[i].unit)
      summary.worst[i] = difference;
  }
  if (function->hasAttr("check.alone") && rows > 1)
    for (int64_t row : {int64_t(0), rows / 2, rows - 1})
      summary.passed &= checkAlone(function, kernels, device, arguments, found, row);
}

namespace {
/// Where kernels come from and where they run.
struct Machine {
  const Target *target;
  std::string chip;
  Device device;
};
} // namespace

static Machine openMachine() {
  auto [name, chip] = StringRef(targetName).split(':');
  std::string where = !deviceName.empty() ? deviceName.getValue() : name == "nvptx" ? "emulator" : "cpu";
  const Target *target = where == "emulator" ? &emulator::emulatedNvptx() : findTarget(name);
  if (!target || target->name() != name)
    fail("--target: expected a back end that runs on ", where, ", got '", name.str(), "'");
  if (chip.empty())
    chip = target->defaultChip();
  if (!llvm::is_contained(target->chips(), chip.str()))
    fail("--target: expected a chip of ", name.str(), " (", llvm::join(target->chips(), ", "), "), got '", chip.str(), "'");
  emulator::options() = {racecheck, guardBytes, printCode};
  DeviceOptions options;
  options.poison = true;
  return {target, chip.str(), where == "emulator" ? Device(emulator::emulatorDevice, options) : openDevice(where, options)};
}

static bool checkFunction(func::FuncOp function, Machine &machine, const Limits &limits) {
  Device &device = machine.device;
  Kernels kernels(function, *machine.target, machine.chip, limits, printTile);
  std::vector<int64_t> counts(rowCounts.begin(), rowCounts.end());
  if (counts.empty())
    counts = {1, 2, 7, 33};
  Summary summary;
  for (int64_t rows : counts) {
    if (rows < 1 || rows > limits.maxRows)
      fail("--rows: expected 1 to ", limits.maxRows, " rows, got ", rows);
    for (uint64_t seed = firstSeed; seed < firstSeed + seeds; ++seed)
      checkOnce(function, kernels, device, limits, rows, seed, summary);
  }
  llvm::outs() << "@" << function.getName() << (summary.passed ? " passed:" : " FAILED:");
  for (auto [i, difference] : llvm::enumerate(summary.worst))
    llvm::outs() << (i ? "; " : " ") << llvm::format("%g ", difference.worst) << difference.unit;
  llvm::outs() << "\n";
  return summary.passed;
}

static bool checkFile() {
  DialectRegistry registry;
  registerCedillaDialects(registry);
  registry.insert<func::FuncDialect, arith::ArithDialect, scf::SCFDialect, math::MathDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects(); // the check.* attributes
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  FailureOr<Limits> limits = failure();
  if (module)
    limits = getLimits(*module);
  if (failed(limits))
    fail(input.getValue(), ": expected a module of ced functions with sched.limits");
  Machine machine = openMachine();
  bool passed = true;
  for (auto function : module->getOps<func::FuncOp>())
    if (only.empty() || function.getName() == only)
      passed &= checkFunction(function, machine, *limits);
  return passed;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "ced-conformance: compiled kernels against the reference interpreter\n");
  try {
    return checkFile() ? 0 : 1;
  } catch (const Error &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return 1;
  }
}
