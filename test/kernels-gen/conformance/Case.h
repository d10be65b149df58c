//===- Case.h - one function of ced ops to check, and the step it runs on ------------------------------===//
//
// A case is a func.func of ced ops in a module with sched.limits. Attributes say what types cannot:
//
//   on arguments  ced.name     tokens, kinds, positions, slots, starts, pages: a fact of the step
//                 check.scale  f64: magnitude of random numbers (1)
//                 check.below  i64: random integers lie in [0, below), those of a state in [-1, below)
//                 check.ratio  i64: an index set names entries that are visible with this ratio
//                 check.special unit: rows of f32 also have equal largest values, -inf here or everywhere, or a NaN
//                 check.values array<f32>: one of these, in turn, stands in every 32 columns among the random numbers
//                 check.all_codes unit: block-scaled values hold every code and every scale, NaN too
//                 check.temperatures unit: a state of pairs, the bits of a temperature (0 in places) and any key
//                 check.beyond unit: behind them lie entries that are not visible, not only -1
//   on functions  check.config dictionary: config of every kernel, instead of the family's choice
//                 check.alone  unit: a row computed alone, by kernels for steps of one row, gives the same bits as among others
//                 check.nan    unit: results may be NaN (whatever its bits); elsewhere the interpreter must give none
//   on results    check.ulp    i64: bf16 may differ by this many ulps of the row's largest value (0)
//                 check.absolute  f64: f32 may differ by this much (0)
//                 check.codes  f64: this share of codes may be neighbours of the right ones (0)
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/HostValue.h"
#include "kernels-gen/common/Signature.h"
#include "tools/ced-bench/Difference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <random>

namespace cedilla::conformance {

/// The rows of a step; see the row tensors of the ced dialect.
struct Step {
  std::vector<int32_t> positions, slots, starts;
  int64_t rows() const { return positions.size(); }
};

/// Some sequences of random lengths and starts in random slots; perhaps padding rows somewhere.
Step makeStep(int64_t rows, const Limits &limits, std::mt19937_64 &random);

/// A random value for every argument. What no position of the step has reached in a cache is NaN.
std::vector<reference::HostValue> makeArguments(mlir::func::FuncOp function, const Step &step, const Limits &limits,
                                                uint64_t seed);

/// A case with numbers, and what the interpreter says.
struct Instance {
  int64_t rows;
  uint64_t seed;
  std::vector<reference::HostValue> arguments, right;
  std::vector<std::vector<bool>> counted; ///< by result: which rows are compared, see bench::compare
};
Instance makeInstance(mlir::func::FuncOp function, const Limits &limits, int64_t rows, uint64_t seed);

bench::Tolerance getTolerance(mlir::func::FuncOp function, unsigned result);

} // namespace cedilla::conformance
