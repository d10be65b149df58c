//===- ReplayEngine.h - an engine that answers with captured values ---------------------------------===//
//
// Knows the prompts of tiny-six-role and replays what was captured of them: marks, caches (quantised
// again), logits. With it the golden check itself is tested: it must find nothing, and, when one value is
// changed on the way, exactly that.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/check/GoldenSet.h"
#include "runtime/engine/StepCheck.h"

#include <map>

namespace cedilla::test {

/// One value to be off: the mark or state `name` of `layer` ("logits" has none).
struct Fault {
  std::string name;
  int64_t layer = -1;
};

class ReplayEngine final : public Engine {
public:
  ReplayEngine(const GoldenSet &golden, Fault fault);

  const ModelFacts &facts() const override { return modelFacts; }
  void resetSlot(int64_t slot) override { check.reset(slot); }
  void step(const StepRows &rows, bool decode, std::span<float> logits,
            const Observer &observer) override;
  int64_t pageOf(int64_t slot, int64_t n) const override;
  std::vector<StateView> states() override;

private:
  const GoldenPrompt &promptOf(const StepRows &rows) const;
  void mark(const Observer &observer, const StepRows &rows, const char *name, int64_t layer,
            const char *captured, DType type, std::vector<int64_t> rowShape);
  void markCandidates(const Observer &observer, const StepRows &rows, int64_t layer);
  void markLayer(const Observer &observer, const StepRows &rows, int64_t layer);
  void fillCaches(int64_t slot, int64_t layer);

  const GoldenSet &golden;
  Fault fault;
  ModelFacts modelFacts;
  StepCheck check;
  std::map<int64_t, const GoldenPrompt *> running; ///< by slot
  const GoldenPrompt *prompt = nullptr;            ///< of the step
  std::vector<StateView> views;
  std::map<std::string, std::vector<uint8_t>> bytes;
};

} // namespace cedilla::test
