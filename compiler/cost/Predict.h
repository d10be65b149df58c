//===- Predict.h - seconds from a cost and a chip ---------------------------------------------------===//

#pragma once

#include "dialects/sched/Sched.h"
#include "kernels-gen/common/Chip.h"
#include "runtime/package/Cost.h"

#include <algorithm>
#include <string>

namespace cedilla {

struct Prediction {
  double bytes = 0, flops = 0; ///< read and written; of all formats
  double memory = 0;           ///< seconds: all bytes at the chip's rate
  double math = 0;             ///< seconds: products of each format at its rate, one format after the other
  double launch = 0;           ///< seconds: one launch, and a hand-over for each further phase of the chain
  std::string bound;           ///< "memory", "math" or "launch": the largest of the three

  /// What the work takes at best; launches come on top where nothing hides them.
  double seconds() const { return std::max(memory, math); }
  /// The same with what keeps a schedule from it: launches, and phases that hold places without using them.
  double expected = 0;
};

Prediction predict(const Cost &cost, const StepSize &step, const Rates &rates);

/// The sum of what the program's dispatches are expected to take, in seconds.
double expectedSeconds(sched::ProgramOp program, const StepSize &step, const Rates &rates);

} // namespace cedilla
