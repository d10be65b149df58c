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
#include "runtime/io/Safetensors.h"
#include "runtime/package/Package.h"
#include "runtime/session/MemoryPlan.h"

#include <memory>
#include <vector>

namespace cedilla {

struct EngineOptions {
  /// Scratch is filled with NaN bytes before each step, and state at creation and reset: what is read
  /// before it is written shows. Opens the device with DeviceOptions::poison for its own scratch.
  bool poison = false;
  /// Cache pages are handed out from the last one down; results may not depend on it.
  bool pagesFromTop = false;
  /// Wait after every dispatch, so that a fault names the kernel that caused it.
  bool checkEachKernel = false;
};

class PackageEngine final : public Engine {
public:
  PackageEngine(std::shared_ptr<const Package> package, Device device,
                const std::string &modelDir, const EngineOptions &options = {});
  PackageEngine(const PackageEngine &) = delete;

  const ModelFacts &facts() const override { return package->manifest().facts; }
  void resetSlot(int64_t slot) override;
  void step(const StepRows &rows, bool decode, std::span<float> logits,
            const Observer &observer = {}) override;
  int64_t pageOf(int64_t slot, int64_t n) const override;
  std::vector<StateView> states() override;
  std::vector<StateView> stateShapes() override;

  const MemoryPlan &memory() const { return plan; }
  const Device &runsOn() const { return device; }

private:
  /// Memory and code on the device; given back also when opening fails half-way.
  struct Held {
    explicit Held(Device &device) : device(device) {}
    ~Held();
    Device &device;
    std::vector<void *> modules; ///< one per object, null where unused
    std::vector<DeviceAddress> memory;
  };
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

  void checkCode() const;
  std::vector<void *> loadKernels();
  DeviceAddress allocate(uint64_t bytes, std::string_view what);
  DeviceAddress placeBuffer(const BufferInfo &buffer);
  void placePages();
  void prepare(ReadyProgram &ready, std::string_view name, const std::vector<void *> &kernels);
  const ReadyProgram &programFor(bool decode) const;
  void uploadRows(const StepRows &rows);
  void run(const ReadyStep &step, int64_t rows, int64_t firstPhase, int64_t endPhase);
  void observe(const ReadyStep &step, int64_t rows, const Observer &observer);

  std::shared_ptr<const Package> package;
  Device device;
  EngineOptions options;
  std::unique_ptr<const Checkpoint> checkpoint;
  MemoryPlan plan;
  StepCheck check;
  Held held{device};
  std::vector<DeviceAddress> addresses; ///< one per buffer
  DeviceAddress workspace = 0;
  ReadyProgram prefill, decode;
  std::vector<std::vector<std::byte>> staging; ///< what states() hands out from other memory
};

} // namespace cedilla
