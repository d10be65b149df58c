//===- Options.h - the command line of ced-run and ced-reference ----------------------------------===//
//
// Both programs take the same options; only what stands for the model differs: a package and its
// weights, or `--reference` and a model directory.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/driver/Generate.h"
#include "runtime/driver/Sampler.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cedilla {

struct Options {
  std::string package;  ///< file.ced; empty with --reference
  std::string modelDir; ///< of --weights (or a packed file) or --reference
  bool reference = false;
  std::string device = "cpu";
  int threads = 0;
  std::optional<uint64_t> syntheticSeed; ///< --synthetic-weights
  bool woAFP8 = false;                   ///< --wo-a-activations fp8
  bool graph = true;                     ///< not --no-graph
  bool dependent = true;                 ///< not --no-dependent
  std::string twin;                      ///< --twin: the package that is right
  bool check = false;                    ///< look at every index and cache access
  std::string recordPath;                ///< --record
  std::string compareDir;                ///< --compare: model directory
  std::string followPath;                ///< --follow, with --reference
  std::string ab;                        ///< the second way to run the input
  int64_t abChunk = 0;                   ///< of --ab chunk:<n>
  std::string engram = "auto";           ///< where Engram tables are to be

  std::vector<std::vector<int32_t>> sequences; ///< --tokens: one; --tokens-file: one per line
  std::vector<int32_t> kinds;                  ///< --kinds, of the one sequence; empty: all text
  bool manySequences = false;                  ///< --tokens-file: dump names get `seq.<i>.`
  std::vector<int32_t> continueWith;
  int64_t maxNew = 0;
  int64_t chunk = 0; ///< rows of a sequence in one prefill step; 0: as many as fit
  int64_t repeat = 1;
  int64_t stepsAhead = defaultStepsAhead;
  SamplerSettings sampler;

  std::string dumpPath;
  bool dumpAll = false;
  bool dumpGolden = false; ///< the dump is a golden set
  std::string goldenDir;
  std::optional<double> maxMedian;
  std::string packPath; ///< --pack
  bool count = false; ///< count kernels instead of running
  bool help = false;
};

/// Fails with one line that names the option.
Options parseOptions(int argc, const char *const *argv);

/// True when the option is among the arguments, and `--help` is not. ced-run decides by it what it becomes.
bool asksFor(std::string_view option, int argc, const char *const *argv);
inline bool asksForReference(int argc, const char *const *argv) { return asksFor("--reference", argc, argv); }

/// Of `ced-run` or `ced-reference`.
std::string usage(std::string_view program);

} // namespace cedilla
