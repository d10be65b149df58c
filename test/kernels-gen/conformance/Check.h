//===- Check.h - run a case, compare, report ---------------------------------------------------------------------===//

#pragma once

#include "test/kernels-gen/conformance/Kernels.h"

namespace cedilla::conformance {

/// Which numbers of rows and seeds.
struct Plan {
  std::vector<int64_t> rows;
  uint64_t firstSeed = 1, seeds = 3;
  bool verbose = false; ///< print every comparison, not only differences
};

/// Prints a line. Whether all results are within their tolerances. `alone`: the function compiled for steps of one row,
/// whose results must be, bit for bit, those of a row among others; null: not asked for.
bool checkFunction(mlir::func::FuncOp function, Kernels &kernels, Kernels *alone, Device &device, const Limits &limits,
                   const Plan &plan);

} // namespace cedilla::conformance
