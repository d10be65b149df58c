//===- Difference.h - how far a result is from the right one ------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

#include <string>
#include <vector>

namespace cedilla::bench {

/// What may differ; test/kernels-gen/conformance/Case.h says how.
struct Tolerance {
  double ulp = 0, absolute = 0, codes = 0;
};

struct Difference {
  double worst = 0;      ///< in the unit of the tolerance
  const char *unit = ""; ///< "ulp", "absolute", "share of codes", "elements"
  std::string where;     ///< the first element beyond the tolerance; empty: none
};

/// Rows of a value that has one row per row of the step are compared where `counts` says so; in the others
/// floats need only be finite. `counts` is empty for values of other kinds.
Difference compare(const reference::HostValue &right, const reference::HostValue &found, const Tolerance &tolerance,
                   const std::vector<bool> &counts);

} // namespace cedilla::bench
