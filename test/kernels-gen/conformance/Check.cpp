//===- Check.cpp - run a case, compare, report -------------------------------------------------------------------===//

#include "test/kernels-gen/conformance/Check.h"

#include "test/kernels-gen/conformance/Case.h"
#include "test/kernels-gen/conformance/Rows.h"
#include "tools/ced-bench/Values.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace cedilla::reference;

namespace cedilla::conformance {

namespace {
struct Summary {
  std::vector<bench::Difference> worst; ///< by result
  bool passed = true;
};
} // namespace

/// Kernels of class `batch` and `phase`: nothing about a row may depend on how many there are. `kernels` are those
/// of a program whose steps have one row.
static bool checkAlone(func::FuncOp function, Kernels &kernels, Device &device,
                       const std::vector<HostValue> &arguments,
                       const std::vector<HostValue> &found, int64_t row) {
  std::vector<HostValue> given, expected;
  for (auto [type, value] : llvm::zip_equal(function.getArgumentTypes(), arguments))
    given.push_back(isPerRow(type) ? rowOf(value, row) : value);
  for (const HostValue &value : found)
    expected.push_back(rowOf(value, row));
  std::vector<HostValue> alone = kernels.run(device, given, expected, 1, /*descending=*/false);
  for (unsigned i = 0; i < alone.size(); ++i)
    if (bench::partsOf(alone[i]) != bench::partsOf(expected[i])) {
      llvm::outs() << "@" << function.getName() << " result " << i << ": row " << row << " alone has other bits\n";
      return false;
    }
  return true;
}

static void checkOnce(func::FuncOp function, Kernels &kernels, Kernels *alone, Device &device, const Instance &instance,
                      bool verbose, Summary &summary) {
  std::vector<HostValue> found =
      kernels.run(device, instance.arguments, instance.right, instance.rows, /*descending=*/instance.seed % 2 == 0);
  summary.worst.resize(found.size());
  for (unsigned i = 0; i < found.size(); ++i) {
    bench::Difference difference =
        bench::compare(instance.right[i], found[i], getTolerance(function, i), instance.counted[i]);
    if (verbose || !difference.where.empty())
      llvm::outs() << "@" << function.getName() << " rows " << instance.rows << " seed " << instance.seed << " result "
                   << i << ": worst " << llvm::format("%g ", difference.worst) << difference.unit
                   << (difference.where.empty() ? "" : ": " + difference.where) << "\n";
    summary.passed &= difference.where.empty();
    if (!(difference.worst <= summary.worst[i].worst) || !*summary.worst[i].unit)
      summary.worst[i] = difference;
  }
  if (alone && instance.rows > 1)
    for (int64_t row : {int64_t(0), instance.rows / 2, instance.rows - 1})
      summary.passed &= checkAlone(function, *alone, device, instance.arguments, found, row);
}

bool checkFunction(func::FuncOp function, Kernels &kernels, Kernels *alone, Device &device, const Limits &limits,
                   const Plan &plan) {
  Summary summary;
  for (int64_t rows : plan.rows)
    for (uint64_t seed = plan.firstSeed; seed < plan.firstSeed + plan.seeds; ++seed)
      checkOnce(function, kernels, alone, device, makeInstance(function, limits, rows, seed), plan.verbose, summary);
  llvm::outs() << "@" << function.getName() << (summary.passed ? " passed:" : " FAILED:");
  for (auto [i, difference] : llvm::enumerate(summary.worst))
    llvm::outs() << (i ? "; " : " ") << llvm::format("%g ", difference.worst) << difference.unit;
  llvm::outs() << "\n";
  return summary.passed;
}

} // namespace cedilla::conformance
