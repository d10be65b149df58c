//===- Step.h - whole steps of a package, and the kernels inside them -------------------------===//
//
//   ced-bench step  <x.ced> [options]   seconds of decode or prefill steps
//   ced-bench layer <x.ced> [options]   seconds and bytes of every kernel in one
//
// Weights are made up unless a checkpoint is given, caches hold plausible bytes as if `context` tokens had
// been run before: sizes, addresses and choices are real, results mean nothing.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/session/PackageEngine.h"

#include <optional>
#include <string>
#include <vector>

namespace cedilla::bench {

struct StepOptions {
  std::string package;
  std::string weights; ///< model directory; empty: made up
  std::string device = "cuda:0";
  std::vector<int64_t> batches;       ///< sequences of decode steps; empty: 1
  int64_t prefill = 0;                ///< rows of a prefill step of one sequence instead
  std::optional<int64_t> context;     ///< tokens each sequence holds already
  uint64_t seed = 1;
  int repeats = 20;
  bool graph = true, dependent = true;
  bool json = false;
  std::string jsonFile; ///< empty: standard output
  std::string traceFile; ///< for a timeline of a step; empty: none
  bool layers = false;  ///< sums per kind of layer as well
  bool each = false; ///< layer: a line per dispatch, not per kernel
};

/// The rows of one step: what is run and what must be moved depend on it.
struct StepShape {
  bool decode = true;
  int64_t sequences = 1;
  int64_t rowsPerSequence = 1;
  int64_t context = 0;
  int64_t rows() const { return sequences * rowsPerSequence; }
};

/// Fails where the package's limits do not allow the step.
std::vector<StepShape> shapesOf(const StepOptions &options, const ModelFacts &facts);

StepRows rowsOf(const StepShape &shape, const ModelFacts &facts, uint64_t seed);

/// Fills window rings, compressed keys and states with bytes their formats allow. Returns the names of the
/// states whose format is not known; they stay zero.
std::vector<std::string> fillCaches(PackageEngine &engine, const Manifest &manifest, uint64_t seed);

/// Fails, naming the option, for what is no number or less than `low`.
int64_t parseNumber(std::string_view text, std::string_view option, int64_t low);

extern const char *const stepUsage, *const schedulesUsage;

/// The command line behind "schedules": two packages of `ced-compile --bench`, predicted and measured.
int schedulesMain(int argc, char **argv);

/// Times what the options say and returns the report that --json writes; prints lines unless `options.json`.
nlohmann::json measure(std::string_view command, StepOptions options);

/// The command line behind "step", "layer" or "kernel", which is `command`. Returns the exit code.
int stepMain(std::string_view command, int argc, char **argv);

} // namespace cedilla::bench
