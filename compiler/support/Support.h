//===- Support.h - will this model run there, and why not? -----------------------------------------------===//
//
// From a configuration and a chip alone: no weights, no device. The phases up to the schedule are run, every kernel is
// built (CheckKernels.h), and what the plan holds is compared with the chip's memory. Whatever is in the way is a miss,
// with the field that decides it and the nearest value that works, found by trying (Nearest.h).
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/Pipeline.h"
#include "compiler/support/CheckKernels.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cedilla {

struct SupportRequest {
  std::string file;        ///< the configuration's, for messages
  nlohmann::json document; ///< what it says
  TargetChoice target;
  GraphOptions limits = {.maxRows = 0, .maxContext = 0, .maxBatch = 0};
  std::string schedule = "auto";
  bool nearest = true;      ///< look for values that work
};

/// What stands in the way.
struct Miss {
  std::string why;    ///< one line
  std::string kernel; ///< its symbol, where it is one
  std::string field;  ///< JSON pointer or option; empty: none was found
  std::string value;  ///< of the field now
  std::string works;  ///< the nearest value with which this is not in the way; empty: none was found

  std::string line() const;
};

struct MemoryNeed {
  uint64_t weights = 0;
  uint64_t tables = 0; ///< read by row: they leave the device where they do not fit
  uint64_t caches = 0;
  uint64_t workspace = 0;
  uint64_t other = 0; ///< inputs and constants
  uint64_t chip = 0;  ///< 0: the chip does not say

  uint64_t needed() const { return weights + caches + workspace + other; }
  bool fits() const { return chip == 0 || needed() <= chip; }
};

struct SupportReport {
  std::string target; ///< "nvptx:sm_90a"
  GraphOptions limits;
  int64_t layers = 0;
  std::vector<KernelNeed> kernels;  ///< empty where there is no plan
  std::optional<MemoryNeed> memory; ///< the same
  std::vector<Miss> misses;

  bool runs() const { return misses.empty(); }
};

/// Throws cedilla::Error for what no other configuration would mend: an unknown target, a fault of ours.
SupportReport checkSupport(mlir::MLIRContext &context, const SupportRequest &request);

} // namespace cedilla
