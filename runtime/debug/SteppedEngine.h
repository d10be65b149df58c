//===- SteppedEngine.h - a package that runs one dispatch at a time, watched -----------------------===//
//
// The same package, kernels and buffers as PackageEngine; between two launches whoever derives from this may read
// what lies on the device. Nothing is recorded or run ahead.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/session/PackageEngine.h"

#include <memory>

namespace cedilla::debug {

/// A dispatch of a program, and what it does with its buffers.
struct Dispatch {
  const StepInfo *info;
  size_t index; ///< in the program's list, marks counted
  std::vector<size_t> makes; ///< workspace that no earlier dispatch names: it writes them, and only it
  std::vector<size_t> reads; ///< workspace that an earlier one made
  std::vector<size_t> states;
};

/// The dispatches of a program in order.
std::vector<Dispatch> dispatchesOf(const ProgramInfo &program, const Manifest &manifest);

/// "layer 3, dispatch 41 'topk' (kernel 'select_0')".
std::string describe(const Dispatch &dispatch, const Manifest &manifest);

class SteppedEngine : public Engine {
public:
  explicit SteppedEngine(std::unique_ptr<PackageEngine> engine);

  const ModelFacts &facts() const override { return package->facts(); }
  std::string departs() const override { return package->departs(); }
  void resetSlot(int64_t slot) override { package->resetSlot(slot); }
  void step(const StepRows &rows, bool decode, std::span<float> logits, const Observer &observer = {}) override;
  int64_t pageOf(int64_t slot, int64_t n) const override { return package->pageOf(slot, n); }
  std::vector<StateView> states() override { return package->states(); }
  std::vector<StateView> stateShapes() override { return package->stateShapes(); }

protected:
  /// The rows lie on the device; nothing has run.
  virtual void begin(const StepRows & /*rows*/, bool /*decode*/) {}
  virtual void before(const Dispatch & /*dispatch*/, const StepRows & /*rows*/) {}
  virtual void after(const Dispatch & /*dispatch*/, const StepRows & /*rows*/) {}
  virtual void end(const StepRows & /*rows*/, bool /*decode*/) {}

  const Manifest &manifest() const { return package->manifest(); }
  const std::vector<Dispatch> &dispatches(bool decode) const { return decode ? decodeList : prefillList; }

  std::unique_ptr<PackageEngine> package;

private:
  std::vector<Dispatch> prefillList, decodeList;
};

} // namespace cedilla::debug
