//===- CompileReport.h - what a compile took ---------------------------------------------------===//

#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cedilla {

/// Seconds since some moment, on the wall and of processors, programs that were started and have ended included.
struct Clock {
  double wall = 0, cpu = 0;
  static Clock now();
};

struct PhaseReport {
  std::string name, target; ///< target: "x86:avx2"
  double wall = 0, cpu = 0;
};

/// Of the code of one chip.
struct CodeReport {
  std::string target;
  int64_t kernels = 0;    ///< distinct ones that a program dispatches
  int64_t dispatches = 0; ///< of all programs
  int64_t objects = 0;    ///< pieces that code was made of one by one
  int64_t cached = 0;     ///< of these, found in the cache
  int64_t bytes = 0;      ///< of the images
};

struct CompileReport {
  std::vector<PhaseReport> phases;
  std::vector<CodeReport> codes;

  /// Counts the kernels and dispatches of what the target phase has left.
  void addCode(mlir::ModuleOp module, CodeReport code);
  /// One JSON object; with the largest memory of this program, and of the largest it has started.
  void write(const std::string &path) const;
};

} // namespace cedilla
