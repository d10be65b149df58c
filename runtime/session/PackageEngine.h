//===- PackageEngine.h - a package, a checkpoint and a device become an Engine --------------------===//
//
// Opening is in order of cost: what the device can run, what fits, what the checkpoint holds, and only
// then memory, code and weights. A step validates its rows, uploads them, and runs the program's list.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/engine/Engine.h"
#include "runtime/engine/StepCheck.h"
#include "runtime/package/Package.h"
#include "runtime/session/Buffers.h"
#include "runtime/session/EngramGather.h"
#include "runtime/session/MemoryPlan.h"
#include "runtime/session/PackageCode.h"
#include "runtime/session/StepRecordings.h"
#include "runtime/session/WeightSource.h"

#include <memory>
#include <optional>
#include <vector>

namespace cedilla {

struct EngineOptions {
  /// Scratch is filled with NaN bytes before each step, and state at creation and reset: what is read
  /// before it is written shows. Opens the device with DeviceOptions::poison for its own scratch.
  bool poison = false;
  /// Cache pages are handed out from the last one down; results may not depend on it.
  bool pagesFromTop = false;
  /// Wait after every dispatch and phase of one, so that a fault names the kernel that caused it.
  bool checkEachKernel = false;
  /// Where the device can, a step's launches are recorded once per program and row count, and replayed.
  /// Observed steps and steps under checkEachKernel are launched one by one.
  bool recordings = true;
  /// Weights made up from this seed; no model directory is read.
  std::optional<uint64_t> syntheticSeed;
  EngramMode engram = EngramMode::Auto;
};

/// What the blocks of a kernel with trace points wrote down (runtime/package/Trace.h).
struct KernelTrace {
  std::string kernel;
  std::vector<std::vector<TraceEvent>> blocks;
};

class PackageEngine final : public Engine {
public:
  PackageEngine(std::shared_ptr<const Package> package, Device device,
                const std::string &modelDir, const EngineOptions &options = {});
  PackageEngine(const PackageEngine &) = delete;

  const ModelFacts &facts() const override { return package->manifest().facts; }
  std::string departs() const override { return package->manifest().departs; }
  void resetSlot(int64_t slot) override;
  void step(const StepRows &rows, bool decode, std::span<float> logits,
            const Observer &observer = {}) override;
  int64_t stepsAhead() const override;
  void decodeAhead(const StepRows &rows, std::span<const RowSampling> sampling, int64_t steps,
                   std::span<int32_t> chosen) override;
  std::vector<LayerKernels> countKernels(bool decode) override;
  int64_t pageOf(int64_t slot, int64_t n) const override;
  std::vector<StateView> states() override;
  std::vector<StateView> stateShapes() override;

  const MemoryPlan &memory() const { return plan; }
  const Device &runsOn() const { return device; }
  /// One line: what lies where, in bytes.
  std::string describeMemory() const;

  // For looking at single dispatches (runtime/twin, runtime/debug): a step is begun, its dispatches are run in order, and it ends.

  const Manifest &manifest() const { return package->manifest(); }
  /// Checks and uploads the rows; `logits` is the size of what endStep fills.
  void beginStep(const StepRows &rows, bool decode, size_t logits);
  void runDispatch(bool decode, size_t index, int64_t rows);
  /// Advances the sequences; an empty `logits` asks for none.
  void endStep(const StepRows &rows, bool decode, std::span<float> logits);
  /// The part of a buffer that a step of so many rows uses.
  std::vector<std::byte> read(size_t buffer, int64_t rows);
  void write(size_t buffer, std::span<const std::byte> bytes);
  /// The one scratch area, in which all workspace buffers lie.
  std::vector<std::byte> readWorkspace();

  // For measuring (tools/ced-bench); results of such steps mean nothing.

  /// The slot goes on as if it held `length` tokens.
  void pretendLength(int64_t slot, int64_t length) { check.pretend(slot, length); }
  /// Fills a buffer, which `index` counts in the manifest, with the bytes over and over.
  void repeatOver(size_t index, std::span<const std::byte> bytes);
  /// Seconds of the device for each of `repeats` runs of a step, without copies from and to the host.
  std::vector<double> timeStep(const StepRows &rows, bool decode, int repeats);
  /// Median seconds of each dispatch of the program; first what taking a time costs.
  std::vector<double> timeDispatches(const StepRows &rows, bool decode, int repeats);
  /// Bytes per second of the package's `read` program, median; 0 where it has none.
  double measureReadRate(int repeats);
  /// What a recording of the step holds; all zero where the device records nothing.
  RecordedWork countWork(int64_t rows, bool decode);
  /// What kernels with trace points have written down since the last call.
  std::vector<KernelTrace> takeTrace();
  const ProgramInfo &program(bool decode) const { return *programFor(decode).info; }

private:
  static int64_t phasesOf(const StepInfo &dispatch) { return 1 + dispatch.laterGrids.size(); }
  /// A step of a program with everything looked up.
  struct ReadyStep {
    const StepInfo *info;
    void *kernel = nullptr; ///< null: a mark
    std::vector<DeviceAddress> buffers;
  };
  struct ReadyProgram {
    const ProgramInfo *info = nullptr;
    std::vector<ReadyStep> steps;
  };

  void placePages();
  void prepare(ReadyProgram &ready, std::string_view name);
  const ReadyProgram &programFor(bool decode) const;
  void uploadRows(const StepRows &rows);
  Launch launchOf(const ReadyStep &step, int64_t rows, int64_t firstPhase, int64_t endPhase) const;
  Launch launchOf(const ReadyStep &step, int64_t rows) const;
  void run(const ReadyStep &step, int64_t rows, int64_t firstPhase, int64_t endPhase);
  void observe(const ReadyStep &step, int64_t rows, const Observer &observer);
  bool replays() const { return options.recordings && device.records() && !options.checkEachKernel; }
  void *recordingOf(StepKind kind, int64_t rows);
  void runAll(bool decode, int64_t rows, const Observer &observer);
  void poisonScratch();
  void gatherRows(const StepRows &rows);
  void finishStep(const StepRows &rows);

  // DecodeAhead.cpp
  size_t findState(std::string_view name) const;
  void uploadSampling(const StepRows &rows, std::span<const RowSampling> sampling);
  void runAhead(int64_t rows);

  std::shared_ptr<const Package> package;
  Device device;
  EngineOptions options;
  StepCheck check;
  PackageCode code;
  std::unique_ptr<WeightSource> weights;
  MemoryPlan plan;
  std::optional<Buffers> buffers;
  StepRecordings recordings;
  ReadyProgram prefill, decode, advance;
  std::optional<EngramGather> gather; ///< where the plan has gathered tables
  std::vector<std::vector<std::byte>> staging; ///< what states() hands out from other memory
};

} // namespace cedilla
