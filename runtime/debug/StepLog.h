//===- StepLog.h - what every step left behind -----------------------------------------------------===//
//
// For runs that nobody can look into: a replayed recording shows its kernels' results only when it has ended. Logits
// and every cache and state, by step.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Engine.h"

#include <memory>
#include <string>
#include <vector>

namespace cedilla::debug {

struct LoggedStep {
  bool decode;
  StepRows rows;
  std::vector<float> logits;
  std::vector<std::vector<std::byte>> states; ///< in the engine's order
};

class StepLog final : public Engine {
public:
  explicit StepLog(std::unique_ptr<Engine> engine) : engine(std::move(engine)) {}

  const ModelFacts &facts() const override { return engine->facts(); }
  void resetSlot(int64_t slot) override { engine->resetSlot(slot); }
  void step(const StepRows &rows, bool decode, std::span<float> logits, const Observer &observer = {}) override;
  int64_t pageOf(int64_t slot, int64_t n) const override { return engine->pageOf(slot, n); }
  std::vector<StateView> states() override { return engine->states(); }

  std::vector<LoggedStep> steps;

private:
  std::unique_ptr<Engine> engine;
};

/// The first step that differs and in what ("decode step 3: state 'window.2', byte 17"); empty: all are the same.
std::string differenceOfLogs(const StepLog &a, const StepLog &b, const std::vector<StateView> &names);

} // namespace cedilla::debug
