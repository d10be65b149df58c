//===- Pipeline.h - the phases of the compiler and their order ---------------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"
#include "runtime/package/Manifest.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace cedilla {

class Target;

/// A back end and its chip.
struct TargetChoice {
  std::string name = "x86";
  std::string chip; ///< empty: the target's default
};

struct CompileOptions {
  std::string input;            ///< model directory, config.json, or IR text with `from`
  std::string output;           ///< package, or IR text with `to`; "-": standard output
  /// A package may hold code for several; a device takes the first it can run. All but the package phase
  /// of `compile` want one.
  std::vector<TargetChoice> targets = {{}};
  const ModelConfig *model = nullptr; ///< stands for what `input` says, for who tries other values
  bool keepMisses = false; ///< the schedule phase notes kernels that nothing builds (sched.miss) and goes on, in silence
  const Target *backEnd = nullptr; ///< stands for the one of that name: how a test emulates a device
  std::string emitPtx;           ///< file for the PTX of an nvptx target; empty: none
  std::string cache;             ///< folder of code made earlier (target/ObjectCache.h); empty: none
  uint64_t cacheBytes = uint64_t(2) << 30; ///< what it may grow to
  std::string report;            ///< file for what the compile took (CompileReport.h); empty: none
  std::string lineInfo;          ///< file for the tile IR that line information of an nvptx target's kernels points into; empty: none
  bool tracePoints = false;      ///< kernels of an nvptx target write down when their blocks begin, have waited and end
  std::string emitSchedule;      ///< file for the IR that the schedule phase leaves; empty: none
  std::string schedule = "auto"; ///< auto; paper: the published kernels, under contract; fused: every merge the passes know; split: one kernel per group; random:<seed>: merges by chance; or a file of sched IR of this model to continue from
  bool bench = false; ///< with a program that measures the read rate, and BenchInfo for ced-bench
  BenchInfo benchShape;
  std::string from, to;         ///< phase names; empty: the first, the last
  /// 0: the schedule file's; without one 256 rows, 4096 tokens (or all the model allows), 8 sequences.
  GraphOptions graph = {.maxRows = 0, .maxContext = 0, .maxBatch = 0};
};

/// Names of the phases in order: import, fuse, schedule, tile, target, package.
std::vector<std::string> phaseNames();

/// Whether a schedule is no name of one, but a file.
bool isScheduleFile(const std::string &schedule);

/// Registers the dialects the compiler's IR may hold.
void registerCompilerDialects(mlir::DialectRegistry &registry);
/// Registers every pass of every phase, for ced-opt.
void registerCompilerPasses();

/// The back end of a choice, and its chip. Throws cedilla::Error with what there is.
const Target *getTarget(const TargetChoice &choice, std::string &chip);
/// Limits that nobody gave (0).
GraphOptions withDefaults(GraphOptions graph, const ModelConfig &config);

/// Runs the phases [from, to] and returns the module they leave. `package` is not among them: it writes a
/// file. Throws cedilla::Error as `compile` does.
mlir::OwningOpRef<mlir::ModuleOp> runPhases(mlir::MLIRContext &context, const CompileOptions &options);

/// Runs the phases [from, to] and writes what they leave. Throws cedilla::Error on a user's mistake; diagnostics of passes have
/// been printed when it throws for those.
void compile(mlir::MLIRContext &context, const CompileOptions &options);

} // namespace cedilla
