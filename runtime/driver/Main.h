//===- Main.h - the whole of ced-run and ced-reference, but the engine ----------------------------===//

#pragma once

#include "runtime/driver/Generate.h"
#include "runtime/engine/Engine.h"

#include <memory>
#include <optional>
#include <string>

namespace cedilla {

struct Options;

/// What the command line asks of an engine.
struct EngineRequest {
  std::string package;  ///< empty: the reference interpreter
  std::string modelDir;
  std::string device;
  int threads = 0;
  std::optional<uint64_t> syntheticSeed; ///< make the package's weights up
  bool woAFP8 = false; ///< the reference casts o to FP8 ahead of wo_a
  bool graph = true, dependent = true;   ///< how a GPU is used, results are the same
  std::string twin; ///< another package of the model: its CPU kernels check this one's
  std::string record; ///< where to write what the interpreter may follow
  bool check = false; ///< look at every index and cache access
  std::string engram = "auto"; ///< or "device", "zero-copy", "host-gather"
  // What the work needs; for engines that have no limits of their own.
  int64_t rows = 1;    ///< of one step
  int64_t batch = 1;   ///< sequences at a time
  int64_t context = 1; ///< tokens of the longest sequence, new ones included
};
/// What the options say of the engine, and the prompts.
EngineRequest requestFor(const Options &options);
std::vector<Sequence> sequencesOf(const Options &options);

using EngineFactory = std::function<std::unique_ptr<Engine>(const EngineRequest &)>;

/// Parses, runs, prints. Returns the exit code: 0, 2 for a user's mistake (one line `error: …` on
/// stderr), 1 otherwise. Throws nothing.
int driverMain(int argc, char **argv, const EngineFactory &makeEngine);

} // namespace cedilla
